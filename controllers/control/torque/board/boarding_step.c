/* One step. x points along the board, y to its left, z up, from above the rear axle. c is the
 * centroid, p the centre of pressure of both feet on the board, L and H linear and angular momentum
 * about c, F the load, b and r mass and drag of the board, v its speed, u its yaw rate, I its moment
 * of inertia about the rear axle, N the moment of its weight there.
 *
 * Wheels roll, so the board takes no force along its way, and the legs pull it under the centroid
 * (skating/skating_step.c, without a pushing foot), with s'' its acceleration:
 *
 *   dL_x/dt + b s''_x = -r v        s''_x - c''_x = k (c_x - w) + d c'_x
 *
 * With all wheels on the ground p may lie anywhere between the axles. The nose rises when p is behind
 * the rear axle, which is how its acceleration t'' is made:
 *
 *   I t'' = -F p_x - N        so        p_x = -(I t'' + N) / F
 *
 * Then p_x is given, and dH_y/dt = (c_x - p_x) F, up to the part of the drag. So that H_y ends at the
 * rate e, c_x is led to w = p_x - e H_y / F, or so far beside its place on all wheels.
 *
 * On two wheels the ground bears little moment about z: the wheels scrub by q against u. The feet
 * turn the board by u', so dH_z/dt = -I u' - q, and the body turns the other way. The board moves
 * along itself, so it accelerates across by v u, and the centroid with it.
 *
 * 1. Target rates; accelerations qdd with these, and with soles that move as the board, say which dH
 *    the body would have.
 * 2. The centre of pressure is moved to where it may be. What it lacks along the board is made good
 *    by dH, because no force can; what it lacks across, by dH up to a bound, the rest by force.
 * 3. qdd again, with all six rates exact.
 * 4. Torques by inverse dynamics. */
#include "control/torque/board/boarding_step.h"

#include "control/parts/drive_by_plan.h"
#include "control/parts/program.h"
#include "math/elementary.h"

#include <math.h>

static const double LEVEL_STIFFNESS = 100; /* of soles, flat on the board, 1/s2 */
static const double LEAST_LIFT = 0.2;      /* of the weight, that the board bears at least */
static const double FRICTION = 0.7;        /* across the board */
static const double SCRUB_M = 0.01, SCRUB_RAD_S = 0.2; /* of two wheels that turn in place */
static const double LEAST_HEIGHT_M = 0.1;
/* Feet closer than this along the board share a force as if they were so far apart. */
static const double LEAST_WAY_M = 0.01;
static const double TURN_RATE = 3; /* e, 1/s */

/* centroid, board: c''_x and s''_x; place: of the centre of pressure that lifts the nose */
typedef struct working {
    double centroid, board, place;
    tr_program program;
} working;

static double weight_of(const tr_boarding_view *v) {
    return v->body.dynamics->model->mass * tr_vec3_length(v->body.gravity);
}

/* --- rows --- */

/* Finds c''_x, s''_x and p_x, which the head of this file derives. */
static void set_along(const tr_boarding_view *v, working *w) {
    const tr_boarding_numbers *n = v->numbers;
    const double mass = v->body.dynamics->model->mass, weight = weight_of(v);
    const double spin = tr_vec3_dot(tr_v4_to(v->body.dynamics->momentum.ang), v->scene->axis[1]);
    w->place = -(v->board->deck_kgm2 * v->kick->nose + v->board->nose_nm) / weight;
    /* w = p_x - e H_y / F, with the weight for the load. */
    const double wished =
        v->kick->place_m + (v->kick->lifts ? w->place : 0) - TURN_RATE * spin / weight;
    const double catching = n->board_stiffness * (v->scene->centroid.x - wished) +
                            n->board_damping * v->scene->centroid_vel.x;
    const double drag = v->board->drag_kgps * v->scene->speed_mps;
    /* The sum of both equations: dL_x/dt + b s''_x = -r v, and s''_x - c''_x = catching. */
    w->centroid = (-drag - v->board->kg * catching) / (mass + v->board->kg);
    w->board = w->centroid + catching;
}

/* Two accelerations of the board: the angular one, and that of its point at a place of the
 * scene. */
static tr_vec3 board_turning(const tr_boarding_view *v) {
    return (tr_vec3){0, -v->kick->nose, v->kick->yaw};
}

static tr_vec3 board_accel(const tr_boarding_view *v, const working *w, tr_vec3 place) {
    const double yaw = v->scene->yaw_rad_s;
    const tr_vec3 from = {place.x, place.y, 0};
    /* A board that moves along itself and turns accelerates across by v u, and its points by u^2
     * towards the axle. */
    const tr_vec3 own = {w->board - yaw * yaw * from.x,
                         v->scene->speed_mps * yaw - yaw * yaw * from.y, 0};
    return tr_vec3_add(own, tr_vec3_cross(board_turning(v), from));
}

/* A sole keeps flat on the board and moves as the board. */
static void add_foot(const tr_boarding_view *v, int side, working *w) {
    const tr_dynamics *d = v->body.dynamics;
    const tr_ride_scene *scene = v->scene;
    const int body = scene->body[side];
    const double damping = v->numbers->foot_damping;
    const tr_v4 x = tr_v4_from(scene->sole[side]);
    const tr_spatial velocity = d->velocity[body], bias = d->bias[body];
    const tr_vec3 lin_bias = tr_program_point_bias(&w->program, body, x);
    const tr_vec3 error =
        tr_quat_log(tr_quat_mul(v->deck->rot, tr_quat_conj(v->body.bodies[body].rot)));
    /* The foot turns with the deck, and back to level on it. */
    const tr_vec3 slip = tr_vec3_sub(tr_v4_to(velocity.ang), v->deck->omega);
    const tr_vec3 righting =
        tr_vec3_sub(tr_vec3_scale(error, LEVEL_STIFFNESS), tr_vec3_scale(slip, damping));
    const tr_vec3 turning = tr_vec3_add(
        board_turning(v), tr_vec3_along(scene->axis, tr_vec3_sub(righting, tr_v4_to(bias.ang))));
    const tr_vec3 accel = board_accel(v, w, scene->foot[side]);
    /* Goals are accelerations without what the present motion brings by itself. */
    const int row = tr_program_add_body(&w->program, body, x);
    for (int k = 0; k < 3; k++) {
        w->program.goal[row + k] = tr_vec3_at(turning, k);
        w->program.goal[row + 3 + k] = tr_vec3_at(accel, k) -
                                       damping * tr_vec3_at(scene->slip[side], k) -
                                       tr_vec3_at(lin_bias, k);
    }
}

/* --- rates --- */

static tr_vec3 wished_linear_rate(const tr_boarding_view *v, const working *w) {
    const tr_boarding_numbers *n = v->numbers;
    const tr_ride_scene *scene = v->scene;
    const double mass = v->body.dynamics->model->mass;
    const tr_vec3 rest = v->at_rest->centroid, place = scene->centroid, vel = scene->centroid_vel;
    const double turning = scene->speed_mps * scene->yaw_rad_s;
    return (tr_vec3){
        mass * w->centroid,
        mass * (turning + n->place_stiffness * (rest.y - place.y) - n->place_damping * vel.y),
        mass * (n->height_stiffness * (rest.z - place.z) - n->height_damping * vel.z)};
}

/* Returns the moment of the board on the character about z. The front wheels grip by their load. */
static double yaw_moment(const tr_boarding_view *v, double load, double pressure_x, double wished) {
    const double scrub = load * SCRUB_M * tr_within(v->scene->yaw_rad_s / SCRUB_RAD_S, 1);
    const double grip = FRICTION * fmax(0, load * pressure_x);
    return v->kick->lifts ? -v->board->deck_kgm2 * v->kick->yaw - scrub : tr_within(wished, grip);
}

/* Step 2: moves the centre of pressure to where it may be. */
static void admit(const tr_boarding_view *v, const working *w, tr_vec3 *linear, tr_vec3 *m) {
    const tr_vec3 from = v->scene->centroid;
    const double weight = weight_of(v), height = fmax(LEAST_HEIGHT_M, from.z);
    const double load = fmax(linear->z + weight, LEAST_LIFT * weight);
    const double f_y = tr_within(linear->y, FRICTION * load);
    const double p_x = from.x - (m->y + height * linear->x) / load;
    const double p_y = from.y + (m->x - height * f_y) / load;
    const double wheelbase = v->board->front_m - v->board->rear_m;
    const double kept_x = v->kick->lifts ? w->place : fmax(0.01, fmin(wheelbase - 0.01, p_x));
    const double lack_y = (tr_within(p_y, v->numbers->side_m) - p_y) * load;
    const double swing = tr_within(lack_y, v->numbers->swing_nm);
    /* Along the board dH makes all of the lack good; across, the rest beyond swing_nm is left to
     * force. */
    *m = (tr_vec3){m->x + swing, m->y - (kept_x - p_x) * load, yaw_moment(v, load, kept_x, m->z)};
    *linear = (tr_vec3){linear->x, f_y - (lack_y - swing) / height, load - weight};
}

/* --- torques --- */

/* The feet share the force of the board, by how near they are to the centre of pressure, and with
 * the same share of the moment that is left. */
static void share_force(const tr_boarding_view *v, tr_spatial root, tr_spatial *out) {
    const tr_ride_scene *scene = v->scene;
    const double height = fmax(LEAST_HEIGHT_M, scene->centroid.z);
    const tr_vec3 f = tr_vec3_along(scene->axis, tr_v4_to(root.lin));
    const tr_vec3 m = tr_vec3_along(scene->axis, tr_v4_to(root.ang));
    const double p_x = scene->centroid.x - (m.y + height * f.x) / fmax(1, f.z);
    const double p_y = (m.x - height * f.y) / fmax(1, f.z);
    const double apart = scene->foot[1].x - scene->foot[0].x;
    const double way = copysign(fmax(LEAST_WAY_M, fabs(apart)), apart);
    const double right = fmax(0, fmin(1, (p_x - scene->foot[0].x) / way));
    const double share[2] = {1 - right, right};
    const tr_v4 arm[2] = {tr_v4_from(scene->sole[0]), tr_v4_from(scene->sole[1])};
    const tr_v4 left = root.ang - tr_v4_cross(arm[0] * share[0] + arm[1] * share[1], root.lin);
    for (int side = 0; side < 2; side++) {
        const double across = p_y - tr_vec3_dot(scene->sole[side], scene->axis[1]);
        const tr_vec3 pressure = tr_vec3_add_scaled(scene->sole[side], across, scene->axis[1]);
        const tr_vec3 place = tr_vec3_add(tr_v4_to(v->body.dynamics->origin), pressure);
        out[tr_bearer_of(v->body.dynamics->model, v->body.bodies, side, place)] = (tr_spatial){
            (tr_v4_cross(arm[side], root.lin) + left) * share[side], root.lin * share[side]};
    }
}

static void set_torques(const tr_boarding_view *v, const double *accel, tr_vec3 *out) {
    const tr_dynamics *d = v->body.dynamics;
    tr_spatial outside[TR_BODY_MAX] = {0}, root;
    tr_dynamics_inverse(d, accel, v->body.gravity, outside, out, &root);
    share_force(v, root, outside);
    tr_planned_torques(d, accel, v->body.gravity, outside, v->numbers->strength_nm, out);
}

static void begin(const tr_boarding_view *v, working *w) {
    tr_program_begin(&(tr_program_def){.body = &v->body,
                                       .axis = v->scene->axis,
                                       .heading_rad = v->scene->heading_rad,
                                       .root_rot = v->at_rest->root_rot,
                                       .stiffness = v->numbers->posture_stiffness,
                                       .damping = v->numbers->posture_damping},
                     &w->program);
    set_along(v, w);
    for (int side = 0; side < 2; side++)
        add_foot(v, side, w);
    tr_program_set_gram(&w->program);
}

tr_status tr_boarding_step(const tr_boarding_view *view, double *out_accel, tr_vec3 *out_torque) {
    working w;
    begin(view, &w);
    tr_vec3 linear = wished_linear_rate(view, &w);
    const tr_vec3 spin =
        tr_vec3_along(view->scene->axis, tr_v4_to(view->body.dynamics->momentum.ang));
    /* Step 1. */
    tr_program_aim_momenta(&w.program, linear, tr_vec3_scale(spin, -view->numbers->turn_damping));
    tr_status status = tr_program_solve(&w.program, view->numbers->turn_softness, out_accel);
    if (status)
        return status;
    tr_vec3 angular = tr_program_angular_rate(&w.program, out_accel);
    /* Steps 2 and 3. */
    admit(view, &w, &linear, &angular);
    tr_program_aim_momenta(&w.program, linear, angular);
    status = tr_program_solve(&w.program, 0, out_accel);
    if (!status)
        set_torques(view, out_accel, out_torque);
    return status;
}
