/* The picture of troupe-bench truth: a panel per controller, ground reaction on the left, torques of
 * its joints on the right. */
#include "bench/truth.h"

#include "draw/svg.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 900, PANEL = 110, MARGIN = 40, TRACE = 420, BARS = 360 };
static const double TRACE_S = 2, LOAD_MAX_BW = 6, TORQUE_MAX = 8;
static const char ink[] = TR_SVG_INK, pale[] = "#bbbbbb", blue[] = "#2266aa", red[] = "#cc3322";

static void text(FILE *out, double x, double y, const char *what) {
    tr_svg_text(out, x, y, "font-size=\"11\"", what);
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *colour) {
    char style[32];
    snprintf(style, sizeof style, "stroke=\"%s\"", colour);
    tr_svg_line(out, x1, y1, x2, y2, style);
}

/* Body weights over the first seconds; a grey line at one. */
static void draw_load(FILE *out, const tr_truth_row *row, double top) {
    double base = top + PANEL - 25, unit = (PANEL - 35) / LOAD_MAX_BW;
    int steps = (int)(TRACE_S / row->step_s);
    steps = steps < row->truth.steps ? steps : row->truth.steps;
    line(out, MARGIN, base, MARGIN + TRACE, base, ink);
    line(out, MARGIN, base - unit, MARGIN + TRACE, base - unit, pale);
    tr_svg_path_begin(out);
    for (int i = 0; i < steps; i++)
        tr_svg_path_to(out, i == 0, MARGIN + (double)TRACE * i * row->step_s / TRACE_S,
                       base - unit * fmin(row->truth.load[i], LOAD_MAX_BW));
    tr_svg_path_end(out, "fill=\"none\" stroke=\"%s\"", blue);
}

/* A bar per joint: peak pale, rms blue, its limit red. */
static void draw_torques(FILE *out, const tr_truth_row *row, double top) {
    const tr_truth *t = &row->truth;
    double base = top + PANEL - 25, unit = (PANEL - 35) / TORQUE_MAX;
    double left = MARGIN + TRACE + 40, each = (double)BARS / (t->model->body_count - 1);
    line(out, left, base, left + BARS, base, ink);
    for (int i = 1; i < t->model->body_count; i++) {
        double x = left + (i - 0.5) * each, mass = t->model->mass;
        double peak = fmin(t->joint[i].peak / mass, TORQUE_MAX);
        double rms = sqrt(t->joint[i].square / t->steps) / mass;
        double limit = t->model->body[i].torque_limit / mass;
        tr_svg_rectangle(out, x - 0.35 * each, base - unit * peak, 0.7 * each, unit * peak,
                         "fill=\"%s\"", pale);
        tr_svg_rectangle(out, x - 0.35 * each, base - unit * rms, 0.7 * each, unit * rms,
                         "fill=\"%s\"", blue);
        if (limit < TORQUE_MAX)
            line(out, x - 0.45 * each, base - unit * limit, x + 0.45 * each, base - unit * limit,
                 red);
        tr_svg_text(out, x, base + 9, "font-size=\"6\" text-anchor=\"middle\"",
                    t->model->body[i].name);
    }
}

bool tr_truth_draw(const tr_truth_row *rows, int count, const char *path) {
    tr_svg_page page;
    tr_error error = {0};
    if (tr_svg_begin(&page, WIDTH, (double)PANEL * count + MARGIN, "font-size=\"11\"", &error)) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        return false;
    }
    text(page.out, MARGIN, 16, "ground reaction, body weights (0 to 6), 2 s");
    text(page.out, MARGIN + TRACE + 40, 16,
         "torque, N m/kg (0 to 8): peak grey, rms blue, limit red");
    for (int i = 0; i < count; i++) {
        double top = 25 + (double)PANEL * i;
        text(page.out, 4, top + 12, rows[i].name);
        draw_load(page.out, &rows[i], top);
        draw_torques(page.out, &rows[i], top);
    }
    if (tr_svg_end(&page, path, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    return true;
}
