#include "tools/latent/compare_plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdio.h>

/* Places on the page, pixels. */
enum { LEFT = 60, TOP = 40, PANEL = 400, HEIGHT = 300, GAP = 70, LEGEND = 18 };

static const double DEGREES_MAX = 180;

/* A panel: where it lies, and the largest value of its vertical axis. */
typedef struct panel {
    FILE *out;
    double left_px, value_max;
} panel;

static double y_of(const panel *p, double value) {
    return TOP + HEIGHT * (1 - value / p->value_max);
}

static void draw_axes(const panel *p, const char *title) {
    char text[32];
    const double step = tr_svg_step(p->value_max);
    for (int i = 0; i * step <= p->value_max * (1 + 1e-9); i++) {
        const double y = y_of(p, i * step);
        tr_svg_line(p->out, p->left_px, y, p->left_px + PANEL, y,
                    "stroke=\"#d9d9d9\" stroke-width=\"0.8\"");
        snprintf(text, sizeof text, "%g", i * step);
        tr_svg_text(p->out, p->left_px - 6, y + 3.5, "font-size=\"10\" text-anchor=\"end\"", text);
    }
    tr_svg_text(p->out, p->left_px, TOP - 14, "font-size=\"13\" font-weight=\"bold\"", title);
}

static const char *colour_of(int i) {
    static const char *const colours[] = {"#0b3d91", "#c77700", "#2a7f3f", "#7a1f1f",
                                          "#6a3d9a", "#00707a", "#a0306f", "#333333"};
    return colours[(size_t)i % (sizeof colours / sizeof *colours)];
}

/* A bar to the median; a whisker over the middle half. */
static void draw_bar(const panel *p, const tr_compared *c, int i, int count) {
    const tr_spread *r = &c->heading.reward;
    const double width = (double)PANEL / count, x = p->left_px + (i + 0.5) * width;
    const double top = y_of(p, r->median);
    tr_svg_rectangle(p->out, x - 0.35 * width, top, 0.7 * width, TOP + HEIGHT - top, "fill=\"%s\"",
                     colour_of(i));
    tr_svg_line(p->out, x, y_of(p, r->low), x, y_of(p, r->high),
                "stroke=\"#222222\" stroke-width=\"1.4\"");
}

static void draw_curve(const panel *p, const tr_compared *c, int i) {
    tr_svg_path_begin(p->out);
    for (int k = 0; k < TR_HEADING_CURVE; k++)
        tr_svg_path_to(p->out, k == 0, p->left_px + (double)PANEL * k / (TR_HEADING_CURVE - 1),
                       y_of(p, c->heading.curve_deg[k]));
    tr_svg_path_end(p->out, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", colour_of(i));
}

static void draw_times(const panel *p, double goal_s) {
    char text[32];
    const double step = tr_svg_step(goal_s);
    for (int i = 0; i * step <= goal_s * (1 + 1e-9); i++) {
        snprintf(text, sizeof text, "%g", i * step);
        tr_svg_text(p->out, p->left_px + PANEL * i * step / goal_s, TOP + HEIGHT + 15,
                    "font-size=\"10\" text-anchor=\"middle\"", text);
    }
    tr_svg_text(p->out, p->left_px + PANEL / 2.0, TOP + HEIGHT + 32,
                "font-size=\"11\" text-anchor=\"middle\"", "s after a new heading");
}

static void draw_names(FILE *out, const tr_compared *compared, int count) {
    for (int i = 0; i < count; i++) {
        char style[64];
        snprintf(style, sizeof style, "font-size=\"12\" fill=\"%s\"", colour_of(i));
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
    panel bars = {page.out, LEFT, 1}, curves = {page.out, LEFT + PANEL + GAP, DEGREES_MAX};
    for (int i = 0; i < count; i++)
        bars.value_max = fmax(bars.value_max, compared[i].heading.reward.high);
    draw_axes(&bars, "reward of 1000: median and middle half");
    draw_axes(&curves, "median deviation, deg");
    draw_times(&curves, goal_s);
    for (int i = 0; i < count; i++) {
        draw_bar(&bars, &compared[i], i, count);
        draw_curve(&curves, &compared[i], i);
    }
    draw_names(page.out, compared, count);
    return tr_svg_end(&page, path, error);
}
