/* One step. Symbols as in momentum_step.c, relative to the middle of the ball: c is the centroid, p the
 * centre of pressure on the ball, f the force of the feet on the character and n its moment about c,
 * L and H linear and angular momentum, M and R mass and radius of the ball, w its angular velocity.
 *
 *   dL/dt = m g + f              dH/dt = n = (p - c) x f + (0, 0, t)       t: feet twist the ball
 *
 * The ball rolls on the ground without slip, about its lowest point q = (0, 0, -R). The feet act on
 * it by -f and -n, so
 *
 *   J w' = -(n + (c - q) x f),   J = diag(7/5, 7/5, 2/5) M R^2,     b'' = R (w'_y, -w'_x)
 *
 * exactly: the ground's force has no moment about q. Points x of soles that stand accelerate as the ball
 * does there, b'' + w' x x + w x (w x x).
 *
 * 1. The regulator (ball_regulator.h) asks for a pressure and for n about the horizontal axes. The
 *    pressure is moved into the soles that stand; what it lacks, n makes good, up to a bound. Soles touch the
 *    ball at one point each, so p is on the line between these points, and feet are tilted until
 *    they touch where the pressure should be.
 * 2. n about the vertical turns the trunk to the heading, within what friction allows while both feet
 *    stand. f follows from p and n, and w' from both.
 * 3. Accelerations qdd with dL/dt = m g + f and dH/dt = n, feet that move with the ball, and a lifted foot
 *    that moves as the steps have it; otherwise joints return to the posture (program.h).
 * 4. Torques by inverse dynamics. Feet twist the ball by a couple of forces. */
#include "control/torque/ball/rolling_step.h"

#include "control/parts/drive_by_plan.h"
#include "control/parts/program.h"
#include "math/elementary.h"

#include <math.h>

static const double LEAST_LIFT = 0.2; /* of the weight, that the ball bears at least */
static const double GAP_STIFFNESS = 200, DEEPEST_M = 0.01; /* of soles on the ball; 1/s2, and m */
static const double TWIST_ARM_M = 0.04; /* of friction about the vertical, with both feet */
static const double LEAST_HEIGHT_M = 0.1;

/* force, moment: f and n
 * turn:      w'
 * wished, goal: the pressure that is asked for, and the nearest one within the soles
 * pressure:  p; own: [side] where each foot should touch
 * right:     share of the right foot
 * row:       [side] of the feet in the program */
typedef struct working {
    tr_program program;
    tr_vec3 force, moment, turn;
    tr_vec3 pressure, wished, goal, own[2];
    double right;
    int row[2];
} working;

static bool stands(const tr_rolling_view *v, int side) {
    return side != v->plan->lifted;
}

/* --- the pressure --- */

/* Moves the wished pressure into the polygon of the soles that stand. */
static void place_pressure(const tr_rolling_view *v, working *w) {
    tr_vec3 corner[TR_FOOTHOLD_CORNERS];
    int count = 0;
    const double margin = v->numbers->margin_m;
    for (int side = 0; side < 2; side++) {
        const tr_ball_foot *foot = &v->scene->foot[side];
        for (int k = 0; stands(v, side) && k < 4; k++) {
            const tr_vec3 inwards = tr_vec3_sub(foot->middle, foot->corner[k]);
            const double share = margin / fmax(1e-6, tr_vec3_length(inwards));
            corner[count++] = tr_vec3_add_scaled(foot->corner[k], share, inwards);
        }
    }
    tr_foothold soles;
    tr_foothold_span(corner, count, &soles);
    w->wished = v->plan->pressure;
    w->goal = tr_foothold_nearest(&soles, v->plan->pressure);
}

/* Finds the share of each foot, by how near it is to the goal; where soles touch now, and where
 * they should: they bear alike. */
static void share_pressure(const tr_rolling_view *v, working *w) {
    const tr_ball_foot *left = &v->scene->foot[0], *right = &v->scene->foot[1];
    const tr_vec3 across = tr_vec3_sub(right->touch, left->touch);
    const tr_vec3 from = tr_vec3_sub(w->goal, left->touch);
    const double along = (from.x * across.x + from.y * across.y) /
                         fmax(1e-6, across.x * across.x + across.y * across.y);
    /* A foot that stands alone bears all. */
    w->right = stands(v, 0) ? stands(v, 1) ? fmax(0, fmin(1, along)) : 0 : 1;
    const tr_vec3 off = tr_vec3_sub(w->goal, tr_vec3_lerp(left->middle, right->middle, w->right));
    for (int side = 0; side < 2; side++) {
        const tr_ball_foot *foot = &v->scene->foot[side];
        const tr_vec3 own = side == v->plan->bearing
                                ? tr_ball_foot_nearest(foot, w->goal, v->numbers->margin_m)
                                : tr_vec3_add(foot->middle, off);
        w->own[side] = tr_ball_surface(v->scene->radius_m, own);
    }
    w->pressure = tr_vec3_lerp(left->touch, right->touch, w->right);
}

/* --- forces and the ball --- */

static double load_of(const tr_rolling_view *v) {
    const tr_rolling_numbers *n = v->numbers;
    const double mass = v->body.dynamics->model->mass,
                 weight = mass * tr_vec3_length(v->body.gravity);
    const double height = v->scene->centroid.z - v->scene->radius_m;
    const double vel = v->scene->centroid_vel.z + v->scene->roll.z;
    const double lift =
        n->height_stiffness * (v->load->height_m - height) - n->height_damping * vel;
    return fmax(weight + mass * lift, LEAST_LIFT * weight);
}

/* Keeps f in the cone of friction, and n with it. */
static void keep_grip(const tr_rolling_view *v, working *w) {
    const double most = v->numbers->friction * w->force.z;
    const double length = sqrt(w->force.x * w->force.x + w->force.y * w->force.y);
    if (length <= most)
        return;
    const tr_vec3 arm = tr_vec3_sub(w->pressure, v->scene->centroid);
    w->force.x *= most / length;
    w->force.y *= most / length;
    w->moment.y = arm.z * w->force.x - arm.x * w->force.z;
    w->moment.x = arm.y * w->force.z - arm.z * w->force.y;
}

/* Returns w', by J w' = -(n + (c - q) x f) with J = diag(7/5, 7/5, 2/5) M R^2. */
static tr_vec3 turn_of(const tr_rolling_view *v, const working *w) {
    const double radius = v->load->radius_m, square = v->load->ball_kg * radius * radius;
    const tr_vec3 from = tr_vec3_add(v->scene->centroid, (tr_vec3){0, 0, radius});
    const tr_vec3 moment = tr_vec3_add(w->moment, tr_vec3_cross(from, w->force));
    return (tr_vec3){-moment.x / (1.4 * square), -moment.y / (1.4 * square),
                     -moment.z / (0.4 * square)};
}

/* Returns b'' = R (w'_y, -w'_x). */
static tr_vec3 roll_of(const tr_rolling_view *v, const working *w) {
    return (tr_vec3){v->load->radius_m * w->turn.y, -v->load->radius_m * w->turn.x, 0};
}

/* Returns the moment about the vertical that f makes at p. */
static double plain_twist(const tr_rolling_view *v, const working *w) {
    const tr_vec3 arm = tr_vec3_sub(w->pressure, v->scene->centroid);
    return arm.x * w->force.y - arm.y * w->force.x;
}

/* Step 2, after the regulator: sets n, f and w'. */
static void set_forces(const tr_rolling_view *v, working *w) {
    const tr_rolling_numbers *n = v->numbers;
    const tr_vec3 lack = tr_vec3_scale(tr_vec3_sub(w->wished, w->goal), load_of(v));
    const double both = 4 * w->right * (1 - w->right);
    const double yaw =
        n->yaw_kgm2 * (n->yaw_stiffness * v->turn_left_rad + n->yaw_damping * v->turn_radps) -
        n->yaw_damping * v->scene->momentum.z;
    /* What p lacks is made good by n, up to swing_nm; f follows from p and n. */
    w->moment.x = tr_within(v->plan->moment.x - lack.y, n->swing_nm);
    w->moment.y = tr_within(v->plan->moment.y + lack.x, n->swing_nm);
    w->force.z = load_of(v);
    const tr_vec3 arm = tr_vec3_sub(w->pressure, v->scene->centroid);
    const double down = fmin(arm.z, -LEAST_HEIGHT_M), f_z = w->force.z;
    w->force =
        (tr_vec3){(w->moment.y + arm.x * f_z) / down, (arm.y * f_z - w->moment.x) / down, f_z};
    keep_grip(v, w);
    /* The rest of n about the vertical is friction of two feet: all with even loads, none with one
     * foot. */
    const double plain = plain_twist(v, w);
    w->moment.z = plain + tr_within(yaw - plain, both * n->friction * w->force.z * TWIST_ARM_M);
    w->turn = turn_of(v, w);
}

/* --- rows --- */

/* Returns the rotation of a sole that is tangent to the ball at a place on it, at an angle to the
 * heading. */
static tr_quat tangent(const tr_ball_scene *scene, tr_vec3 place, double turn_rad) {
    const double level = sqrt(place.x * place.x + place.y * place.y);
    const double angle = tr_atan2(level, place.z);
    const tr_vec3 axis =
        level > 0 ? (tr_vec3){-place.y / level, place.x / level, 0} : (tr_vec3){0, 0, 0};
    const tr_quat tilt = tr_quat_exp(tr_vec3_scale(tr_ball_scene_world(scene, axis), angle));
    return tr_quat_mul(tilt, tr_quat_from_heading(scene->heading_rad + turn_rad));
}

/* Returns the point whose acceleration is planned, from the centroid: where a foot touches, or the
 * middle of the lifted sole. */
static tr_v4 planned_point(const tr_rolling_view *v, int side) {
    const tr_ball_foot *foot = &v->scene->foot[side];
    if (stands(v, side))
        return tr_v4_from(foot->touch_from_centroid);
    return tr_v4_from(tr_ball_scene_world(v->scene, tr_vec3_sub(foot->middle, v->scene->centroid)));
}

static void put_goals(const tr_rolling_view *v, working *w, int side, tr_vec3 ang, tr_vec3 lin) {
    const int body = v->scene->foot[side].body;
    const tr_vec3 turning =
        tr_vec3_along(v->scene->axis, tr_v4_to(v->body.dynamics->bias[body].ang));
    const tr_vec3 point = tr_program_point_bias(&w->program, body, planned_point(v, side));
    for (int k = 0; k < 3; k++) {
        w->program.goal[w->row[side] + k] = tr_vec3_at(ang, k) - tr_vec3_at(turning, k);
        w->program.goal[w->row[side] + 3 + k] = tr_vec3_at(lin, k) - tr_vec3_at(point, k);
    }
}

/* The turn that a foot lacks to be tangent at a place, and the angular velocity of a body, are both
 * along the axes of the scene. */
static tr_vec3 turn_left(const tr_rolling_view *v, int side, tr_vec3 place) {
    const int body = v->scene->foot[side].body;
    const double out_rad = v->numbers->toe_out_rad;
    const tr_quat goal = tangent(v->scene, place, side ? -out_rad : out_rad);
    return tr_vec3_along(v->scene->axis,
                         tr_quat_log(tr_quat_mul(goal, tr_quat_conj(v->body.bodies[body].rot))));
}

static tr_vec3 turning_of(const tr_rolling_view *v, int body) {
    return tr_vec3_along(v->scene->axis, tr_v4_to(v->body.dynamics->velocity[body].ang));
}

static void aim_standing(const tr_rolling_view *v, working *w, int side) {
    const tr_rolling_numbers *n = v->numbers;
    const tr_ball_scene *s = v->scene;
    const tr_ball_foot *foot = &s->foot[side];
    tr_vec3 error = turn_left(v, side, w->own[side]);
    error.z *= n->yaw_share;
    /* A pressure that moves on the ball makes the sole roll on it, at its speed / R. */
    const tr_vec3 shift = tr_vec3_scale(v->plan->pressure_vel, 1 / s->radius_m);
    const tr_vec3 turning = tr_vec3_add(s->spin, (tr_vec3){-shift.y, shift.x, 0});
    const tr_vec3 slip = tr_vec3_sub(turning_of(v, foot->body), turning);
    const tr_vec3 ang = tr_vec3_add_scaled(tr_vec3_add_scaled(w->turn, n->foot_stiffness, error),
                                           -n->foot_damping, slip);
    const tr_vec3 out = tr_vec3_scale(foot->touch, 1 / tr_vec3_length(foot->touch));
    /* Where it touches it moves as the ball, b'' + w' x x + w x (w x x); slip and gap end. */
    tr_vec3 lin = tr_vec3_add(roll_of(v, w), tr_vec3_cross(w->turn, foot->touch));
    lin = tr_vec3_add(lin, tr_vec3_cross(s->spin, tr_vec3_cross(s->spin, foot->touch)));
    lin = tr_vec3_add_scaled(lin, -n->foot_damping, foot->slip);
    lin = tr_vec3_add_scaled(lin, -GAP_STIFFNESS * tr_within(foot->gap_m, DEEPEST_M), out);
    put_goals(v, w, side, ang, lin);
}

static void aim_lifted(const tr_rolling_view *v, working *w, int side) {
    const double stiffness = v->numbers->swing_stiffness;
    const int body = v->scene->foot[side].body;
    const tr_vec3 error = turn_left(v, side, v->plan->place);
    const tr_vec3 ang = tr_vec3_add_scaled(tr_vec3_scale(error, stiffness), -2 * sqrt(stiffness),
                                           turning_of(v, body));
    put_goals(v, w, side, ang, tr_vec3_add(v->plan->accel, roll_of(v, w)));
}

static void set_goals(const tr_rolling_view *v, working *w) {
    const double weight = v->body.dynamics->model->mass * tr_vec3_length(v->body.gravity);
    const tr_vec3 linear = {w->force.x, w->force.y, w->force.z - weight};
    tr_program_aim_momenta(&w->program, linear, w->moment);
    for (int side = 0; side < 2; side++)
        if (stands(v, side))
            aim_standing(v, w, side);
        else
            aim_lifted(v, w, side);
}

/* --- torques --- */

/* Finds the forces of both feet, about the centroid, world: shares of f at their own pressures, and
 * a couple that twists the ball. Small moments that are left are shared too. */
static void share_force(const tr_rolling_view *v, const working *w, tr_spatial *out) {
    const tr_ball_scene *s = v->scene;
    const double share[2] = {1 - w->right, w->right};
    const tr_vec3 across = tr_vec3_sub(s->foot[1].touch, s->foot[0].touch);
    const double apart = fmax(0.02, sqrt(across.x * across.x + across.y * across.y));
    const double couple = (w->moment.z - plain_twist(v, w)) / apart;
    const tr_vec3 way = {-across.y / apart, across.x / apart, 0};
    tr_vec3 force[2], left = w->moment, moment[2];
    for (int side = 0; side < 2; side++) {
        force[side] =
            tr_vec3_add_scaled(tr_vec3_scale(w->force, share[side]), side ? couple : -couple, way);
        moment[side] = tr_vec3_cross(tr_vec3_sub(s->foot[side].touch, s->centroid), force[side]);
        left = tr_vec3_sub(left, moment[side]);
    }
    for (int side = 0; side < 2; side++) {
        const tr_vec3 own = tr_vec3_add_scaled(moment[side], share[side], left);
        if (stands(v, side))
            out[s->foot[side].body] = (tr_spatial){tr_v4_from(tr_ball_scene_world(s, own)),
                                                   tr_v4_from(tr_ball_scene_world(s, force[side]))};
    }
}

static void set_torques(const tr_rolling_view *v, const working *w, const double *accel,
                        tr_vec3 *out) {
    const tr_dynamics *d = v->body.dynamics;
    tr_spatial outside[TR_BODY_MAX] = {0};
    share_force(v, w, outside);
    tr_planned_torques(d, accel, v->body.gravity, outside, v->numbers->strength_nm, out);
}

/* --- together --- */

static void begin(const tr_rolling_view *v, working *w) {
    place_pressure(v, w);
    share_pressure(v, w);
    tr_program_begin(&(tr_program_def){.body = &v->body,
                                       .axis = v->scene->axis,
                                       .heading_rad = v->scene->heading_rad,
                                       .root_rot = v->root_rot,
                                       .stiffness = v->numbers->posture_stiffness,
                                       .damping = v->numbers->posture_damping},
                     &w->program);
    for (int side = 0; side < 2; side++)
        w->row[side] =
            tr_program_add_body(&w->program, v->scene->foot[side].body, planned_point(v, side));
    tr_program_set_gram(&w->program);
    set_forces(v, w);
    set_goals(v, w);
}

tr_status tr_rolling_step(const tr_rolling_view *view, double *out_accel, tr_vec3 *out_torque,
                          tr_vec3 *out_pressure) {
    working w = {.right = 0};
    begin(view, &w);
    /* Steps 3 and 4. */
    tr_status status = tr_program_solve(&w.program, 0, out_accel);
    if (!status)
        set_torques(view, &w, out_accel, out_torque);
    *out_pressure = w.goal;
    return status;
}
