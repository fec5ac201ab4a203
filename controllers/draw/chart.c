#include "draw/chart.h"

#include <math.h>

#define GRID "stroke=\"#d9d9d9\" stroke-width=\"0.8\""

double tr_chart_x(const tr_chart *c, double at) {
    return c->last > c->first ? c->left + c->width * (at - c->first) / (c->last - c->first)
                              : c->left;
}

double tr_chart_y(const tr_chart *c, double value) {
    return c->top + c->height * (1 - value / c->value_max);
}

const char *tr_chart_colour(int number) {
    static const char *const colours[] = {"#0b3d91", "#c77700", "#2a7f3f", "#7a1f1f",
                                          "#6a3d9a", "#00707a", "#a0306f", "#333333"};
    return colours[(size_t)number % (sizeof colours / sizeof *colours)];
}

void tr_chart_title(const tr_chart *c, const char *title) {
    tr_svg_text(c->out, c->left, c->top - 14, "font-size=\"13\" font-weight=\"bold\"", title);
}

void tr_chart_values(const tr_chart *c, const char *unit) {
    const double step = tr_svg_step(c->value_max);
    for (int i = 0; i * step <= c->value_max * (1 + 1e-9); i++) {
        char text[32];
        const double y = tr_chart_y(c, i * step);
        tr_svg_line(c->out, c->left, y, c->left + c->width, y, GRID);
        snprintf(text, sizeof text, "%g%s", i * step, unit ? unit : "");
        if (unit)
            tr_svg_text(c->out, c->left - 6, y + 3.5, "font-size=\"10\" text-anchor=\"end\"", text);
    }
}

void tr_chart_label(const tr_chart *c, double x, const char *label) {
    tr_svg_text(c->out, x, c->top + c->height + 15, "font-size=\"10\" text-anchor=\"middle\"",
                label);
}

void tr_chart_along(const tr_chart *c, const char *name) {
    tr_svg_text(c->out, c->left + c->width / 2, c->top + c->height + 32,
                "font-size=\"11\" text-anchor=\"middle\"", name);
}

void tr_chart_places(const tr_chart *c, double every, bool lines, const char *unit) {
    const int first = (int)ceil(c->first / every), last = (int)(c->last * (1 + 1e-9) / every);
    for (int i = first; i <= last; i++) {
        char text[48];
        const double x = tr_chart_x(c, i * every);
        if (lines)
            tr_svg_line(c->out, x, c->top, x, c->top + c->height, GRID);
        snprintf(text, sizeof text, "%g%s", i * every, i == last ? unit : "");
        tr_chart_label(c, x, text);
    }
}

void tr_chart_curve(const tr_chart *c, const double *at, const double *value, int count,
                    const char *colour) {
    tr_svg_path_begin(c->out);
    for (int i = 0; i < count; i++)
        tr_svg_path_to(c->out, i == 0, tr_chart_x(c, at[i]), tr_chart_y(c, value[i]));
    tr_svg_path_end(c->out, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", colour);
}
