/* The picture of troupe-bench truth: a panel per controller, ground reaction on the left, torques of
 * its joints on the right. */
#include "bench/truth.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 900, PANEL = 110, MARGIN = 40, TRACE = 420, BARS = 360 };
static const double TRACE_S = 2, LOAD_MAX_BW = 6, TORQUE_MAX = 8;
static const char ink[] = "#222222", pale[] = "#bbbbbb", blue[] = "#2266aa", red[] = "#cc3322";

static void text(FILE *out, double x, double y, const char *what) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" fill=\"%s\">%s</text>\n", x, y, ink,
            what);
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *colour) {
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"1\"/>\n",
            x1, y1, x2, y2, colour);
}

/* Body weights over the first seconds; a grey line at one. */
static void draw_load(FILE *out, const tr_truth_row *row, double top) {
    double base = top + PANEL - 25, unit = (PANEL - 35) / LOAD_MAX_BW;
    int steps = (int)(TRACE_S / row->step_s);
    steps = steps < row->truth.steps ? steps : row->truth.steps;
    line(out, MARGIN, base, MARGIN + TRACE, base, ink);
    line(out, MARGIN, base - unit, MARGIN + TRACE, base - unit, pale);
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" points=\"", blue);
    for (int i = 0; i < steps; i++)
        fprintf(out, "%.1f,%.1f ", MARGIN + (double)TRACE * i * row->step_s / TRACE_S,
                base - unit * fmin(row->truth.load[i], LOAD_MAX_BW));
    fputs("\"/>\n", out);
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
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n"
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                x - 0.35 * each, base - unit * peak, 0.7 * each, unit * peak, pale, x - 0.35 * each,
                base - unit * rms, 0.7 * each, unit * rms, blue);
        if (limit < TORQUE_MAX)
            line(out, x - 0.45 * each, base - unit * limit, x + 0.45 * each, base - unit * limit,
                 red);
        fprintf(out,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"6\" fill=\"%s\" "
                "text-anchor=\"middle\">%s</text>\n",
                x, base + 9, ink, t->model->body[i].name);
    }
}

bool tr_truth_draw(const tr_truth_row *rows, int count, const char *path) {
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "%s: cannot be written\n", path);
        return false;
    }
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        WIDTH, PANEL * count + MARGIN);
    text(out, MARGIN, 16, "ground reaction, body weights (0 to 6), 2 s");
    text(out, MARGIN + TRACE + 40, 16, "torque, N m/kg (0 to 8): peak grey, rms blue, limit red");
    for (int i = 0; i < count; i++) {
        double top = 25 + (double)PANEL * i;
        text(out, 4, top + 12, rows[i].name);
        draw_load(out, &rows[i], top);
        draw_torques(out, &rows[i], top);
    }
    fputs("</svg>\n", out);
    bool good = !ferror(out);
    good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "%s: cannot be written\n", path);
    return good;
}
