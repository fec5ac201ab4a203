#include "control/latent/strike.h"

#include "control/latent/pose_constraint.h"
#include "control/latent/spring.h"

#include <math.h>

/* Distances between which the constraint begins to hold, m; the spring's rate, 1/s; an offset that
 * counts as none, m. */
static const double FAR_M = 0.5, NEAR_M = 0.2, SPRING = 25, LEAST_M = 1e-4;

tr_goal tr_strike_goal(tr_vec3 point, const tr_pose_place *place) {
    tr_vec3 off = {point.x - place->x, point.y - place->y, 0};
    off = tr_vec3_to_heading(off, place->heading_rad);
    return (tr_goal){{tr_atan2(off.y, off.x), sqrt(off.x * off.x + off.y * off.y)}};
}

/* Returns the part of the way to the point that the constraint asks for: none at FAR_M, all at
 * NEAR_M. */
static tr_vec3 wanted_offset(tr_vec3 at, const tr_vec3 *point) {
    if (!point)
        return (tr_vec3){0, 0, 0};
    tr_vec3 way = tr_vec3_sub(*point, at);
    double x = fmin(fmax((FAR_M - tr_vec3_length(way)) / (FAR_M - NEAR_M), 0), 1);
    return tr_vec3_scale(way, x * x * (3 - 2 * x));
}

void tr_strike_step(tr_strike *strike, const tr_model *model, int body, const tr_vec3 *point,
                    double dt_s, tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    tr_vec3 at = bodies[body].com_pos, wanted = wanted_offset(at, point);
    tr_vec3 off = tr_vec3_sub(strike->offset, wanted);
    tr_spring_rest(&off, &strike->rate, SPRING, dt_s);
    strike->offset = tr_vec3_add(wanted, off);
    if (tr_vec3_length(strike->offset) < LEAST_M)
        return;
    const tr_pose_constraint c = {
        .body = body, .point = model->body[body].com, .target = tr_vec3_add(at, strike->offset)};
    (void)tr_pose_constrain(model, &c, 1, pose);
}
