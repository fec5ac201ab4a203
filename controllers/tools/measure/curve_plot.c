#include "tools/measure/curve_plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdio.h>

enum { FEW = 20 /* iterations that are all labelled */ };

/* Places on the page, pixels. */
enum { WIDTH = 640, HEIGHT = 400, LEFT = 60, TOP = 50, RIGHT = 610, BOTTOM = 350 };

typedef struct plot {
    FILE *out;
    double first, last; /* iterations of all curves */
    double value_max;
} plot;

static double x_of(const plot *p, double iteration) {
    return p->last > p->first
               ? LEFT + (RIGHT - LEFT) * (iteration - p->first) / (p->last - p->first)
               : LEFT;
}

static double y_of(const plot *p, double value) {
    return BOTTOM - (BOTTOM - TOP) * value / p->value_max;
}

static void draw_iterations(const plot *p) {
    char text[32];
    double every = p->last - p->first < FEW ? 1 : tr_svg_step(p->last - p->first);
    for (int i = (int)ceil(p->first / every); i * every <= p->last; i++) {
        snprintf(text, sizeof text, "%.0f", i * every);
        tr_svg_text(p->out, x_of(p, i * every), BOTTOM + 15,
                    "font-size=\"10\" text-anchor=\"middle\"", text);
    }
    tr_svg_text(p->out, (LEFT + RIGHT) / 2.0, BOTTOM + 35,
                "font-size=\"11\" text-anchor=\"middle\"", "iteration");
}

static void draw_grid(const plot *p) {
    char text[32];
    double step = tr_svg_step(p->value_max);
    int count = (int)(p->value_max * (1 + 1e-9) / step);
    for (int i = 0; i <= count; i++) {
        double y = y_of(p, i * step);
        tr_svg_line(p->out, LEFT, y, RIGHT, y, "stroke=\"#d9d9d9\" stroke-width=\"0.8\"");
        snprintf(text, sizeof text, "%g", i * step);
        tr_svg_text(p->out, LEFT - 6, y + 3.5, "font-size=\"10\" text-anchor=\"end\"", text);
    }
}

static void draw_curve(const plot *p, const tr_curve *curve, int number) {
    static const char *const colours[TR_CURVE_MAX] = {"#0b3d91", "#c77700", "#2a7f3f",
                                                      "#7a1f1f", "#6a3d9a", "#333333"};
    char style[96];
    tr_svg_path_begin(p->out);
    for (int i = 0; i < curve->count; i++)
        tr_svg_path_to(p->out, i == 0, x_of(p, curve->at[i]), y_of(p, curve->value[i]));
    tr_svg_path_end(p->out, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", colours[number]);
    for (int i = 0; i < curve->count; i++)
        tr_svg_circle(p->out, x_of(p, curve->at[i]), y_of(p, curve->value[i]), 2.6, "fill=\"%s\"",
                      colours[number]);
    snprintf(style, sizeof style, "font-size=\"11\" fill=\"%s\"", colours[number]);
    tr_svg_text(p->out, LEFT + 12, TOP + 14 + 15 * number, style, curve->name);
}

/* Each curve has a value. */
tr_status tr_curve_plot(const char *path, const char *metric, const tr_curve *curve, int count,
                        tr_error *error) {
    tr_svg_page page;
    tr_status status = tr_svg_begin(&page, WIDTH, HEIGHT, "", error);
    if (status)
        return status;
    plot p = {page.out, INFINITY, 0, 1e-9};
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < curve[c].count; i++)
            p.value_max = fmax(p.value_max, curve[c].value[i]);
        p.first = fmin(p.first, curve[c].at[0]);
        p.last = fmax(p.last, curve[c].at[curve[c].count - 1]);
    }
    tr_svg_text(p.out, LEFT, TOP - 18, "font-size=\"13\" font-weight=\"bold\"", metric);
    draw_grid(&p);
    draw_iterations(&p);
    for (int c = 0; c < count; c++)
        draw_curve(&p, &curve[c], c);
    return tr_svg_end(&page, path, error);
}
