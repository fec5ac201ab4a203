/* troupe-train latent map: draws a latent space. */
#include "control/latent/latent_view.h"
#include "draw/svg.h"
#include "tools/latent/latent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL = 520, MARGIN = 30, CELLS = 80, LEGEND = 18 };

typedef struct options {
    const char *path, *model, *out;
} options;

static const options defaults = {.model = TR_MODEL_DIR "/humanoid.xml"};

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(options, path), "the space, with or without its policy"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--out X.svg", TR_OPTION_TEXT, offsetof(options, out), "where to draw", .needed = true},
    {0}};

/* The points in their principal axes.
 *   flat       [frame_count][dimension]
 *   low, high  of each axis, with a border */
typedef struct view {
    const tr_latent_space *space;
    tr_latent_view axes;
    double *flat;
    double low[TR_LATENT_DIMENSION_MAX], high[TR_LATENT_DIMENSION_MAX];
} view;

static void flatten(view *v) {
    const tr_latent_space_def *def = &v->space->learned;
    const int q = def->dimension;
    for (int i = 0; i < def->frame_count; i++)
        tr_latent_view_flatten(&v->axes, def->point + i * q, q, v->flat + i * q);
    for (int a = 0; a < q; a++) {
        v->low[a] = (double)INFINITY;
        v->high[a] = -(double)INFINITY;
        for (int i = 0; i < def->frame_count; i++) {
            v->low[a] = fmin(v->low[a], v->flat[i * q + a]);
            v->high[a] = fmax(v->high[a], v->flat[i * q + a]);
        }
        double border = 0.08 * (v->high[a] - v->low[a]);
        v->low[a] -= border;
        v->high[a] += border;
    }
}

/* Variance of the pose where a panel shows (x, y): the other coordinates are those of the frame
 * that is drawn nearest. */
static double variance_at(const view *v, int right, int up, double x, double y) {
    const tr_latent_space_def *def = &v->space->learned;
    const int q = def->dimension;
    double best = (double)INFINITY, flat[TR_LATENT_DIMENSION_MAX], point[TR_LATENT_DIMENSION_MAX];
    int nearest = 0;
    for (int i = 0; i < def->frame_count; i++) {
        double dx = v->flat[i * q + right] - x, dy = v->flat[i * q + up] - y;
        if (dx * dx + dy * dy < best) {
            best = dx * dx + dy * dy;
            nearest = i;
        }
    }
    memcpy(flat, v->flat + nearest * q, (size_t)q * sizeof *flat);
    flat[right] = x;
    flat[up] = y;
    for (int d = 0; d < q; d++) {
        point[d] = v->axes.mean[d];
        for (int a = 0; a < q; a++)
            point[d] += flat[a] * v->axes.axis[a][d];
    }
    return tr_latent_space_variance(v->space, point);
}

/* A panel's axes and where it lies on the page. */
typedef struct panel {
    const view *view;
    int right, up;
    double left_px;
} panel;

static double place(double value, double low, double high) {
    return (value - low) / (high - low) * PANEL;
}

static double px_of(const panel *p, double x) {
    return p->left_px + place(x, p->view->low[p->right], p->view->high[p->right]);
}

static double py_of(const panel *p, double y) {
    return MARGIN + PANEL - place(y, p->view->low[p->up], p->view->high[p->up]);
}

/* Warm where the poses are sure. */
static void draw_ground(FILE *out, const panel *p) {
    const view *v = p->view;
    const double cell = (double)PANEL / CELLS, sure = log(v->space->learned.kernels.pose_noise);
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            double x =
                v->low[p->right] + (i + 0.5) / CELLS * (v->high[p->right] - v->low[p->right]);
            double y = v->low[p->up] + (j + 0.5) / CELLS * (v->high[p->up] - v->low[p->up]);
            double warm = log(variance_at(v, p->right, p->up, x, y)) / sure;
            warm = fmin(fmax(warm, 0), 1);
            tr_svg_rectangle(out, p->left_px + i * cell, MARGIN + PANEL - (j + 1) * cell,
                             cell + 0.3, cell + 0.3, "fill=\"rgb(%d,%d,%d)\"",
                             (int)(120 + 135 * warm), (int)(140 + 80 * warm),
                             (int)(190 - 90 * warm));
        }
}

static const char *colour_of(int clip) {
    static const char *const colours[] = {"#1f4e9c", "#b3261e", "#1d7a3a", "#7b3fa0",
                                          "#8a5a00", "#00707a", "#a0306f", "#444444"};
    return colours[(size_t)clip % (sizeof colours / sizeof *colours)];
}

/* Motions have one colour each; mirror images are dashed. */
static void draw_clips(FILE *out, const panel *p) {
    const tr_latent_space_def *def = &p->view->space->learned;
    int motion = -1;
    for (int c = 0; c < def->clip_count; c++) {
        const tr_latent_clip *clip = &def->clip[c];
        motion += clip->mirrored ? 0 : 1;
        tr_svg_path_begin(out);
        for (int i = clip->first; i < clip->first + clip->count; i++) {
            const double *flat = p->view->flat + i * def->dimension;
            tr_svg_path_to(out, i == clip->first, px_of(p, flat[p->right]), py_of(p, flat[p->up]));
        }
        tr_svg_path_end(out, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s",
                        colour_of(motion), clip->mirrored ? " stroke-dasharray=\"5 3\"" : "");
    }
}

static void draw_legend(FILE *out, const tr_latent_space_def *def) {
    int motion = 0;
    double y = MARGIN + PANEL + 2 * LEGEND;
    for (int c = 0; c < def->clip_count; c++) {
        if (def->clip[c].mirrored)
            continue;
        char style[64];
        snprintf(style, sizeof style, "font-size=\"12\" fill=\"%s\"", colour_of(motion++));
        tr_svg_text(out, MARGIN, y, style, def->clip[c].name);
        y += LEGEND;
    }
}

static tr_status draw(const view *v, const char *path, tr_error *error) {
    const tr_latent_space_def *def = &v->space->learned;
    int panels = def->dimension > 2 ? 2 : 1, motions = 0;
    for (int c = 0; c < def->clip_count; c++)
        motions += !def->clip[c].mirrored;
    tr_svg_page page;
    tr_status status = tr_svg_begin(&page, MARGIN + panels * (PANEL + MARGIN),
                                    PANEL + 3 * MARGIN + (motions + 1) * LEGEND, "", error);
    if (status)
        return status;
    for (int i = 0; i < panels; i++) {
        panel p = {v, 0, 1 + i, MARGIN + i * (PANEL + MARGIN)};
        char title[64];
        snprintf(title, sizeof title, "axes 1 and %d", p.up + 1);
        draw_ground(page.out, &p);
        draw_clips(page.out, &p);
        tr_svg_text(page.out, p.left_px, MARGIN - 8, "font-size=\"12\"", title);
    }
    draw_legend(page.out, def);
    return tr_svg_end(&page, path, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_latent_subject subject = {0};
    view *v = calloc(1, sizeof *v);
    tr_status status = v ? tr_latent_subject_load(o->model, o->path, &subject, error)
                         : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    if (!status) {
        const tr_latent_space_def *def = &subject.space->learned;
        v->space = subject.space;
        v->flat = calloc((size_t)def->frame_count * (size_t)def->dimension, sizeof *v->flat);
        status = !v->flat             ? tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory")
                 : def->dimension < 2 ? tr_fail(error, TR_INVALID_ARGUMENT,
                                                "%s: expected two or more dimensions", o->path)
                                      : TR_OK;
    }
    if (!status) {
        v->axes = tr_latent_view_of(subject.space);
        flatten(v);
        status = draw(v, o->out, error);
    }
    if (v)
        free(v->flat);
    free(v);
    tr_latent_subject_deinit(&subject);
    return status;
}

const tr_tool_command tr_tool_latent_map = {
    .name = "map",
    .summary = "draw a latent space (SVG)",
    .help =
        "FILE is what 'troupe-train latent fit' wrote. The map shows the first three principal\n"
        "axes in two panels: clips as threads, their mirror images dashed; the warmer the\n"
        "background, the surer the pose there.\n",
    .example = "  troupe-train latent map walk.latent --out walk.svg\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run};
