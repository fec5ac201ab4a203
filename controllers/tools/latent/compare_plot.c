#include "tools/latent/compare_plot.h"

#include "draw/chart.h"

#include <math.h>
#include <stdio.h>

/* Places on the page, pixels. */
enum { LEFT = 60, TOP = 40, PANEL = 400, HEIGHT = 300, GAP = 70, LEGEND = 18 };

static const double DEGREES_MAX = 180;

/* A bar to the median; a whisker over the middle half. */
static void draw_bar(const tr_chart *c, const tr_compared *compared, int i, int count) {
    const tr_spread *r = &compared->heading.reward;
    const double width = (double)PANEL / count, x = c->left + (i + 0.5) * width;
    const double top = tr_chart_y(c, r->median);
    tr_svg_rectangle(c->out, x - 0.35 * width, top, 0.7 * width, TOP + HEIGHT - top, "fill=\"%s\"",
                     tr_chart_colour(i));
    tr_svg_line(c->out, x, tr_chart_y(c, r->low), x, tr_chart_y(c, r->high),
                "stroke=\"#222222\" stroke-width=\"1.4\"");
}

static void draw_curve(const tr_chart *c, const tr_compared *compared, int i) {
    double at[TR_HEADING_CURVE];
    for (int k = 0; k < TR_HEADING_CURVE; k++)
        at[k] = c->last * k / (TR_HEADING_CURVE - 1);
    tr_chart_curve(c, at, compared->heading.curve_deg, TR_HEADING_CURVE, tr_chart_colour(i));
}

static void draw_names(FILE *out, const tr_compared *compared, int count) {
    for (int i = 0; i < count; i++) {
        char style[64];
        snprintf(style, sizeof style, "font-size=\"12\" fill=\"%s\"", tr_chart_colour(i));
        tr_svg_text(out, LEFT, TOP + HEIGHT + 32 + (i + 1) * LEGEND, style, compared[i].name);
    }
}

tr_status tr_compare_plot(const char *path, const tr_compared *compared, int count, double goal_s,
                          tr_error *error) {
    tr_svg_page page;
    tr_status status = tr_svg_begin(&page, LEFT + 2 * PANEL + GAP + LEGEND,
                                    TOP + HEIGHT + 50 + count * LEGEND, "", error);
    if (status)
        return status;
    tr_chart bars = {page.out, LEFT, TOP, PANEL, HEIGHT, 0, 1, 1};
    tr_chart curves = {page.out, LEFT + PANEL + GAP, TOP, PANEL, HEIGHT, 0, goal_s, DEGREES_MAX};
    for (int i = 0; i < count; i++)
        bars.value_max = fmax(bars.value_max, compared[i].heading.reward.high);
    tr_chart_title(&bars, "reward of 1000: median and middle half");
    tr_chart_values(&bars, "");
    tr_chart_title(&curves, "median deviation, deg");
    tr_chart_values(&curves, "");
    tr_chart_places(&curves, tr_svg_step(goal_s), false, "");
    tr_chart_along(&curves, "s after a new heading");
    for (int i = 0; i < count; i++) {
        draw_bar(&bars, &compared[i], i, count);
        draw_curve(&curves, &compared[i], i);
    }
    draw_names(page.out, compared, count);
    return tr_svg_end(&page, path, error);
}
