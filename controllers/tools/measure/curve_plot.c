#include "tools/measure/curve_plot.h"

#include "draw/chart.h"

#include <math.h>
#include <stdio.h>

enum { FEW = 20 /* iterations that are all labelled */ };

static void draw_curve(const tr_chart *c, const tr_curve *curve, int number) {
    const char *colour = tr_chart_colour(number);
    char style[96];
    tr_chart_curve(c, curve->at, curve->value, curve->count, colour);
    for (int i = 0; i < curve->count; i++)
        tr_svg_circle(c->out, tr_chart_x(c, curve->at[i]), tr_chart_y(c, curve->value[i]), 2.6,
                      "fill=\"%s\"", colour);
    snprintf(style, sizeof style, "font-size=\"11\" fill=\"%s\"", colour);
    tr_svg_text(c->out, c->left + 12, c->top + 14 + 15 * number, style, curve->name);
}

/* Each curve has a value. */
tr_status tr_curve_plot(const char *path, const char *metric, const tr_curve *curve, int count,
                        tr_error *error) {
    tr_svg_page page;
    tr_status status = tr_svg_begin(&page, 640, 400, "", error);
    if (status)
        return status;
    tr_chart c = {page.out, 60, 50, 550, 300, INFINITY, 0, 1e-9};
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < curve[k].count; i++)
            c.value_max = fmax(c.value_max, curve[k].value[i]);
        c.first = fmin(c.first, curve[k].at[0]);
        c.last = fmax(c.last, curve[k].at[curve[k].count - 1]);
    }
    tr_chart_title(&c, metric);
    tr_chart_values(&c, "");
    tr_chart_places(&c, c.last - c.first < FEW ? 1 : tr_svg_step(c.last - c.first), false, "");
    tr_chart_along(&c, "iteration");
    for (int k = 0; k < count; k++)
        draw_curve(&c, &curve[k], k);
    return tr_svg_end(&page, path, error);
}
