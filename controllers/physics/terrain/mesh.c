#include "physics/terrain/mesh.h"

#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float PLACE_MAX_M = 1e5F;
enum { LEAF_TRIANGLES = 4, DEPTH_MAX = 64 };

/* A box around triangles order[first] to order[first + count - 1]; an inner one has its halves at
 * `half` and, directly after itself, the other. */
typedef struct node {
    float low[3], high[3];
    int first, count;
    int half; /* 0: a leaf */
} node;

struct tr_mesh {
    int vertex_count, triangle_count, node_count;
    float *vertex;     /* [vertex_count][3] */
    uint32_t *index;   /* [triangle_count][3] */
    int32_t *opposite; /* [triangle_count][3]: the vertex across edge k, -1 for none */
    int32_t *order;    /* triangles by leaves */
    node *nodes;       /* [node_count] */
};

static tr_vec3 vertex_at(const tr_mesh *mesh, uint32_t v) {
    const float *p = mesh->vertex + 3 * (size_t)v;
    return (tr_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static tr_vec3 area_vector(const tr_vec3 corner[3]) {
    return tr_vec3_cross(tr_vec3_sub(corner[1], corner[0]), tr_vec3_sub(corner[2], corner[0]));
}

static void corners_of(const tr_mesh *mesh, int t, tr_vec3 out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = vertex_at(mesh, mesh->index[3 * (size_t)t + (size_t)k]);
}

static bool has_area(const tr_mesh *mesh, int t) {
    tr_vec3 corner[3];
    corners_of(mesh, t, corner);
    return tr_vec3_length(area_vector(corner)) > 1e-10;
}

/* --- making --- */

static bool usable(const tr_mesh_def *def) {
    if (def->vertex_count < 3 || def->vertex_count > TR_SURFACE_VERTICES_MAX ||
        def->triangle_count < 1 || def->triangle_count > TR_SURFACE_TRIANGLES_MAX)
        return false;
    for (int i = 0; i < 3 * def->vertex_count; i++)
        if (!(fabsf(def->vertex[i]) <= PLACE_MAX_M))
            return false;
    for (int i = 0; i < 3 * def->triangle_count; i++)
        if (def->index[i] >= (uint32_t)def->vertex_count)
            return false;
    return true;
}

/* An edge of a triangle by its vertices, the lower first, to find what shares it. */
typedef struct edge {
    uint32_t low, high;
    int32_t triangle, k;
} edge;

static int compare_edges(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->triangle != b->triangle ? (a->triangle < b->triangle ? -1 : 1) : a->k - b->k;
}

static edge edge_of(const tr_mesh *mesh, int t, int k) {
    uint32_t a = mesh->index[3 * t + k], b = mesh->index[3 * t + (k + 1) % 3];
    return (edge){a < b ? a : b, a < b ? b : a, t, k};
}

/* Each edge belongs to the first of its triangles, which stores the third vertex of the second. The
 * others get -2: the edge belongs to another triangle. */
static bool join_edges(tr_mesh *mesh) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    edge *edges = malloc(count * sizeof *edges);
    if (!edges)
        return false;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            edges[3 * t + k] = edge_of(mesh, t, k);
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count; i++) {
        const edge *e = &edges[i];
        bool first = i == 0 || edges[i - 1].low != e->low || edges[i - 1].high != e->high;
        bool shared = i + 1 < count && edges[i + 1].low == e->low && edges[i + 1].high == e->high;
        int32_t opposite = first ? -1 : -2;
        if (first && shared) {
            const edge *other = &edges[i + 1];
            opposite = (int32_t)mesh->index[3 * other->triangle + (other->k + 2) % 3];
        }
        mesh->opposite[3 * e->triangle + e->k] = opposite;
    }
    free(edges);
    return true;
}

static void bound(const tr_mesh *mesh, node *n) {
    for (int k = 0; k < 3; k++) {
        n->low[k] = INFINITY;
        n->high[k] = -INFINITY;
    }
    for (int i = n->first; i < n->first + n->count; i++)
        for (int c = 0; c < 3; c++) {
            const float *p = mesh->vertex + 3 * (size_t)mesh->index[3 * mesh->order[i] + c];
            for (int k = 0; k < 3; k++) {
                n->low[k] = fminf(n->low[k], p[k]);
                n->high[k] = fmaxf(n->high[k], p[k]);
            }
        }
}

static float middle(const tr_mesh *mesh, int t, int axis) {
    const uint32_t *v = mesh->index + 3 * (size_t)t;
    return mesh->vertex[3 * v[0] + (uint32_t)axis] + mesh->vertex[3 * v[1] + (uint32_t)axis] +
           mesh->vertex[3 * v[2] + (uint32_t)axis];
}

/* A triangle on its way through the sort of a node. */
typedef struct placed {
    float at;
    int32_t triangle;
} placed;

static int compare_placed(const void *left, const void *right) {
    const placed *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Sorts the triangles of a node along its longest side. */
static void sort_node(tr_mesh *mesh, const node *n, placed *room) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (n->high[k] - n->low[k] > n->high[axis] - n->low[axis])
            axis = k;
    for (int i = 0; i < n->count; i++)
        room[i] =
            (placed){middle(mesh, mesh->order[n->first + i], axis), mesh->order[n->first + i]};
    qsort(room, (size_t)n->count, sizeof *room, compare_placed);
    for (int i = 0; i < n->count; i++)
        mesh->order[n->first + i] = room[i].triangle;
}

/* Depth at most log2 of the triangles: nodes are halved by number. */
static void build_node(tr_mesh *mesh, int first, int count, placed *room) {
    int at = mesh->node_count++;
    node *n = &mesh->nodes[at];
    *n = (node){.first = first, .count = count};
    bound(mesh, n);
    if (count <= LEAF_TRIANGLES)
        return;
    sort_node(mesh, n, room);
    build_node(mesh, first, count / 2, room);
    n->half = mesh->node_count;
    build_node(mesh, first + count / 2, count - count / 2, room);
}

static bool build_tree(tr_mesh *mesh) {
    placed *room = malloc((size_t)mesh->triangle_count * sizeof *room);
    if (!room)
        return false;
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count; t++)
        if (has_area(mesh, t))
            mesh->order[kept++] = t;
    if (kept > 0)
        build_node(mesh, 0, kept, room);
    free(room);
    return true;
}

void tr_mesh_destroy(tr_mesh *mesh) {
    if (!mesh)
        return;
    free(mesh->vertex);
    free(mesh->index);
    free(mesh->opposite);
    free(mesh->order);
    free(mesh->nodes);
    free(mesh);
}

tr_status tr_mesh_create(const tr_mesh_def *def, tr_mesh **out) {
    if (!usable(def))
        return TR_INVALID_ARGUMENT;
    tr_mesh *mesh = calloc(1, sizeof *mesh);
    if (!mesh)
        return TR_RESOURCE_EXHAUSTED;
    size_t vertices = 3 * (size_t)def->vertex_count, corners = 3 * (size_t)def->triangle_count;
    mesh->vertex_count = def->vertex_count;
    mesh->triangle_count = def->triangle_count;
    mesh->vertex = malloc(vertices * sizeof(float));
    mesh->index = malloc(corners * sizeof(uint32_t));
    mesh->opposite = malloc(corners * sizeof(int32_t));
    mesh->order = malloc((size_t)def->triangle_count * sizeof(int32_t));
    mesh->nodes = malloc(2 * (size_t)def->triangle_count * sizeof(node));
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (mesh->vertex && mesh->index && mesh->opposite && mesh->order && mesh->nodes) {
        memcpy(mesh->vertex, def->vertex, vertices * sizeof(float));
        memcpy(mesh->index, def->index, corners * sizeof(uint32_t));
        if (join_edges(mesh) && build_tree(mesh))
            status = mesh->node_count > 0 ? TR_OK : TR_INVALID_ARGUMENT;
    }
    return TR_GIVE(status, mesh, tr_mesh_destroy, out);
}

uint64_t tr_mesh_hash(const tr_mesh *mesh) {
    uint64_t hash = tr_hash_add(TR_HASH_START, "mesh", 4);
    hash = tr_hash_add(hash, &mesh->vertex_count, sizeof mesh->vertex_count);
    hash = tr_hash_add(hash, &mesh->triangle_count, sizeof mesh->triangle_count);
    hash = tr_hash_add(hash, mesh->vertex, 3 * (size_t)mesh->vertex_count * sizeof(float));
    return tr_hash_add(hash, mesh->index, 3 * (size_t)mesh->triangle_count * sizeof(uint32_t));
}

tr_mesh_def tr_mesh_definition(const tr_mesh *mesh) {
    return (tr_mesh_def){mesh->vertex_count, mesh->triangle_count, mesh->vertex, mesh->index};
}

void tr_mesh_bounds(const tr_mesh *mesh, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = (double)mesh->nodes[0].low[k];
        high[k] = (double)mesh->nodes[0].high[k];
    }
}

/* --- looking --- */

/* A line, and how near to a box it meets the box. */
typedef struct line {
    double point[3], along[3], margin;
} line;

/* A walk through the leaves that meet a box or a line. */
typedef struct walk {
    const tr_mesh *mesh;
    const double *low, *high; /* of the box */
    const line *line;         /* NULL: it is a box */
    int *looks;               /* at boxes and triangles that are left; below 0: it ended early */
    int stack[DEPTH_MAX], waiting;
    int next, end; /* of the present leaf, in `order` */
} walk;

static bool boxes_overlap(const float *low_a, const float *high_a, const double *low,
                          const double *high) {
    for (int k = 0; k < 3; k++)
        if ((double)low_a[k] > high[k] || (double)high_a[k] < low[k])
            return false;
    return true;
}

static bool line_meets_box(const line *by, const float *low, const float *high) {
    double from = -INFINITY, to = INFINITY;
    for (int k = 0; k < 3; k++) {
        double a = (double)low[k] - by->margin - by->point[k];
        double b = (double)high[k] + by->margin - by->point[k];
        if (by->along[k] == 0) {
            if (a > 0 || b < 0)
                return false;
            continue;
        }
        a /= by->along[k];
        b /= by->along[k];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return from <= to;
}

static bool meets_node(const walk *w, const node *n) {
    return w->line ? line_meets_box(w->line, n->low, n->high)
                   : boxes_overlap(n->low, n->high, w->low, w->high);
}

/* The next triangle; -1: no more, or no looks are left. */
static int next_triangle(walk *w) {
    if (--*w->looks < 0)
        return -1;
    while (w->next == w->end) {
        if (w->waiting == 0 || --*w->looks < 0)
            return -1;
        int at = w->stack[--w->waiting];
        const node *n = &w->mesh->nodes[at];
        if (!meets_node(w, n))
            continue;
        if (n->half) {
            w->stack[w->waiting++] = n->half;
            w->stack[w->waiting++] = at + 1;
        } else {
            w->next = n->first;
            w->end = n->first + n->count;
        }
    }
    return w->mesh->order[w->next++];
}

static bool triangle_meets(const tr_vec3 c[3], const double *low, const double *high) {
    double p[3][3] = {{c[0].x, c[0].y, c[0].z}, {c[1].x, c[1].y, c[1].z}, {c[2].x, c[2].y, c[2].z}};
    for (int k = 0; k < 3; k++)
        if (fmin(p[0][k], fmin(p[1][k], p[2][k])) > high[k] ||
            fmax(p[0][k], fmax(p[1][k], p[2][k])) < low[k])
            return false;
    return true;
}

/* The edges that belong to a triangle and are ridges: both sides fall away from them. */
static void add_ridges(const tr_mesh *mesh, int t, const tr_triangle *triangle, tr_patch *out) {
    for (int k = 0; k < 3; k++) {
        int32_t opposite = mesh->opposite[3 * t + k];
        if (opposite == -2 || out->ridge_count == TR_PATCH_RIDGES)
            continue;
        tr_ridge ridge = {triangle->corner[k], triangle->corner[(k + 1) % 3], triangle->normal};
        if (opposite >= 0) {
            tr_vec3 third = vertex_at(mesh, (uint32_t)opposite);
            if (tr_vec3_dot(triangle->normal, tr_vec3_sub(third, ridge.from)) > -1e-6)
                continue;
            tr_vec3 other = area_vector((tr_vec3[3]){ridge.to, ridge.from, third});
            ridge.out = tr_vec3_add(ridge.out, tr_vec3_normalize_or(other, triangle->normal));
        }
        out->ridge[out->ridge_count++] = ridge;
    }
}

void tr_mesh_gather(const tr_mesh *mesh, const double low[3], const double high[3], tr_patch *out,
                    int *looks) { /* NOLINT(readability-non-const-parameter) */
    walk w = {.mesh = mesh, .low = low, .high = high, .looks = looks, .waiting = 1};
    for (int t; out->triangle_count < TR_PATCH_TRIANGLES && (t = next_triangle(&w)) >= 0;) {
        tr_triangle *triangle = &out->triangle[out->triangle_count];
        corners_of(mesh, t, triangle->corner);
        if (!triangle_meets(triangle->corner, low, high))
            continue;
        tr_vec3 n = area_vector(triangle->corner);
        triangle->normal = tr_vec3_normalize_or(n, n);
        out->triangle_count++;
        add_ridges(mesh, t, triangle, out);
    }
}

/* Whether the line through `point` along the normal goes through the triangle. */
static bool covers(const tr_triangle *t, tr_vec3 point) {
    for (int k = 0; k < 3; k++) {
        tr_vec3 side = tr_vec3_sub(t->corner[(k + 1) % 3], t->corner[k]);
        tr_vec3 inward = tr_vec3_cross(t->normal, side);
        if (tr_vec3_dot(inward, tr_vec3_sub(point, t->corner[k])) < -1e-9)
            return false;
    }
    return true;
}

/* Is the point behind the nearest of the triangles that cover it? */
bool tr_mesh_holds(const tr_patch *patch, tr_vec3 point, double reach, double *out_depth,
                   tr_vec3 *out_normal) {
    double least = reach;
    bool found = false;
    for (int i = 0; i < patch->triangle_count; i++) {
        const tr_triangle *t = &patch->triangle[i];
        double depth = tr_vec3_dot(t->normal, tr_vec3_sub(t->corner[0], point));
        if (depth <= 0 || depth >= least || !covers(t, point))
            continue;
        least = *out_depth = depth;
        *out_normal = t->normal;
        found = true;
    }
    return found;
}

/* Where the line point + s up meets the triangle. False: it misses, or runs along it. */
static bool line_meets(const tr_vec3 c[3], tr_vec3 point, tr_vec3 up, double *out_s) {
    tr_vec3 e1 = tr_vec3_sub(c[1], c[0]), e2 = tr_vec3_sub(c[2], c[0]);
    tr_vec3 p = tr_vec3_cross(up, e2), from = tr_vec3_sub(point, c[0]);
    double det = tr_vec3_dot(e1, p);
    if (fabs(det) < 1e-12)
        return false;
    tr_vec3 q = tr_vec3_cross(from, e1);
    double u = tr_vec3_dot(from, p) / det, v = tr_vec3_dot(up, q) / det;
    *out_s = tr_vec3_dot(e2, q) / det;
    return u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9;
}

/* The line through a point. The margin is more than by what `line_meets` lets one miss a
 * triangle. */
static line line_through(const tr_mesh *mesh, tr_vec3 point, tr_vec3 up) {
    line out = {{point.x, point.y, point.z}, {0, 0, 1}, 0};
    if (fabs(up.z) >= 1 - 1e-12)
        return out;
    double low[3], high[3];
    tr_mesh_bounds(mesh, low, high);
    for (int k = 0; k < 3; k++)
        out.margin = fmax(out.margin, 1e-8 * (high[k] - low[k]));
    out.along[0] = up.x;
    out.along[1] = up.y;
    out.along[2] = up.z;
    return out;
}

/* What a vertical line through a point meets. Distances from the point, upwards. */
typedef struct crossings {
    double floor, cellar; /* nearest below that faces up, and down; -INFINITY: none */
    double roof, ceiling; /* nearest above that faces up, and down; INFINITY: none */
    tr_vec3 floor_normal, roof_normal;
} crossings;

static void note_crossing(crossings *c, double s, tr_vec3 normal, tr_vec3 up) {
    bool faces_up = tr_vec3_dot(normal, up) > 0;
    if (!faces_up && s <= 0) {
        c->cellar = fmax(c->cellar, s);
    } else if (!faces_up) {
        c->ceiling = fmin(c->ceiling, s);
    } else if (s <= 0 && s > c->floor) {
        c->floor = s;
        c->floor_normal = normal;
    } else if (s > 0 && s < c->roof) {
        c->roof = s;
        c->roof_normal = normal;
    }
}

/* In the open, the floor below. Inside a solid (the next face below faces down or is missing, and
 * the next above faces up), the face above. */
bool tr_mesh_under(const tr_mesh *mesh, tr_vec3 point, tr_vec3 up,
                   int *looks, /* NOLINT(readability-non-const-parameter) */
                   double *out_above, tr_vec3 *out_normal) {
    crossings c = {-INFINITY, -INFINITY, INFINITY, INFINITY, up, up};
    line upright = line_through(mesh, point, up);
    walk w = {.mesh = mesh, .line = &upright, .looks = looks, .waiting = 1};
    for (int t; (t = next_triangle(&w)) >= 0;) {
        tr_vec3 corner[3];
        double s;
        corners_of(mesh, t, corner);
        if (line_meets(corner, point, up, &s))
            note_crossing(&c, s, area_vector(corner), up);
    }
    bool inside = c.roof < c.ceiling && !(c.floor > c.cellar);
    if (!inside && !isfinite(c.floor))
        return false;
    tr_vec3 normal = inside ? c.roof_normal : c.floor_normal;
    *out_above = inside ? c.roof : c.floor;
    if (out_normal)
        *out_normal = tr_vec3_normalize_or(normal, up);
    return true;
}
