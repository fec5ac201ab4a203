#include "tools/gait/comparison_plot.h"

#include "draw/chart.h"
#include "learn/gait/gait_interpolation.h"
#include "learn/measure/evaluate.h"

#include <stdio.h>
#include <string.h>

/* Places on the page, pixels: two panels side by side. */
enum { WIDTH = 900, HEIGHT = 420, LEFT = 50, TOP = 50, BOTTOM = 340, PANEL = 400, GAP = 40 };
enum { PLACE_MAX = 32 };

typedef struct plot {
    tr_chart chart; /* of the kind in progress, in percent */
    const tr_comparison_cell *cell;
    int count;
    bool by_dimension;
    double place[PLACE_MAX]; /* along x, ascending */
    int place_count;
    int kind;
} plot;

static double value_of(const plot *p, const tr_comparison_cell *cell) {
    return p->by_dimension ? cell->dimension : cell->spacing_n;
}

static void add_place(plot *p, double value) {
    int at = 0;
    while (at < p->place_count && p->place[at] < value)
        at++;
    if (p->place_count == PLACE_MAX || (at < p->place_count && p->place[at] == value))
        return;
    memmove(p->place + at + 1, p->place + at, (size_t)(p->place_count - at) * sizeof *p->place);
    p->place[at] = value;
    p->place_count++;
}

static void find_places(plot *p) {
    int first = 0;
    for (int i = 0; i < p->count; i++) {
        int d = p->cell[i].dimension;
        p->by_dimension = p->by_dimension || (first && d && d != first);
        first = first ? first : d;
    }
    for (int i = 0; i < p->count; i++)
        if (!p->by_dimension || p->cell[i].dimension)
            add_place(p, value_of(p, &p->cell[i]));
}

static double x_of(const plot *p, int place) {
    return p->chart.left + PANEL * (place + 0.5) / p->place_count;
}

static void draw_frame(const plot *p) {
    char text[32];
    tr_chart_title(&p->chart, p->kind == TR_COMPARISON_CONSTANT ? "survive constant forces"
                                                                : "survive varying forces");
    tr_chart_values(&p->chart, p->kind == 0 ? " %" : NULL);
    for (int i = 0; i < p->place_count; i++) {
        snprintf(text, sizeof text, p->by_dimension ? "%g" : "%g N", p->place[i]);
        tr_chart_label(&p->chart, x_of(p, i), text);
    }
    tr_chart_along(&p->chart, p->by_dimension ? "dimensions" : "spacing of the anchors");
}

/* The cell of a way at a place; NULL: it was not measured. */
static const tr_comparison_cell *find(const plot *p, const char *way, int place) {
    for (int i = 0; i < p->count; i++) {
        const tr_comparison_cell *c = &p->cell[i];
        bool here = value_of(p, c) == p->place[place] || (p->by_dimension && c->dimension == 0);
        if (here && strcmp(c->way, way) == 0)
            return c;
    }
    return NULL;
}

static void draw_way(const plot *p, const char *way, int number) {
    const char *colour = tr_chart_colour(number);
    FILE *out = p->chart.out;
    char style[96];
    double before_x = 0, before_y = 0, low, high;
    bool begun = false;
    for (int i = 0; i < p->place_count; i++) {
        const tr_comparison_cell *c = find(p, way, i);
        if (!c)
            continue;
        double x = x_of(p, i) + 3 * (number - 3),
               y = tr_chart_y(&p->chart, 100.0 * c->survived[p->kind] / c->trials);
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.6\"", colour);
        if (begun)
            tr_svg_line(out, before_x, before_y, x, y, style);
        tr_evaluate_wilson(c->survived[p->kind], c->trials, &low, &high);
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"0.8\"", colour);
        tr_svg_line(out, x, tr_chart_y(&p->chart, 100 * low), x, tr_chart_y(&p->chart, 100 * high),
                    style);
        tr_svg_circle(out, x, y, 2.8, "fill=\"%s\"", colour);
        before_x = x;
        before_y = y;
        begun = true;
    }
    if (p->kind > 0 || !begun)
        return;
    snprintf(style, sizeof style, "font-size=\"11\" fill=\"%s\"", colour);
    tr_svg_text(out, LEFT + 210.0 * (number % 4), BOTTOM + 54 + 16.0 * (int)(number / 4), style,
                way);
}

tr_status tr_comparison_plot(const char *path, const tr_comparison_cell *cell, int count,
                             tr_error *error) {
    tr_svg_page page;
    const char *way;
    tr_status status = tr_svg_begin(&page, WIDTH, HEIGHT, "", error);
    if (status)
        return status;
    plot p = {.cell = cell, .count = count};
    find_places(&p);
    for (p.kind = 0; p.kind < TR_COMPARISON_KINDS; p.kind++) {
        p.chart = (tr_chart){
            page.out, LEFT + p.kind * (PANEL + GAP), TOP, PANEL, BOTTOM - TOP, 0, 1, 100};
        draw_frame(&p);
        for (int w = 0; (way = tr_gait_interpolation_name(w)); w++)
            draw_way(&p, way, w);
    }
    return tr_svg_end(&page, path, error);
}
