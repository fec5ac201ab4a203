#include "control/torque/ball/ball_scene.h"

#include "math/elementary.h"
#include "physics/spatial/dynamics.h"

#include <math.h>

static const double REACHED_M = 1e-3;
static const double STEEPEST = 0.8; /* of the radius: how far from the top a place may be */

tr_vec3 tr_ball_scene_world(const tr_ball_scene *scene, tr_vec3 along) {
    return tr_vec3_add_scaled(
        tr_vec3_add_scaled(tr_vec3_scale(scene->axis[0], along.x), along.y, scene->axis[1]),
        along.z, scene->axis[2]);
}

tr_vec3 tr_ball_surface(double radius_m, tr_vec3 place) {
    /* Farther from the top the ball is too steep: such places are moved nearer. */
    const double off = sqrt(place.x * place.x + place.y * place.y), most = STEEPEST * radius_m;
    const double share = off > most ? most / off : 1;
    const double x = place.x * share, y = place.y * share;
    return (tr_vec3){x, y, sqrt(radius_m * radius_m - x * x - y * y)};
}

tr_foot_sole tr_ball_sole_of(const tr_model *model, int side) {
    tr_foot_sole sole = tr_foot_sole_of(model, side);
    const int foot = model->foot[side], toe = model->toe[side];
    /* The sole ends at the joint of the toes. */
    if (toe >= 0 && model->body[toe].parent == foot)
        sole.high.x = fmin(sole.high.x, model->body[toe].pos.x);
    return sole;
}

/* --- feet --- */

static const double LEAST_EDGE_M = 1e-6; /* of a foot that stands upright */

/* Returns the part of `from` along an edge, at most to `margin` before its end. */
static tr_vec3 along_edge(tr_vec3 from, tr_vec3 edge, double margin) {
    const double length = fmax(LEAST_EDGE_M, sqrt(edge.x * edge.x + edge.y * edge.y));
    const double part = (from.x * edge.x + from.y * edge.y) / length;
    return tr_vec3_scale(edge, tr_within(part, fmax(0, length / 2 - margin)) / length);
}

tr_vec3 tr_ball_foot_nearest(const tr_ball_foot *foot, tr_vec3 place, double margin_m) {
    const tr_vec3 from = tr_vec3_sub(place, foot->middle);
    const tr_vec3 x = tr_vec3_sub(foot->corner[1], foot->corner[0]);
    const tr_vec3 y = tr_vec3_sub(foot->corner[2], foot->corner[0]);
    return tr_vec3_add(foot->middle,
                       tr_vec3_add(along_edge(from, x, margin_m), along_edge(from, y, margin_m)));
}

bool tr_ball_foot_reaches(const tr_ball_foot *foot, tr_vec3 place, double margin_m) {
    const tr_vec3 off = tr_vec3_sub(place, tr_ball_foot_nearest(foot, place, margin_m));
    return sqrt(off.x * off.x + off.y * off.y) < REACHED_M;
}

static tr_vec3 corner_of(const tr_foot_sole *sole, int index) {
    return (tr_vec3){index & 1 ? sole->high.x : sole->low.x, index & 2 ? sole->high.y : sole->low.y,
                     sole->low.z};
}

/* Returns the velocity of a point of a body, world. */
static tr_vec3 point_vel(const tr_dynamics *d, int body, tr_v4 from_centroid) {
    return tr_v4_to(d->velocity[body].lin + tr_v4_cross(d->velocity[body].ang, from_centroid));
}

static void look_at_foot(const tr_ball_scene_def *def, int side, const tr_ball_scene *scene,
                         tr_ball_foot *out) {
    const tr_dynamics *d = def->dynamics;
    const tr_model *model = d->model;
    const tr_foot_sole *sole = &def->sole[side];
    const int body = model->foot[side];
    const tr_body_state *state = &def->bodies[body];
    const tr_vec3 centre = def->ball->pos, origin = tr_body_origin(model, body, state);
    const tr_vec3 ball = tr_quat_rotate_inverse(state->rot, tr_vec3_sub(centre, origin));
    /* The point of the sole that is nearest to the middle of the ball. */
    const tr_vec3 touch = {fmax(sole->low.x, fmin(sole->high.x, ball.x)),
                           fmax(sole->low.y, fmin(sole->high.y, ball.y)), sole->low.z};
    const tr_vec3 touch_world = tr_body_point(model, body, touch, state);
    const tr_vec3 middle =
        tr_body_point(model, body, tr_vec3_lerp(sole->low, sole->high, 0.5), state);
    const tr_vec3 from_ball = tr_vec3_sub(touch_world, centre);
    const tr_vec3 surface_vel =
        tr_vec3_add(def->ball->vel, tr_vec3_cross(def->ball->omega, from_ball));
    const tr_v4 from_centroid = tr_v4_from(touch_world) - d->origin;
    const tr_vec3 middle_vel = point_vel(d, body, tr_v4_from(middle) - d->origin);
    out->body = body;
    out->middle = tr_vec3_along(scene->axis, tr_vec3_sub(middle, centre));
    out->middle_vel = tr_vec3_along(scene->axis, tr_vec3_sub(middle_vel, def->ball->vel));
    for (int k = 0; k < 4; k++)
        out->corner[k] = tr_vec3_along(
            scene->axis,
            tr_vec3_sub(tr_body_point(model, body, corner_of(sole, k), state), centre));
    out->touch = tr_vec3_along(scene->axis, from_ball);
    out->touch_from_centroid = tr_v4_to(from_centroid);
    out->slip =
        tr_vec3_along(scene->axis, tr_vec3_sub(point_vel(d, body, from_centroid), surface_vel));
    out->gap_m = tr_vec3_length(from_ball) - def->radius_m;
}

/* --- together --- */

void tr_ball_scene_look(const tr_ball_scene_def *def, tr_ball_scene *out) {
    const tr_dynamics *d = def->dynamics;
    const tr_quat turn = tr_quat_from_heading(def->heading_rad);
    const tr_vec3 vel = tr_vec3_scale(tr_v4_to(d->momentum.lin), 1 / d->model->mass);
    out->heading_rad = def->heading_rad;
    out->radius_m = def->radius_m;
    for (int k = 0; k < 3; k++)
        out->axis[k] = tr_quat_rotate(turn, (tr_vec3){k == 0, k == 1, k == 2});
    out->centroid = tr_vec3_along(out->axis, tr_vec3_sub(tr_v4_to(d->origin), def->ball->pos));
    out->centroid_vel = tr_vec3_along(out->axis, tr_vec3_sub(vel, def->ball->vel));
    out->roll = tr_vec3_along(out->axis, def->ball->vel);
    out->spin = tr_vec3_along(out->axis, def->ball->omega);
    out->momentum = tr_vec3_along(out->axis, tr_v4_to(d->momentum.ang));
    for (int side = 0; side < 2; side++)
        look_at_foot(def, side, out, &out->foot[side]);
}
