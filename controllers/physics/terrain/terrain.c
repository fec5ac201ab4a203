#include "physics/terrain/terrain.h"

#include "math/elementary.h"
#include "math/quat.h"
#include "math/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WAVES = 8, STEPS_MAX = 100, STEP_TRIANGLES = 10 };

static const double SHORTEST_WAVE_M = 5, LONGEST_WAVE_M = 20;
static const double LEVEL_EDGE_M = 2; /* over which the level ground becomes terrain */

tr_terrain_def tr_terrain_def_default(tr_terrain_kind kind) {
    return (tr_terrain_def){.kind = kind,
                            .seed = 1,
                            .size_m = kind == TR_TERRAIN_STAIRS ? 3 : 40,
                            .cell_m = 0.2,
                            .slope_rad = 5 * TR_PI / 180,
                            .height_m = kind == TR_TERRAIN_STAIRS ? 0.15 : 0.05,
                            .tread_m = 0.3,
                            .steps = 5,
                            .level_m = 1};
}

static bool is_usable(const tr_terrain_def *def) {
    bool sized = def->size_m > 0 && def->size_m <= 10000 && def->level_m >= 0 &&
                 def->level_m <= 10000 && def->height_m > 0 && def->height_m <= 1000;
    if (def->kind == TR_TERRAIN_STAIRS)
        return sized && def->tread_m > 0 && def->tread_m <= 100 && def->steps >= 1 &&
               def->steps <= STEPS_MAX;
    return sized && def->cell_m >= 1e-3 && def->size_m / def->cell_m < TR_SURFACE_SAMPLES_MAX &&
           def->slope_rad >= 0 && def->slope_rad < TR_PI / 3;
}

/* --- height fields --- */

typedef struct wave {
    double x, y, phase, height; /* cos(x X + y Y + phase), rad/m */
} wave;

static void draw_waves(uint64_t seed, wave out[WAVES]) {
    tr_random draw = tr_random_seed(seed);
    for (int i = 0; i < WAVES; i++) {
        double share = tr_random_uniform(&draw);
        double length = SHORTEST_WAVE_M + share * (LONGEST_WAVE_M - SHORTEST_WAVE_M);
        double k = 2 * TR_PI / length, angle = 2 * TR_PI * tr_random_uniform(&draw);
        out[i] = (wave){k * tr_cos(angle), k * tr_sin(angle), 2 * TR_PI * tr_random_uniform(&draw),
                        length};
    }
}

/* 0 on the level ground to 1 where the terrain is whole. */
static double share_of_terrain(const tr_terrain_def *def, double x, double y) {
    double t = (sqrt(x * x + y * y) - def->level_m) / LEVEL_EDGE_M;
    t = fmin(1, fmax(0, t));
    return t * t * (3 - 2 * t);
}

/* The steepest rise between neighbours of a grid, along both axes. */
static double steepest(const float *height, int side, double cell_m) {
    double most = 0;
    for (int j = 0; j + 1 < side; j++)
        for (int i = 0; i + 1 < side; i++) {
            const float *at = height + (size_t)j * (size_t)side + i;
            double x = (double)(at[1] - at[0]) / cell_m, y = (double)(at[side] - at[0]) / cell_m;
            most = fmax(most, sqrt(x * x + y * y));
        }
    return most;
}

static void fill_hills(const tr_terrain_def *def, int side, float *out) {
    wave waves[WAVES];
    draw_waves(def->seed, waves);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = (i - 0.5 * (side - 1)) * def->cell_m,
                   y = (j - 0.5 * (side - 1)) * def->cell_m;
            double sum = 0;
            for (int w = 0; w < WAVES; w++)
                sum += waves[w].height * tr_cos(waves[w].x * x + waves[w].y * y + waves[w].phase);
            out[(size_t)j * (size_t)side + (size_t)i] = (float)(sum * share_of_terrain(def, x, y));
        }
    double most = steepest(out, side, def->cell_m);
    double slope = tr_sin(def->slope_rad) / tr_cos(def->slope_rad);
    double scale = most > 0 ? slope / most : 0;
    for (int k = 0; k < side * side; k++)
        out[k] = (float)(scale * (double)out[k]);
}

static void fill_rubble(const tr_terrain_def *def, int side, float *out) {
    tr_random draw = tr_random_seed(def->seed);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = (i - 0.5 * (side - 1)) * def->cell_m,
                   y = (j - 0.5 * (side - 1)) * def->cell_m;
            double height = def->height_m * tr_random_uniform(&draw);
            bool level = x * x + y * y < def->level_m * def->level_m;
            out[(size_t)j * (size_t)side + (size_t)i] = level ? 0 : (float)height;
        }
}

static tr_status create_field(const tr_terrain_def *def, tr_surface **out) {
    int side = (int)(def->size_m / def->cell_m) + 1;
    if (side < 2 || (int64_t)side * side > TR_SURFACE_SAMPLES_MAX)
        return TR_INVALID_ARGUMENT;
    float *height = malloc((size_t)side * (size_t)side * sizeof *height);
    if (!height)
        return TR_RESOURCE_EXHAUSTED;
    if (def->kind == TR_TERRAIN_HILLS)
        fill_hills(def, side, height);
    else
        fill_rubble(def, side, height);
    tr_status status =
        tr_surface_create_heights(&(tr_heights_def){side, side, def->cell_m, height}, out);
    free(height);
    return status;
}

/* --- stairs --- */

typedef struct flight {
    int vertices, triangles;
    float vertex[STEPS_MAX * 20 + 4][3];
    uint32_t index[STEPS_MAX * STEP_TRIANGLES + 2][3];
} flight;

/* A face of four corners, counter-clockwise as seen from outside. */
static void add_face(flight *f, const double corner[4][3]) {
    uint32_t first = (uint32_t)f->vertices;
    for (int i = 0; i < 4; i++, f->vertices++)
        for (int k = 0; k < 3; k++)
            f->vertex[f->vertices][k] = (float)corner[i][k];
    for (uint32_t t = 0; t < 2; t++, f->triangles++) {
        f->index[f->triangles][0] = first;
        f->index[f->triangles][1] = first + t + 1;
        f->index[f->triangles][2] = first + t + 2;
    }
}

/* From x to x + tread, as high as all steps so far: riser, tread, both sides, and the bottom. */
static void add_step(flight *f, const tr_terrain_def *def, int index) {
    double a = def->level_m + index * def->tread_m, b = a + def->tread_m;
    double low = index * def->height_m, top = low + def->height_m, w = 0.5 * def->size_m;
    add_face(f, (const double[4][3]){{a, -w, low}, {a, -w, top}, {a, w, top}, {a, w, low}});
    add_face(f, (const double[4][3]){{a, -w, top}, {b, -w, top}, {b, w, top}, {a, w, top}});
    add_face(f, (const double[4][3]){{a, -w, 0}, {b, -w, 0}, {b, -w, top}, {a, -w, top}});
    add_face(f, (const double[4][3]){{a, w, 0}, {a, w, top}, {b, w, top}, {b, w, 0}});
    add_face(f, (const double[4][3]){{a, -w, 0}, {a, w, 0}, {b, w, 0}, {b, -w, 0}});
}

static tr_status create_stairs(const tr_terrain_def *def, tr_surface **out) {
    flight *f = calloc(1, sizeof *f);
    if (!f)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < def->steps; i++)
        add_step(f, def, i);
    double end = def->level_m + def->steps * def->tread_m, top = def->steps * def->height_m;
    double w = 0.5 * def->size_m;
    add_face(f, (const double[4][3]){{end, -w, 0}, {end, w, 0}, {end, w, top}, {end, -w, top}});
    tr_status status = tr_surface_create_mesh(
        &(tr_mesh_def){f->vertices, f->triangles, f->vertex[0], f->index[0]}, out);
    free(f);
    return status;
}

tr_status tr_terrain_create(const tr_terrain_def *def, tr_surface **out) {
    if (!is_usable(def))
        return TR_INVALID_ARGUMENT;
    return def->kind == TR_TERRAIN_STAIRS ? create_stairs(def, out) : create_field(def, out);
}
