#include "tools/gait/comparison_plot.h"

#include "draw/svg.h"
#include "learn/gait/gait_interpolation.h"
#include "learn/measure/evaluate.h"

#include <stdio.h>
#include <string.h>

/* Places on the page, pixels: two panels side by side. */
enum { WIDTH = 900, HEIGHT = 420, LEFT = 50, TOP = 50, BOTTOM = 340, PANEL = 400, GAP = 40 };
enum { PLACE_MAX = 32, GRID = 5 };

static const char *const colours[] = {"#777777", "#c77700", "#2a7f3f", "#0b3d91",
                                      "#6a3d9a", "#b01f5f", "#7a1f1f"};

typedef struct plot {
    FILE *out;
    const tr_comparison_cell *cell;
    int count;
    bool by_dimension;
    double place[PLACE_MAX]; /* along x, ascending */
    int place_count;
    int left; /* of the panel in progress */
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
    return p->left + PANEL * (place + 0.5) / p->place_count;
}

static double y_of(double share) {
    return BOTTOM - (BOTTOM - TOP) * share;
}

static void draw_frame(const plot *p) {
    char text[32];
    for (int i = 0; i <= GRID; i++) {
        double y = y_of((double)i / GRID);
        tr_svg_line(p->out, p->left, y, p->left + PANEL, y,
                    "stroke=\"#d9d9d9\" stroke-width=\"0.8\"");
        snprintf(text, sizeof text, "%d %%", 100 * i / GRID);
        if (p->kind == 0)
            tr_svg_text(p->out, p->left - 6, y + 3.5, "font-size=\"10\" text-anchor=\"end\"", text);
    }
    for (int i = 0; i < p->place_count; i++) {
        snprintf(text, sizeof text, p->by_dimension ? "%g" : "%g N", p->place[i]);
        tr_svg_text(p->out, x_of(p, i), BOTTOM + 15, "font-size=\"10\" text-anchor=\"middle\"",
                    text);
    }
    tr_svg_text(p->out, p->left + PANEL / 2.0, BOTTOM + 32,
                "font-size=\"11\" text-anchor=\"middle\"",
                p->by_dimension ? "dimensions" : "spacing of the anchors");
    tr_svg_text(p->out, p->left, TOP - 14, "font-size=\"13\" font-weight=\"bold\"",
                p->kind == TR_COMPARISON_CONSTANT ? "survive constant forces"
                                                  : "survive varying forces");
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
    const char *colour = colours[number % (int)(sizeof colours / sizeof *colours)];
    char style[96];
    double before_x = 0, before_y = 0, low, high;
    bool begun = false;
    for (int i = 0; i < p->place_count; i++) {
        const tr_comparison_cell *c = find(p, way, i);
        if (!c)
            continue;
        double x = x_of(p, i) + 3 * (number - 3),
               y = y_of((double)c->survived[p->kind] / c->trials);
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.6\"", colour);
        if (begun)
            tr_svg_line(p->out, before_x, before_y, x, y, style);
        tr_evaluate_wilson(c->survived[p->kind], c->trials, &low, &high);
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"0.8\"", colour);
        tr_svg_line(p->out, x, y_of(low), x, y_of(high), style);
        tr_svg_circle(p->out, x, y, 2.8, "fill=\"%s\"", colour);
        before_x = x;
        before_y = y;
        begun = true;
    }
    if (p->kind > 0 || !begun)
        return;
    snprintf(style, sizeof style, "font-size=\"11\" fill=\"%s\"", colour);
    tr_svg_text(p->out, LEFT + 210.0 * (number % 4), BOTTOM + 54 + 16.0 * (int)(number / 4), style,
                way);
}

tr_status tr_comparison_plot(const char *path, const tr_comparison_cell *cell, int count,
                             tr_error *error) {
    tr_svg_page page;
    const char *way;
    tr_status status = tr_svg_begin(&page, WIDTH, HEIGHT, "", error);
    if (status)
        return status;
    plot p = {.out = page.out, .cell = cell, .count = count};
    find_places(&p);
    for (p.kind = 0; p.kind < TR_COMPARISON_KINDS; p.kind++) {
        p.left = LEFT + p.kind * (PANEL + GAP);
        draw_frame(&p);
        for (int w = 0; (way = tr_gait_interpolation_name(w)); w++)
            draw_way(&p, way, w);
    }
    return tr_svg_end(&page, path, error);
}
