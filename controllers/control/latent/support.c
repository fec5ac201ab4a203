#include "control/latent/support.h"

#include "model/inertia.h"

#include <math.h>
#include <stdbool.h>

/* A sole shorter than this has one point, m. */
static const double SHORT_M = 0.05;

static int add_body(int *out, int count, int body) {
    if (body >= 0 && count < TR_SUPPORT_MAX)
        out[count++] = body;
    return count;
}

int tr_support_bodies(const tr_model *model, int out[static TR_SUPPORT_MAX]) {
    int count = 0;
    for (int side = 0; side < 2; side++) {
        count = add_body(out, count, model->foot[side]);
        count = add_body(out, count, model->toe[side]);
    }
    return count;
}

/* The box about a body's shapes in the body's frame, with the body turned as at rest. */
typedef struct extent {
    tr_vec3 low, high;
} extent;

/* Returns the half extent of a shape along an axis of the body. */
static double half_extent(const tr_geom *geom, tr_vec3 axis) {
    return tr_geom_half_extent(geom, tr_quat_rotate_inverse(geom->rot, axis));
}

static extent extent_of(const tr_model *model, int body) {
    const double far = (double)INFINITY;
    extent e = {{far, far, far}, {-far, -far, -far}};
    for (int i = 0; i < model->geom_count; i++) {
        const tr_geom *g = &model->geom[i];
        if (g->body != body)
            continue;
        tr_vec3 half = {half_extent(g, (tr_vec3){1, 0, 0}), half_extent(g, (tr_vec3){0, 1, 0}),
                        half_extent(g, (tr_vec3){0, 0, 1})};
        tr_vec3 low = tr_vec3_sub(g->pos, half), high = tr_vec3_add(g->pos, half);
        e.low = (tr_vec3){fmin(e.low.x, low.x), fmin(e.low.y, low.y), fmin(e.low.z, low.z)};
        e.high = (tr_vec3){fmax(e.high.x, high.x), fmax(e.high.y, high.y), fmax(e.high.z, high.z)};
    }
    return e;
}

static bool contains(const int *bodies, int count, int body) {
    for (int i = 0; i < count; i++)
        if (bodies[i] == body)
            return true;
    return false;
}

/* Finds the ends of the sole, at its lowest level and along its longer axis. Returns their
 * number. */
static int find_ends(const extent *e, tr_vec3 out[2]) {
    double length = e->high.x - e->low.x, width = e->high.y - e->low.y;
    tr_vec3 middle = {0.5 * (e->low.x + e->high.x), 0.5 * (e->low.y + e->high.y), e->low.z};
    out[0] = out[1] = middle;
    if (fmax(length, width) < SHORT_M)
        return 1;
    if (length >= width) {
        out[0].x = e->low.x;
        out[1].x = e->high.x;
    } else {
        out[0].y = e->low.y;
        out[1].y = e->high.y;
    }
    return 2;
}

int tr_support_find(const tr_model *model, const int *bodies, int count,
                    tr_support out[static TR_SUPPORT_MAX]) {
    int found = 0, feet = 0, foot_of[TR_BODY_MAX] = {0};
    for (int i = 0; i < count; i++) {
        int body = bodies[i], parent = model->body[body].parent;
        bool is_toe = contains(bodies, i, parent);
        extent e = extent_of(model, body);
        if (!isfinite(e.low.z))
            continue;
        foot_of[body] = is_toe ? foot_of[parent] : feet++;
        tr_vec3 ends[2];
        int first = 0, last = find_ends(&e, ends) - 1;
        /* A toe stands on its far end alone. */
        if (is_toe && last == 1)
            first = last = tr_vec3_length(ends[1]) > tr_vec3_length(ends[0]);
        for (int k = first; k <= last && found < TR_SUPPORT_MAX; k++)
            out[found++] = (tr_support){body, foot_of[body], ends[k]};
    }
    return found;
}

tr_vec3 tr_support_position(const tr_model *model, const tr_support *support,
                            const tr_body_state *bodies) {
    return tr_body_point(model, support->body, support->point, &bodies[support->body]);
}

tr_vec3 tr_support_velocity(const tr_model *model, const tr_support *support,
                            const tr_body_state *bodies) {
    const tr_body_state *b = &bodies[support->body];
    tr_vec3 from_com = tr_vec3_sub(support->point, model->body[support->body].com);
    return tr_vec3_add(b->com_vel, tr_vec3_cross(b->omega, tr_quat_rotate(b->rot, from_com)));
}
