#include "motion/measure/soles.h"

#include "motion/poses/poses.h"

#include <math.h>
#include <stdlib.h>

/* The lowest point of a geom, world. */
static tr_vec3 lowest_point(const tr_geom *geom, const tr_body_state *body, tr_vec3 origin) {
    tr_quat rot = tr_quat_mul(body->rot, geom->rot);
    tr_vec3 down = tr_quat_rotate_inverse(rot, tr_vec3_make(0, 0, -1)), local = {0};
    if (geom->kind == TR_GEOM_BOX)
        local = tr_vec3_make(copysign(geom->size.x, down.x), copysign(geom->size.y, down.y),
                             copysign(geom->size.z, down.z));
    else if (geom->kind == TR_GEOM_CAPSULE)
        local = tr_vec3_make(0, 0, copysign(geom->size.y, down.z));
    tr_vec3 point = tr_vec3_add(origin, tr_quat_rotate(body->rot, geom->pos));
    point = tr_vec3_add(point, tr_quat_rotate(rot, local));
    if (geom->kind != TR_GEOM_BOX)
        point.z -= geom->size.x;
    return point;
}

/* Takes over the geom's lowest point when it is lower than the sole's so far. */
static void lower_sole(tr_sole *sole, const tr_geom *geom, const tr_body_state *body,
                       tr_vec3 origin) {
    tr_vec3 point = lowest_point(geom, body, origin);
    if (point.z >= sole->height)
        return;
    tr_vec3 arm = tr_vec3_sub(point, body->com_pos);
    tr_vec3 v = tr_vec3_add(body->com_vel, tr_vec3_cross(body->omega, arm));
    *sole = (tr_sole){point.z, tr_vec3_length(v), hypot(v.x, v.y)};
}

static tr_soles measure(const tr_model *model, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    tr_soles s = {.side = {{.height = (double)INFINITY}, {.height = (double)INFINITY}},
                  .rest_low = (double)INFINITY};
    for (int i = 0; i < model->geom_count; i++) {
        const tr_geom *geom = &model->geom[i];
        int body = geom->body;
        tr_vec3 origin = tr_body_origin(model, body, &bodies[body]);
        bool is_rest = true;
        for (int side = 0; side < 2; side++) {
            int hand = model->hand[side];
            if (tr_model_is_of_foot(model, body, side))
                lower_sole(&s.side[side], geom, &bodies[body], origin);
            else if (body != hand && (hand < 0 || body != model->body[hand].parent))
                continue;
            is_rest = false;
        }
        if (is_rest)
            s.rest_low = fmin(s.rest_low, lowest_point(geom, &bodies[body], origin).z);
    }
    return s;
}

tr_soles *tr_soles_measure(const tr_model *model, const tr_motion *motion) {
    tr_soles *soles = calloc((size_t)motion->frame_count, sizeof *soles);
    for (int i = 0; soles && i < motion->frame_count; i++) {
        tr_pose before = tr_motion_frame(motion, i - 1), after = tr_motion_frame(motion, i + 1);
        tr_state state =
            tr_state_from_poses(model, &before, &motion->poses[i], &after, motion->dt_s);
        soles[i] = measure(model, &state);
    }
    return soles;
}

double tr_soles_fade(double x, double low, double high) {
    double u = fmin(fmax((high - x) / (high - low), 0), 1);
    return u * u * (3 - 2 * u);
}

double tr_sole_contact(const tr_sole *sole, double speed_mps) {
    double slide = 0.1 * speed_mps;
    return tr_soles_fade(sole->height, 0.03, 0.07) *
           tr_soles_fade(sole->speed, 0.2 + slide, 0.7 + 2 * slide);
}

double tr_soles_speed(const tr_motion *motion) {
    tr_vec3 begin = motion->poses[0].root_pos,
            end = motion->poses[motion->frame_count - 1].root_pos;
    return hypot(end.x - begin.x, end.y - begin.y) / (motion->dt_s * motion->frame_count);
}
