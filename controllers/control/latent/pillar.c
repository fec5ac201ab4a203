#include "control/latent/pillar.h"

#include <math.h>
#include <stdbool.h>

/* Rounds of linearisation, and how much further out each of them aims, m. */
enum { ROUNDS = 30, HANDS = 2 };
static const double MARGIN_M = 2e-3;

/* A shape as a capsule: its axis from `a` to `b`, world, and its radius, m. */
typedef struct rod {
    tr_vec3 a, b;
    double radius;
} rod;

static rod rod_of(const tr_model *model, const tr_geom *geom, const tr_body_state *body) {
    const tr_vec3 s = geom->size;
    tr_vec3 half = {0, 0, 0};
    double radius = s.x;
    if (geom->kind == TR_GEOM_CAPSULE || geom->kind == TR_GEOM_CYLINDER)
        half.z = s.y;
    if (geom->kind == TR_GEOM_BOX) {
        const double most = fmax(s.x, fmax(s.y, s.z));
        half = (tr_vec3){s.x == most ? most : 0, s.x < most && s.y == most ? most : 0,
                         s.x < most && s.y < most ? most : 0};
        radius = sqrt(s.x * s.x + s.y * s.y + s.z * s.z - most * most);
    }
    const tr_vec3 way = tr_quat_rotate(geom->rot, half);
    return (rod){tr_body_point(model, geom->body, tr_vec3_sub(geom->pos, way), body),
                 tr_body_point(model, geom->body, tr_vec3_add(geom->pos, way), body), radius};
}

/* A shape within the pillar: its body, the point of its axis nearest to the pillar's, the way out. */
typedef struct touch {
    int body;
    tr_vec3 at, out;
    double depth;
} touch;

static touch touch_of(const tr_pillar *pillar, const rod *r) {
    const tr_vec3 axis = {pillar->x, pillar->y, 0}, way = tr_vec3_sub(r->b, r->a),
                  off = tr_vec3_sub(axis, r->a);
    const double square = way.x * way.x + way.y * way.y;
    const double share =
        square > 0 ? fmin(fmax((way.x * off.x + way.y * off.y) / square, 0), 1) : 0;
    touch t = {.at = tr_vec3_add_scaled(r->a, share, way)};
    t.out = (tr_vec3){t.at.x - axis.x, t.at.y - axis.y, 0};
    const double far = tr_vec3_length(t.out);
    /* An axis through the middle of the pillar has no nearest way out: any will do. */
    t.out = far > 1e-9 ? tr_vec3_scale(t.out, 1 / far) : (tr_vec3){1, 0, 0};
    t.depth = pillar->radius_m + r->radius - far;
    return t;
}

static bool is_of_arms(const tr_model *model, int body) {
    for (int side = 0; side < HANDS; side++)
        for (int b = model->hand[side]; b > 0 && b != model->trunk; b = model->body[b].parent)
            if (b == body)
                return true;
    return false;
}

/* Finds the shapes of the arms within the pillar, at most TR_POSE_CONSTRAINT_MAX; returns their
 * number. */
static int find_touches(const tr_model *model, const tr_pillar *pillar, const tr_body_state *bodies,
                        touch *out) {
    int count = 0;
    for (int g = 0; g < model->geom_count && count < TR_POSE_CONSTRAINT_MAX; g++) {
        const tr_geom *geom = &model->geom[g];
        if (!is_of_arms(model, geom->body))
            continue;
        const rod r = rod_of(model, geom, &bodies[geom->body]);
        touch t = touch_of(pillar, &r);
        t.body = geom->body;
        if (t.depth > 0)
            out[count++] = t;
    }
    return count;
}

static double deepest(const touch *t, int count) {
    double depth = 0;
    for (int i = 0; i < count; i++)
        depth = fmax(depth, t[i].depth);
    return depth;
}

/* Returns the point of a body that is at a place. */
static tr_vec3 point_at(const tr_model *model, int body, const tr_body_state *state,
                        tr_vec3 place) {
    const tr_vec3 origin = tr_body_origin(model, body, state);
    return tr_quat_rotate_inverse(state->rot, tr_vec3_sub(place, origin));
}

double tr_pillar_avoid(const tr_model *model, const tr_pillar *pillar, tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    touch t[TR_POSE_CONSTRAINT_MAX];
    tr_pose_constraint c[TR_POSE_CONSTRAINT_MAX];
    for (int round = 0;; round++) {
        tr_pose_forward(model, pose, bodies);
        const int count = find_touches(model, pillar, bodies, t);
        if (round == ROUNDS || count == 0)
            return deepest(t, count);
        for (int i = 0; i < count; i++)
            c[i] = (tr_pose_constraint){
                .body = t[i].body,
                .base = model->trunk < 0 ? 0 : model->trunk,
                .point = point_at(model, t[i].body, &bodies[t[i].body], t[i].at),
                .target = tr_vec3_add_scaled(t[i].at, t[i].depth + MARGIN_M, t[i].out),
                .normal = t[i].out};
        (void)tr_pose_constrain(model, c, count, pose);
    }
}
