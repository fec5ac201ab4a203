#include "physics/terrain/heights.h"

#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float HEIGHT_MAX_M = 1e5F;

struct tr_heights {
    int columns, rows;
    double spacing, x0, y0; /* place of sample (0, 0) */
    float lowest, highest;
    float height[]; /* [rows][columns] */
};

static bool usable(const tr_heights_def *def) {
    if (def->columns < 2 || def->rows < 2 || def->columns > TR_SURFACE_SAMPLES_MAX / 2 ||
        def->rows > TR_SURFACE_SAMPLES_MAX / def->columns)
        return false;
    if (!(def->spacing_m >= 1e-3 && def->spacing_m <= 100))
        return false;
    for (int i = 0; i < def->columns * def->rows; i++)
        if (!(fabsf(def->height[i]) <= HEIGHT_MAX_M))
            return false;
    return true;
}

tr_status tr_heights_create(const tr_heights_def *def, tr_heights **out) {
    if (!usable(def))
        return TR_INVALID_ARGUMENT;
    size_t bytes = (size_t)def->columns * (size_t)def->rows * sizeof(float);
    tr_heights *field = malloc(sizeof *field + bytes);
    if (!field)
        return TR_RESOURCE_EXHAUSTED;
    *field = (tr_heights){.columns = def->columns,
                          .rows = def->rows,
                          .spacing = def->spacing_m,
                          .x0 = -0.5 * def->spacing_m * (def->columns - 1),
                          .y0 = -0.5 * def->spacing_m * (def->rows - 1),
                          .lowest = def->height[0],
                          .highest = def->height[0]};
    memcpy(field->height, def->height, bytes);
    for (int i = 0; i < def->columns * def->rows; i++) {
        field->lowest = fminf(field->lowest, field->height[i]);
        field->highest = fmaxf(field->highest, field->height[i]);
    }
    *out = field;
    return TR_OK;
}

void tr_heights_destroy(tr_heights *field) {
    free(field);
}

uint64_t tr_heights_hash(const tr_heights *field) {
    uint64_t hash = tr_hash_add(TR_HASH_START, "heights", 7);
    hash = tr_hash_add(hash, &field->columns, sizeof field->columns);
    hash = tr_hash_add(hash, &field->rows, sizeof field->rows);
    hash = tr_hash_add(hash, &field->spacing, sizeof field->spacing);
    size_t samples = (size_t)field->columns * (size_t)field->rows;
    return tr_hash_add(hash, field->height, samples * sizeof(float));
}

tr_heights_def tr_heights_definition(const tr_heights *field) {
    return (tr_heights_def){field->columns, field->rows, field->spacing, field->height};
}

void tr_heights_bounds(const tr_heights *field, double low[3], double high[3]) {
    low[0] = field->x0;
    low[1] = field->y0;
    low[2] = (double)field->lowest;
    for (int k = 0; k < 2; k++)
        high[k] = -low[k];
    high[2] = (double)field->highest;
}

static double height_at(const tr_heights *field, int i, int j) {
    return (double)field->height[(size_t)j * (size_t)field->columns + (size_t)i];
}

static tr_vec3 sample_at(const tr_heights *field, int i, int j) {
    return (tr_vec3){field->x0 + field->spacing * i, field->y0 + field->spacing * j,
                     height_at(field, i, j)};
}

static tr_vec3 slope_of(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    return tr_vec3_cross(tr_vec3_sub(b, a), tr_vec3_sub(c, a));
}

static tr_vec3 normal_of(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    return tr_vec3_normalize_or(slope_of(a, b, c), (tr_vec3){0, 0, 1});
}

/* --- under a point --- */

/* Height and, unless out_n is NULL, normal at (x, y). False: outside the field. */
static bool look_up(const tr_heights *field, double x, double y, double *out_z, tr_vec3 *out_n) {
    double u = (x - field->x0) / field->spacing, v = (y - field->y0) / field->spacing;
    if (!(u >= 0 && v >= 0 && u <= field->columns - 1 && v <= field->rows - 1))
        return false;
    int i = (int)u, j = (int)v;
    i -= i == field->columns - 1;
    j -= j == field->rows - 1;
    u -= i;
    v -= j;
    double a = height_at(field, i, j), d = height_at(field, i + 1, j + 1);
    double along_x, along_y; /* rise per cell on the triangle that holds the point */
    if (u >= v) {
        double b = height_at(field, i + 1, j);
        along_x = b - a;
        along_y = d - b;
    } else {
        double c = height_at(field, i, j + 1);
        along_x = d - c;
        along_y = c - a;
    }
    *out_z = a + along_x * u + along_y * v;
    tr_vec3 n = {-along_x, -along_y, field->spacing};
    if (out_n)
        *out_n = tr_vec3_normalize_or(n, n);
    return true;
}

bool tr_heights_hold(const tr_heights *field, tr_vec3 point, double *out_depth,
                     tr_vec3 *out_normal) {
    double z;
    if (point.z > (double)field->highest || !look_up(field, point.x, point.y, &z, out_normal))
        return false;
    *out_depth = (z - point.z) * out_normal->z;
    return *out_depth > 0;
}

bool tr_heights_under(const tr_heights *field, tr_vec3 point, double *out_above,
                      tr_vec3 *out_normal) {
    double z;
    if (!look_up(field, point.x, point.y, &z, out_normal))
        return false;
    *out_above = z - point.z;
    return true;
}

/* --- near a shape --- */

/* Cells that [low, high] meets along one axis, `most` of them around the middle. False: none. */
static bool cells_between(double low, double high, double first, double spacing, int cells,
                          int most, int out[2]) {
    double a = (low - first) / spacing, b = (high - first) / spacing;
    if (!(a < cells && b > 0))
        return false;
    out[0] = a > 0 ? (int)a : 0;
    out[1] = b < cells ? (int)b : cells - 1;
    int over = out[1] - out[0] + 1 - most;
    if (over > 0) {
        out[0] += over / 2;
        out[1] = out[0] + most - 1;
    }
    return true;
}

/* The edge between two corners of a triangle with such a cross product of its sides; the triangle
 * on the other side has `opposite` as its third corner. Normals are made for edges that fall
 * away alone. */
static void add_ridge(tr_vec3 slope, tr_vec3 from, tr_vec3 to, tr_vec3 opposite, tr_patch *out) {
    tr_vec3 across = tr_vec3_sub(opposite, from);
    if (tr_vec3_dot(slope, across) >= 0 || out->ridge_count == TR_PATCH_RIDGES)
        return;
    tr_vec3 normal = tr_vec3_normalize_or(slope, (tr_vec3){0, 0, 1});
    if (tr_vec3_dot(normal, across) <= -1e-6)
        out->ridge[out->ridge_count++] =
            (tr_ridge){from, to, tr_vec3_add(normal, normal_of(to, from, opposite))};
}

/* Both triangles of cell (i, j), if they are wanted; the lower one brings the edges: each inner
 * edge of the field lies on one lower triangle. */
static void add_cell(const tr_heights *field, int i, int j, bool triangles, tr_patch *out) {
    tr_vec3 a = sample_at(field, i, j), b = sample_at(field, i + 1, j);
    tr_vec3 c = sample_at(field, i, j + 1), d = sample_at(field, i + 1, j + 1);
    tr_vec3 slope = slope_of(a, b, d);
    tr_triangle *t = &out->triangle[out->triangle_count];
    out->triangle_count += 2;
    if (triangles) {
        t[0] = (tr_triangle){{a, b, d}, normal_of(a, b, d)};
        t[1] = (tr_triangle){{a, d, c}, normal_of(a, d, c)};
    }
    if (j > 0)
        add_ridge(slope, a, b, sample_at(field, i, j - 1), out);
    if (i + 2 < field->columns)
        add_ridge(slope, b, d, sample_at(field, i + 2, j + 1), out);
    add_ridge(slope, d, a, c, out);
}

static bool cell_reaches(const tr_heights *field, int i, int j, double low) {
    return height_at(field, i, j) >= low || height_at(field, i + 1, j) >= low ||
           height_at(field, i, j + 1) >= low || height_at(field, i + 1, j + 1) >= low;
}

void tr_heights_gather(const tr_heights *field, const double low[3], const double high[3],
                       bool triangles, tr_patch *out) {
    enum { MOST = 11 }; /* cells along an axis: 2 * 11 * 11 triangles fit */
    double s = field->spacing, near = 1e-6;
    int i[2], j[2];
    if (low[2] > (double)field->highest ||
        !cells_between(low[0] - near, high[0] + near, field->x0, s, field->columns - 1, MOST, i) ||
        !cells_between(low[1] - near, high[1] + near, field->y0, s, field->rows - 1, MOST, j))
        return;
    for (int y = j[0]; y <= j[1]; y++)
        for (int x = i[0]; x <= i[1]; x++)
            if (cell_reaches(field, x, y, low[2]))
                add_cell(field, x, y, triangles, out);
}
