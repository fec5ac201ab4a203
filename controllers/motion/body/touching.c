/* Each geom is filled with spheres, and each sphere is held against the other geom. */
#include "motion/body/touching.h"

#include "model/model_build.h"
#include "model/state.h"

#include <math.h>

enum { STEPS = 4 }; /* of spheres along a side */

/* A geom in the world. */
typedef struct solid {
    const tr_geom *geom;
    tr_vec3 pos;
    tr_quat rot;
} solid;

/* How far a point is outside; negative: inside. */
static double distance(const solid *s, tr_vec3 point) {
    tr_vec3 p = tr_quat_rotate_inverse(s->rot, tr_vec3_sub(point, s->pos));
    const tr_vec3 size = s->geom->size;
    if (s->geom->kind == TR_GEOM_BOX) {
        tr_vec3 d = {fabs(p.x) - size.x, fabs(p.y) - size.y, fabs(p.z) - size.z};
        tr_vec3 out = {fmax(d.x, 0), fmax(d.y, 0), fmax(d.z, 0)};
        return tr_vec3_length(out) + fmin(fmax(d.x, fmax(d.y, d.z)), 0);
    }
    double half = s->geom->kind == TR_GEOM_SPHERE ? 0 : size.y;
    p.z -= fmin(fmax(p.z, -half), half);
    return tr_vec3_length(p) - size.x;
}

static double share(int i) {
    return 2.0 * i / STEPS - 1;
}

/* Spheres of a box touch its faces from within; those of a limb lie along its axis. */
static bool touches(const solid *a, const solid *b, double margin) {
    const tr_vec3 size = a->geom->size;
    bool box = a->geom->kind == TR_GEOM_BOX, round = a->geom->kind == TR_GEOM_SPHERE;
    double r = box ? fmin(size.x, fmin(size.y, size.z)) : size.x;
    tr_vec3 reach = box     ? tr_vec3_make(size.x - r, size.y - r, size.z - r)
                    : round ? (tr_vec3){0}
                            : tr_vec3_make(0, 0, size.y);
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= STEPS; j++)
            for (int k = 0; k <= STEPS; k++) {
                tr_vec3 at = {reach.x * share(i), reach.y * share(j), reach.z * share(k)};
                tr_vec3 point = tr_vec3_add(a->pos, tr_quat_rotate(a->rot, at));
                if (distance(b, point) < r + margin)
                    return true;
            }
    return false;
}

int tr_exclude_touching(tr_model *model) {
    static const double margin_m = 0.005;
    tr_pose pose = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    solid solids[TR_GEOM_MAX];
    int count = 0;
    tr_pose_forward(model, &pose, bodies);
    for (int i = 0; i < model->geom_count; i++) {
        const tr_geom *geom = &model->geom[i];
        const tr_body_state *body = &bodies[geom->body];
        tr_vec3 origin = tr_body_origin(model, geom->body, body);
        solids[i] = (solid){geom, tr_vec3_add(origin, tr_quat_rotate(body->rot, geom->pos)),
                            tr_quat_mul(body->rot, geom->rot)};
    }
    for (int i = 0; i < model->geom_count; i++)
        for (int j = i + 1; j < model->geom_count; j++) {
            int a = solids[i].geom->body, b = solids[j].geom->body;
            bool done = a == b || (model->exclude[a] >> b & 1) || model->body[b].parent == a ||
                        model->body[a].parent == b;
            if (!done && (touches(&solids[i], &solids[j], margin_m) ||
                          touches(&solids[j], &solids[i], margin_m))) {
                tr_model_exclude(model, a, b);
                count++;
            }
        }
    return count;
}
