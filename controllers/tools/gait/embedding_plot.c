#include "tools/gait/embedding_plot.h"

#include "draw/svg.h"
#include "learn/gait/gait_interpolation.h"

#include <math.h>
#include <stdio.h>

/* Places on the page, pixels. */
enum { WIDTH = 720, HEIGHT = 480, LEFT = 60, TOP = 50, RIGHT = 690, BOTTOM = 430, LABEL_EVERY = 5 };

/* Both axes have one scale, so that distances can be seen. */
typedef struct plot {
    FILE *out;
    double low[2], pixels, force_max_n;
} plot;

static plot fit(const tr_gait_atlas *atlas, FILE *out) {
    plot p = {.out = out, .low = {(double)INFINITY, (double)INFINITY}, .force_max_n = 1};
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < atlas->count; i++) {
        p.force_max_n = fmax(p.force_max_n, fabs(atlas->sample[i].task));
        for (int d = 0; d < 2; d++) {
            p.low[d] = fmin(p.low[d], atlas->isomap.place[i][d]);
            high[d] = fmax(high[d], atlas->isomap.place[i][d]);
        }
    }
    p.pixels = fmin((RIGHT - LEFT) / (high[0] - p.low[0]), (BOTTOM - TOP) / (high[1] - p.low[1]));
    return p;
}

static double x_of(const plot *p, const tr_gait_atlas *atlas, int i) {
    return LEFT + (atlas->isomap.place[i][0] - p->low[0]) * p->pixels;
}

static double y_of(const plot *p, const tr_gait_atlas *atlas, int i) {
    return BOTTOM - (atlas->isomap.place[i][1] - p->low[1]) * p->pixels;
}

/* Blue from the front, red from behind, grey without a force. */
static void colour_of(const plot *p, double force_n, char out[static 8]) {
    double share = force_n / p->force_max_n;
    int red = (int)(150 + 90 * fmax(0, share) - 130 * fmax(0, -share));
    int green = (int)(150 - 110 * fabs(share));
    int blue = (int)(150 + 90 * fmax(0, -share) - 130 * fmax(0, share));
    snprintf(out, 8, "#%02x%02x%02x", red & 255, green & 255, blue & 255);
}

static void draw_samples(const plot *p, const tr_gait_atlas *atlas) {
    char colour[8];
    for (int i = 0; i < atlas->count; i++) {
        if (atlas->sample[i].optimal)
            continue;
        colour_of(p, atlas->sample[i].task, colour);
        tr_svg_circle(p->out, x_of(p, atlas, i), y_of(p, atlas, i), 2,
                      "fill=\"%s\" opacity=\"0.6\"", colour);
    }
}

static void draw_anchors(const plot *p, const tr_gait_atlas *atlas) {
    int anchor[TR_GAIT_STOP_MAX];
    const tr_gait_stops all = {0, -(double)INFINITY, (double)INFINITY};
    int count = tr_gait_atlas_anchors(atlas, &all, anchor);
    char text[32], colour[8];
    for (int k = 0; k < count; k++) {
        double x = x_of(p, atlas, anchor[k]), y = y_of(p, atlas, anchor[k]);
        double force_n = atlas->sample[anchor[k]].task;
        if (k > 0)
            tr_svg_line(p->out, x_of(p, atlas, anchor[k - 1]), y_of(p, atlas, anchor[k - 1]), x, y,
                        "stroke=\"#222222\" stroke-width=\"1.2\"");
        colour_of(p, force_n, colour);
        tr_svg_circle(p->out, x, y, 4, "fill=\"%s\" stroke=\"#222222\"", colour);
        if (k % LABEL_EVERY != 0 && force_n != 0)
            continue;
        snprintf(text, sizeof text, "%g N", force_n);
        tr_svg_text(p->out, x + 6, y - 5, "font-size=\"10\"", text);
    }
}

tr_status tr_embedding_plot(const char *path, const tr_gait_atlas *atlas, tr_error *error) {
    tr_svg_page page;
    char title[128];
    tr_status status = tr_svg_begin(&page, WIDTH, HEIGHT, "", error);
    if (status)
        return status;
    plot p = fit(atlas, page.out);
    snprintf(title, sizeof title, "%d gaits, landmark Isomap, eigenvalues %.3g and %.3g",
             atlas->count, atlas->isomap.eigenvalue[0], atlas->isomap.eigenvalue[1]);
    tr_svg_text(p.out, LEFT, TOP - 18, "font-size=\"13\" font-weight=\"bold\"", title);
    draw_samples(&p, atlas);
    draw_anchors(&p, atlas);
    return tr_svg_end(&page, path, error);
}
