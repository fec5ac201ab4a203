#include "tools/measure/certificate_plot.h"

#include "draw/chart.h"
#include "learn/measure/noise.h"
#include "math/vec3.h"
#include "tools/measure/certificate_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places on the page, pixels. */
enum {
    WIDTH = 1040,
    HEIGHT = 672,
    POLAR_X = 310,
    POLAR_Y = 370,
    POLAR_RADIUS = 245,
    RIGHT_X = 640,
    RIGHT_WIDTH = 350
};

static const char *const INK = TR_SVG_INK, *const FAINT = "#8a8a8a";
static const char *const SURE = "#0b3d91", *const HALF = "#7a1f1f";

typedef struct plot {
    FILE *out;
    const tr_certificate_content *content;
    int directions;
    double force_max_n, force_grid_n;
} plot;

/* --- the polar plot: forward is up, left is left --- */

typedef struct place {
    double x, y;
} place;

static place polar(const plot *p, double direction_rad, double force_n) {
    double r = POLAR_RADIUS * force_n / p->force_max_n;
    return (place){POLAR_X - r * sin(direction_rad), POLAR_Y - r * cos(direction_rad)};
}

/* From white (all survive) through amber to red (none do). */
static void shade(double share, char out[static 8]) {
    static const double stops[4][4] = {
        {0, 150, 45, 40}, {0.5, 226, 120, 60}, {0.8, 247, 205, 130}, {1, 226, 240, 226}};
    int i = share < 0.5 ? 0 : share < 0.8 ? 1 : 2;
    double t = (share - stops[i][0]) / (stops[i + 1][0] - stops[i][0]);
    int rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = (int)lround(stops[i][c + 1] + t * (stops[i + 1][c + 1] - stops[i][c + 1]));
    snprintf(out, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255, (unsigned)rgb[1] & 255,
             (unsigned)rgb[2] & 255);
}

/* A force is drawn as the ring from the force below up to it. */
static void draw_cell(const plot *p, const tr_certificate_push *push) {
    double half = TR_PI / p->directions, middle = 2 * TR_PI * push->direction / p->directions;
    double inner_n = push->force_n - p->force_grid_n;
    double outer_r = POLAR_RADIUS * push->force_n / p->force_max_n;
    double inner_r = POLAR_RADIUS * inner_n / p->force_max_n;
    place a = polar(p, middle - half, push->force_n), b = polar(p, middle + half, push->force_n);
    place c = polar(p, middle + half, inner_n), d = polar(p, middle - half, inner_n);
    char colour[8];
    shade((double)push->survived / push->trials, colour);
    fprintf(p->out,
            "<path d=\"M%.1f %.1f A%.1f %.1f 0 0 0 %.1f %.1f L%.1f %.1f A%.1f %.1f 0 0 1 %.1f "
            "%.1f Z\" fill=\"%s\" stroke=\"%s\" stroke-width=\"0.4\"><title>%g N: %d of "
            "%d</title></path>\n",
            a.x, a.y, outer_r, outer_r, b.x, b.y, c.x, c.y, inner_r, inner_r, d.x, d.y, colour,
            colour, push->force_n, push->survived, push->trials);
}

/* The largest push by direction as a closed stair: an arc per direction. */
static void draw_outline(const plot *p, const char *quantity, const char *style) {
    tr_svg_path_begin(p->out);
    for (int d = 0; d < p->directions; d++) {
        char item[TR_NAME_MAX];
        double half = TR_PI / p->directions, middle = 2 * TR_PI * d / p->directions;
        snprintf(item, sizeof item, "%05.1f", 360.0 * d / p->directions);
        double force_n = tr_certificate_value(p->content, quantity, item);
        force_n = isfinite(force_n) ? force_n : 0;
        double r = POLAR_RADIUS * force_n / p->force_max_n;
        place from = polar(p, middle - half, force_n), to = polar(p, middle + half, force_n);
        fprintf(p->out, "%c%.1f %.1f A%.1f %.1f 0 0 0 %.1f %.1f ", d == 0 ? 'M' : 'L', from.x,
                from.y, r, r, to.x, to.y);
    }
    fputc('Z', p->out);
    tr_svg_path_end(p->out, "fill=\"none\" %s", style);
}

static double ring_step(double force_max_n) {
    static const double steps[] = {20, 50, 100, 200};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (force_max_n / steps[i] <= 6)
            return steps[i];
    return 500;
}

static void draw_rings(const plot *p) {
    double step = ring_step(p->force_max_n);
    char text[32], style[160];
    int count = (int)(p->force_max_n * (1 + 1e-9) / step);
    for (int i = 1; i <= count; i++) {
        double force = i * step;
        tr_svg_circle(p->out, POLAR_X, POLAR_Y, POLAR_RADIUS * force / p->force_max_n,
                      "fill=\"none\" stroke=\"%s\" stroke-opacity=\"0.55\" stroke-width=\"0.6\"",
                      FAINT);
        place at = polar(p, -TR_PI / p->directions, force);
        snprintf(text, sizeof text, "%g", force);
        snprintf(style, sizeof style,
                 "font-size=\"10\" fill=\"%s\" text-anchor=\"middle\" stroke=\"#ffffff\" "
                 "stroke-width=\"2.5\" paint-order=\"stroke\"",
                 INK);
        tr_svg_text(p->out, at.x, at.y + 3, style, text);
    }
}

static void draw_directions(const plot *p) {
    static const struct {
        double angle;
        const char *text, *style;
        double dx, dy;
    } names[] = {{0, "forward", "text-anchor=\"middle\" font-size=\"12\"", 0, -8},
                 {0.5, "left", "text-anchor=\"end\" font-size=\"12\"", -7, 4},
                 {1, "back", "text-anchor=\"middle\" font-size=\"12\"", 0, 17},
                 {1.5, "right", "text-anchor=\"start\" font-size=\"12\"", 7, 4}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        place at = polar(p, names[i].angle * TR_PI, p->force_max_n);
        tr_svg_text(p->out, at.x + names[i].dx, at.y + names[i].dy, names[i].style, names[i].text);
    }
}

static void draw_key(const plot *p) {
    double y = HEIGHT - 14, x = 40;
    char colour[8], style[96];
    tr_svg_text(p->out, x, y, "font-size=\"11\"", "survived");
    x += 52;
    for (int i = 0; i <= 20; i++) {
        shade(i / 20.0, colour);
        tr_svg_rectangle(p->out, x + 6 * i, y - 9, 6.2, 10, "fill=\"%s\"", colour);
    }
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2.6\"", SURE);
    tr_svg_text(p->out, x + 130, y, "font-size=\"11\"", "0 to 100 %");
    tr_svg_line(p->out, x + 205, y - 4, x + 230, y - 4, style);
    tr_svg_text(p->out, x + 235, y, "font-size=\"11\"", "95 % (lower end of the interval)");
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"",
             HALF);
    tr_svg_line(p->out, x + 415, y - 4, x + 440, y - 4, style);
    tr_svg_text(p->out, x + 445, y, "font-size=\"11\"", "50 %");
}

static void draw_polar(const plot *p) {
    char style[160], title[120];
    const tr_certificate_content *c = p->content;
    for (int i = 0; i < c->push_count; i++)
        draw_cell(p, &c->push[i]);
    draw_rings(p);
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"",
             HALF);
    draw_outline(p, "push50_n", style);
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2.6\" stroke-linejoin=\"round\"",
             SURE);
    draw_outline(p, "push95_sure_n", style);
    draw_directions(p);
    double push_s = tr_certificate_single(c, "push_s");
    snprintf(title, sizeof title,
             "Pushes on the trunk, N for %g s; %d trials a direction and force", push_s,
             c->push_count ? c->push[0].trials : 0);
    tr_svg_text(p->out, 40, 88, "font-size=\"13\" font-weight=\"bold\"", title);
    draw_key(p);
}

/* --- the curve of resisting times: share of the trials that resist for each time --- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times of one growth ("1 N/s"), sorted; returns how many. times: [TR_CERTIFICATE_FIGURE_MAX]. */
static int gather_times(const tr_certificate_content *c, const char *growth, double *times) {
    int count = 0;
    size_t length = strlen(growth);
    for (int i = 0; i < c->figure_count; i++)
        if (strcmp(c->figure[i].quantity, "resisting_trial_s") == 0 &&
            strncmp(c->figure[i].item, growth, length) == 0 && c->figure[i].item[length] == ' ')
            times[count++] = c->figure[i].value;
    qsort(times, (size_t)count, sizeof *times, compare_doubles);
    return count;
}

static void draw_frame(const tr_chart *c, const char *title, const char *unit) {
    tr_chart_title(c, title);
    tr_chart_places(c, tr_svg_step(c->last), true, unit);
}

static void draw_curve(const tr_chart *c, const double *times, int count, const char *colour) {
    tr_svg_path_begin(c->out);
    tr_svg_path_to(c->out, true, c->left, c->top);
    for (int i = 0; i < count; i++)
        fprintf(c->out, " H%.1f V%.1f", tr_chart_x(c, times[i]),
                tr_chart_y(c, 1 - (i + 1.0) / count));
    tr_svg_path_end(c->out, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"", colour);
}

static void draw_resisting(const plot *p) {
    const tr_certificate_content *c = p->content;
    double *times = malloc(TR_CERTIFICATE_FIGURE_MAX * sizeof *times);
    tr_chart f = {p->out, RIGHT_X, 232, RIGHT_WIDTH, 120, 0, 1, 1};
    for (int i = 0; i < c->figure_count; i++)
        if (strcmp(c->figure[i].quantity, "resisting_trial_s") == 0)
            f.last = fmax(f.last, c->figure[i].value);
    draw_frame(&f, "Trials that resist pushes growing with time", " s");
    int drawn = 0;
    for (int i = 0; times && i < c->figure_count && drawn < 4; i++) {
        const tr_certificate_figure *mean = &c->figure[i];
        char text[96], style[96];
        if (strcmp(mean->quantity, "resisting_s") != 0)
            continue;
        draw_curve(&f, times, gather_times(c, mean->item, times), tr_chart_colour(drawn));
        snprintf(text, sizeof text, "%s: mean %.0f s", mean->item, mean->value);
        snprintf(style, sizeof style, "font-size=\"11\" text-anchor=\"end\" fill=\"%s\"",
                 tr_chart_colour(drawn));
        tr_svg_text(p->out, f.left + f.width, f.top + 14 + 15 * drawn, style, text);
        drawn++;
    }
    free(times);
}

/* --- errors by joint --- */

static void draw_joints(const plot *p) {
    const tr_certificate_content *c = p->content;
    tr_chart f = {p->out, RIGHT_X + 62, 412, RIGHT_WIDTH - 62, 0, 0, 0.1, 1};
    int count = 0;
    for (int i = 0; i < c->figure_count; i++)
        if (strcmp(c->figure[i].quantity, "joint_error_rad") == 0) {
            f.last = fmax(f.last, c->figure[i].value * 180 / TR_PI);
            count++;
        }
    if (count == 0)
        return;
    double pitch = fmin(13, 210.0 / count);
    f.height = pitch * count;
    draw_frame(&f, "Mean joint errors at fragment ends", " deg");
    for (int i = 0, bar = 0; i < c->figure_count; i++) {
        if (strcmp(c->figure[i].quantity, "joint_error_rad") != 0)
            continue;
        double y = f.top + pitch * bar++;
        tr_svg_rectangle(p->out, f.left, y + 1.5,
                         f.width * c->figure[i].value * 180 / TR_PI / f.last, pitch - 3,
                         "fill=\"#5b7db1\"");
        tr_svg_text(p->out, f.left - 5, y + pitch - 3, "font-size=\"10\" text-anchor=\"end\"",
                    c->figure[i].item);
    }
}

/* --- the head --- */

static double figure(const plot *p, const char *quantity) {
    return tr_certificate_single(p->content, quantity);
}

static void write_way(const plot *p) {
    char text[128], nsr[TR_NOISE_TEXT_MAX];
    const char *style = "font-size=\"12\"";
    if (!isfinite(figure(p, "speed_mps")))
        return;
    snprintf(text, sizeof text, "speed %.2f m/s, of the reference %.2f m/s", figure(p, "speed_mps"),
             figure(p, "reference_speed_mps"));
    tr_svg_text(p->out, RIGHT_X, 116, style, text);
    tr_noise_ratio_print(figure(p, "nsr"), nsr);
    snprintf(text, sizeof text, "root at %.3f m; noise to signal %s", figure(p, "root_mean_m"),
             nsr);
    tr_svg_text(p->out, RIGHT_X, 134, style, text);
    snprintf(text, sizeof text, "feet slip %.3f m/s; ground penetrated by %.1f mm at most",
             figure(p, "foot_slip_mps"), 1000 * figure(p, "penetration_max_m"));
    tr_svg_text(p->out, RIGHT_X, 152, style, text);
    if (!isfinite(figure(p, "clip_speed_mps")))
        return;
    snprintf(text, sizeof text, "the clip: %.2f m/s, root at %.3f m", figure(p, "clip_speed_mps"),
             figure(p, "clip_root_mean_m"));
    tr_svg_text(p->out, RIGHT_X, 170, style, text);
}

static void write_head(const plot *p, const char *controller, const tr_certificate_row *row) {
    char text[160];
    tr_svg_text(p->out, 40, 40, "font-size=\"22\" font-weight=\"bold\"", controller);
    snprintf(text, sizeof text, "certificate by method %d, seed %llu, build %.64s", row->method,
             (unsigned long long)row->seed, row->code_version);
    tr_svg_text(p->out, 40, 58, "font-size=\"12\"", text);
    snprintf(text, sizeof text, "%.0f of %.0f trials hold %g s undisturbed",
             figure(p, "held_trials"), figure(p, "hold_trials"), figure(p, "hold_s"));
    tr_svg_text(p->out, RIGHT_X, 76, "font-size=\"13\" font-weight=\"bold\"", text);
    snprintf(text, sizeof text, "largest push, all directions: %.0f N (95 %%), %.0f N (50 %%)",
             tr_certificate_value(p->content, "push95_n", "all"),
             tr_certificate_value(p->content, "push50_n", "all"));
    tr_svg_text(p->out, RIGHT_X, 98, "font-size=\"12\"", text);
    write_way(p);
}

/* --- the page --- */

static plot begin_plot(FILE *out, const tr_certificate_content *content) {
    plot p = {out, content, 1, 1, INFINITY};
    for (int i = 0; i < content->push_count; i++) {
        const tr_certificate_push *push = &content->push[i];
        p.directions = push->direction + 1 > p.directions ? push->direction + 1 : p.directions;
        p.force_max_n = fmax(p.force_max_n, push->force_n);
        p.force_grid_n = fmin(p.force_grid_n, push->force_n);
    }
    return p;
}

tr_status tr_certificate_plot(const char *path, const char *controller,
                              const tr_certificate_row *row, const tr_certificate_content *content,
                              tr_error *error) {
    tr_svg_page page;
    tr_status status = tr_svg_begin(&page, WIDTH, HEIGHT, "", error);
    if (status)
        return status;
    plot p = begin_plot(page.out, content);
    write_head(&p, controller, row);
    draw_polar(&p);
    draw_resisting(&p);
    draw_joints(&p);
    return tr_svg_end(&page, path, error);
}
