/* One step. x points along the board, y to its left, z up. c is the centroid, s the standing sole,
 * f and l force and load of the pushing foot on the ground, L and H linear and angular momentum
 * about c, b and r mass and drag of the board, v its speed, m the character's mass.
 *
 * Wheels roll, so the board takes no force along its way but what accelerates it: with s'' the
 * acceleration of sole and board, which are one,
 *
 *   dL_x/dt + b s''_x = f - r v
 *
 * So the centroid is not held over the foot by a force; the legs pull the board under it:
 *
 *   s''_x - c''_x = k (c_x - s_x - w) + d (c'_x - s'_x)       w: its place, ahead in a stroke
 *
 * Both together give c''_x and s''_x. Across and upwards the wheels bear forces as the ground
 * does, and a step is as in momentum_step.c:
 *
 * 1. Target rates across and upwards; dH = -e H as far as the posture allows. Accelerations qdd with
 *    these rates, a standing sole that stays on the board, and a pushing sole that moves as the
 *    stroke has it, say which dH the body would have.
 * 2. The pushing foot bears f and l. What is left is the board's, and acts at a centre of pressure
 *    that is moved into the sole. What it lacks along the board is made good by dH, because no
 *    force can; what it lacks across, by dH up to a bound (arms and trunk swing), the rest by
 *    force.
 *    On a board with trucks (trucks.h) the pressure at p_y also turns the board: its moment leans the
 *    deck, and at the speed v the way with curvature t sin g takes the sole to the side:
 *
 *      c''_y = a - e p_y,  s''_y = q p_y       e = load / (m height),  q = v^2 t load / stiffness
 *
 *    with a what p_y = 0 gives. Both bring the centroid back over the sole. Of the acceleration
 *    relative to the sole that step 1 asks for, the pressure and so c''_y follow:
 *
 *      p_y = (a - (c - s)''_y) / (e + q)
 *
 *    A wanted curvature k needs the pressure p = k stiffness / (t load), and in balance the centroid
 *    at c_y - s_y = p (1 + q / e), inside the curve.
 * 3. qdd again, with all six rates exact.
 * 4. Torques by inverse dynamics. */
#include "control/torque/skate/skating_step.h"

#include "control/parts/drive_by_plan.h"
#include "control/parts/program.h"
#include "math/elementary.h"

#include <math.h>

static const double LEVEL_STIFFNESS = 100; /* of soles, level and straight ahead, 1/s2 */
static const double CARRY_STIFFNESS = 400; /* of a board in the air, level, 1/s2 */
static const double LEAST_LIFT = 0.2;      /* of the weight, that the board bears at least */
static const double FRICTION = 0.7;        /* across the board */
static const double YAW_ARM_M = 0.06;      /* of friction against turning about the vertical */
static const double LEAST_HEIGHT_M = 0.1;

/* centroid, sole: accelerations along the board, c''_x and s''_x
 * along:          goal of the row of L_x and the board */
typedef struct working {
    double centroid, sole, along;
    tr_program program;
} working;

/* --- trucks --- */

/* Returns q, the acceleration of the sole to the left for each m of the pressure under a load. */
static double steering_of(const tr_skating_view *v, double load) {
    const double speed = v->scene->board_mps;
    return v->trucks->turn_pm == 0
               ? 0
               : speed * speed * v->trucks->turn_pm * load / v->trucks->stiffness_nmprad;
}

/* Returns s''_y = v^2 t sin g at the present lean. */
static double turning_accel(const tr_skating_view *v) {
    const tr_vec3 up = tr_quat_rotate(v->deck->rot, (tr_vec3){0, 0, 1});
    const double speed = v->scene->board_mps;
    return speed * speed * v->trucks->turn_pm * tr_vec3_dot(up, v->scene->axis[1]);
}

/* Returns where the centroid is in balance on the wanted curve, to the left of the sole:
 * p (1 + q / e). */
static double curve_lean(const tr_skating_view *v) {
    const double weight = v->body.dynamics->model->mass * tr_vec3_length(v->body.gravity);
    const double e = tr_vec3_length(v->body.gravity) / fmax(LEAST_HEIGHT_M, v->stance->centroid.z);
    if (v->trucks->turn_pm == 0)
        return 0;
    const double pressure =
        v->curvature_pm * v->trucks->stiffness_nmprad / (v->trucks->turn_pm * weight);
    return tr_within(pressure, v->numbers->course_m) * (1 + steering_of(v, weight) / e);
}

/* Returns the force to the left that gives the centroid the acceleration `relative` over the sole,
 * which turns. lean_nm: moment about the length of the board that turning of the body takes */
static double steered_force(const tr_skating_view *v, double relative, double load,
                            double lean_nm) {
    const double mass = v->body.dynamics->model->mass;
    const double moved = mass * fmax(LEAST_HEIGHT_M, v->scene->centroid.z);
    /* p_y = (a - (c - s)''_y) / (e + q), and c''_y = a - e p_y. */
    const double a = (load * v->scene->centroid.y + lean_nm) / moved, e = load / moved;
    const double pressure = (a - relative) / (e + steering_of(v, load));
    return mass * (a - e * pressure);
}

static bool flies(const tr_skating_view *v) {
    return v->hop && v->hop->flies;
}

/* --- rows --- */

/* Sets angular goals: a foot keeps a rotation, and turns as what it stands on. */
static void keep_rotation(const tr_skating_view *v, int body, tr_quat goal, tr_vec3 turning,
                          double stiffness, double damping, double *out_goal) {
    const tr_dynamics *d = v->body.dynamics;
    const tr_vec3 error = tr_quat_log(tr_quat_mul(goal, tr_quat_conj(v->body.bodies[body].rot)));
    const tr_vec3 slip = tr_vec3_sub(tr_v4_to(d->velocity[body].ang), turning);
    const tr_vec3 accel =
        tr_vec3_sub(tr_vec3_scale(error, stiffness), tr_vec3_scale(slip, damping));
    const tr_vec3 goals =
        tr_vec3_along(v->scene->axis, tr_vec3_sub(accel, tr_v4_to(d->bias[body].ang)));
    for (int k = 0; k < 3; k++)
        out_goal[k] = tr_vec3_at(goals, k);
}

/* Returns the angular acceleration, along the axes, by which a board that is carried becomes
 * level. */
static tr_vec3 levelling(const tr_skating_view *v) {
    const tr_quat level = tr_quat_from_heading(v->scene->heading_rad);
    const tr_vec3 error = tr_quat_log(tr_quat_mul(level, tr_quat_conj(v->deck->rot)));
    return tr_vec3_along(v->scene->axis,
                         tr_vec3_sub(tr_vec3_scale(error, CARRY_STIFFNESS),
                                     tr_vec3_scale(v->deck->omega, 2 * sqrt(CARRY_STIFFNESS))));
}

static void turn_with_board(const tr_skating_view *v, int body, double *out_goal) {
    const tr_vec3 bias = tr_vec3_along(v->scene->axis, tr_v4_to(v->body.dynamics->bias[body].ang));
    const tr_vec3 goals = tr_vec3_sub(levelling(v), bias);
    for (int k = 0; k < 3; k++)
        out_goal[k] = tr_vec3_at(goals, k);
}

/* Returns the acceleration across by which the foot carries the board under the centroid in
 * flight. */
static double carry_across(const tr_skating_view *v) {
    const tr_skating_numbers *n = v->numbers;
    return n->place_stiffness * (v->scene->centroid.y - v->stance->centroid.y) +
           n->place_damping * v->scene->centroid_vel.y;
}

/* The sole stays on the board. Its first linear row becomes s''_x - c''_x, and the row of L_x that
 * of L_x and the board. */
static void add_standing(const tr_skating_view *v, working *w) {
    const tr_skating_numbers *n = v->numbers;
    const tr_board_scene *scene = v->scene;
    const int body = scene->body[TR_STANDING];
    const double mass = v->body.dynamics->model->mass;
    const bool lifts = flies(v);
    const double drag = lifts ? 0 : v->load->drag_kgps * scene->board_mps;
    const double force = v->stroke->force_n - drag;
    const double ahead = v->stance->centroid.x + v->stroke->lean_m;
    const double turning = v->trucks->turn_pm == 0 ? 0 : v->deck->omega.z;
    const double catching =
        n->board_stiffness * (scene->centroid.x - ahead) +
        n->board_damping * (scene->centroid_vel.x + turning * scene->centroid.y);
    const tr_vec3 bias =
        tr_program_point_bias(&w->program, body, tr_v4_from(scene->sole[TR_STANDING]));
    const tr_vec3 slip = tr_vec3_sub(scene->standing_vel, tr_vec3_along(scene->axis, v->deck->vel));
    tr_program *p = &w->program;
    const int row = tr_program_add_body(p, body, tr_v4_from(scene->sole[TR_STANDING]));
    double *along = p->row[row + 3], *momentum = p->row[TR_PROGRAM_LINEAR];
    if (lifts)
        turn_with_board(v, body, p->goal + row);
    else
        keep_rotation(v, body, v->deck->rot, v->deck->omega, LEVEL_STIFFNESS, n->foot_damping,
                      p->goal + row);
    for (int j = 0; j < p->dof; j++) {
        const double sole = along[j];
        along[j] -= momentum[j] / mass;
        momentum[j] += v->load->kg * sole;
    }
    /* dL_x/dt + b s''_x = f - r v, less what both are without any qdd. */
    w->along = force - p->linear_bias.x - v->load->kg * bias.x;
    p->goal[row + 3] = catching - bias.x + p->linear_bias.x / mass;
    p->goal[row + 4] =
        (lifts ? carry_across(v) : turning_accel(v) - n->foot_damping * slip.y) - bias.y;
    p->goal[row + 5] = (lifts ? v->hop->sole_mps2 : -n->foot_damping * slip.z) - bias.z;
    /* The solution of both equations: s''_x - c''_x = catching. */
    w->centroid = (force - v->load->kg * catching) / (mass + v->load->kg);
    w->sole = w->centroid + catching;
}

static void add_pushing(const tr_skating_view *v, working *w) {
    const tr_skating_numbers *n = v->numbers;
    const tr_board_scene *scene = v->scene;
    const int body = scene->body[TR_PUSHING];
    const bool lifted = v->stroke->lifted;
    const tr_vec3 bias =
        tr_program_point_bias(&w->program, body, tr_v4_from(scene->sole[TR_PUSHING]));
    tr_vec3 accel = v->stroke->accel;
    tr_program *p = &w->program;
    const int row = tr_program_add_body(p, body, tr_v4_from(scene->sole[TR_PUSHING]));
    keep_rotation(v, body, tr_quat_from_heading(scene->heading_rad), (tr_vec3){0, 0, 0},
                  lifted ? n->foot_stiffness : LEVEL_STIFFNESS,
                  lifted ? 2 * sqrt(n->foot_stiffness) : n->foot_damping, p->goal + row);
    accel.x += lifted ? w->sole : 0;
    for (int k = 0; k < 3; k++)
        p->goal[row + 3 + k] = tr_vec3_at(accel, k) - tr_vec3_at(bias, k);
}

/* Sets the goals of the momenta. The row of L_x also holds the board, and has a goal already. */
static void set_rates(tr_vec3 linear, tr_vec3 angular, working *w) {
    tr_program_aim_momenta(&w->program, linear, angular);
    w->program.goal[TR_PROGRAM_LINEAR] = w->along;
}

/* --- rates --- */

/* Returns dL/dt. Across the board the centroid moves towards a pushing foot by its share of the
 * load. */
static tr_vec3 wished_linear_rate(const tr_skating_view *v, const working *w) {
    const tr_skating_numbers *n = v->numbers;
    const tr_board_scene *scene = v->scene;
    const double mass = v->body.dynamics->model->mass;
    const double weight = mass * tr_vec3_length(v->body.gravity);
    const double across =
        v->stance->centroid.y + v->stroke->load_n / weight * scene->pushing.y + curve_lean(v);
    const tr_vec3 place = scene->centroid, vel = scene->centroid_vel;
    return (tr_vec3){mass * w->centroid,
                     mass * (n->place_stiffness * (across - place.y) - n->place_damping * vel.y),
                     mass * (n->height_stiffness * (v->stance->centroid.z - place.z) -
                             n->height_damping * vel.z)};
}

/* Changes dL/dt to that of a hop. In flight weight alone acts on character and board, and the foot
 * carries the board:
 *
 *   dL_z/dt + b s''_z = -(m + b) g */
static void hop_linear_rate(const tr_skating_view *v, tr_vec3 *linear) {
    const double mass = v->body.dynamics->model->mass, g = tr_vec3_length(v->body.gravity);
    linear->z = fmin(linear->z, mass * v->hop->most_mps2);
    if (v->hop->launches)
        linear->z = mass * v->hop->centroid_mps2;
    if (v->hop->flies)
        *linear = (tr_vec3){linear->x, -v->load->board_kg * carry_across(v),
                            -mass * g - v->load->board_kg * (g + v->hop->sole_mps2)};
}

/* Returns dH/dt of a flight, from the force that carries the board, and what turns it. */
static tr_vec3 hop_angular_rate(const tr_skating_view *v, tr_vec3 linear) {
    const tr_vec3 turn = levelling(v), inertia = v->load->inertia;
    const double weight = v->body.dynamics->model->mass * tr_vec3_length(v->body.gravity);
    const tr_vec3 force = {linear.x, linear.y, linear.z + weight};
    const tr_vec3 moment = tr_vec3_cross(tr_vec3_negate(v->scene->centroid), force);
    return tr_vec3_sub(moment,
                       (tr_vec3){inertia.x * turn.x, inertia.y * turn.y, inertia.z * turn.z});
}

static tr_vec3 pushing_force(const tr_skating_view *v) {
    return (tr_vec3){v->stroke->force_n, 0, v->stroke->load_n};
}

/* Step 2: changes the rates to those that the board and the pushing foot can give; returns the
 * place of the pressure along the board, from the middle of the sole. */
static double admit(const tr_skating_view *v, tr_vec3 *linear, tr_vec3 *angular) {
    const tr_skating_numbers *n = v->numbers;
    const double weight = v->body.dynamics->model->mass * tr_vec3_length(v->body.gravity);
    const double height = fmax(LEAST_HEIGHT_M, v->scene->centroid.z);
    const tr_vec3 from = v->scene->centroid;
    const tr_vec3 pushing = tr_vec3_cross(tr_vec3_sub(v->scene->pushing, from), pushing_force(v));
    const double load = fmax(linear->z + weight - v->stroke->load_n, LEAST_LIFT * weight);
    const double f_x = linear->x - v->stroke->force_n;
    /* The pushing foot bears f and l; what is left is the board's. */
    tr_vec3 m = tr_vec3_sub(*angular, pushing);
    /* On trucks the pressure steers too, and the force across follows from it. */
    if (v->trucks->turn_pm != 0)
        linear->y = steered_force(v, linear->y / v->body.dynamics->model->mass, load, m.x);
    double f_y = tr_within(linear->y, FRICTION * load);
    m.z = tr_within(m.z, FRICTION * load * YAW_ARM_M);
    const double p_x = from.x - (m.y + height * f_x) / load;
    const double p_y = from.y + (m.x - height * f_y) / load;
    const double kept_x =
        tr_within(p_x, fmax(0, (v->sole->high.x - v->sole->low.x) / 2 - n->margin_m));
    const double kept_y =
        tr_within(p_y, fmax(0, (v->sole->high.y - v->sole->low.y) / 2 - n->side_margin_m));
    const double lack_y = (kept_y - p_y) * load, swing = tr_within(lack_y, n->swing_nm);
    /* Along the board dH makes all of the lack good; across, the rest beyond swing_nm is left to
     * force. */
    m.y -= (kept_x - p_x) * load;
    m.x += swing;
    f_y -= (lack_y - swing) / height;
    *linear = (tr_vec3){linear->x, f_y, load + v->stroke->load_n - weight};
    *angular = tr_vec3_add(m, pushing);
    return kept_x;
}

/* --- torques --- */

static tr_v4 to_world(const tr_board_scene *scene, tr_vec3 v) {
    return tr_v4_from(scene->axis[0]) * v.x + tr_v4_from(scene->axis[1]) * v.y +
           tr_v4_from(scene->axis[2]) * v.z;
}

/* Returns the foot, or the toes where the pressure is in front of their joint. */
static int bearer_of(const tr_skating_view *v, double pressure_x) {
    const tr_model *model = v->body.dynamics->model;
    const int foot = v->scene->body[TR_STANDING];
    const int toe = model->toe[foot == model->foot[1]];
    if (toe < 0 || model->body[toe].parent != foot)
        return foot;
    const tr_vec3 joint = tr_body_point(model, toe, model->body[toe].anchor, &v->body.bodies[toe]);
    const tr_v4 from = tr_v4_from(joint) - v->body.dynamics->origin;
    return pressure_x > tr_vec3_dot(tr_vec3_sub(tr_v4_to(from), v->scene->sole[TR_STANDING]),
                                    v->scene->axis[0])
               ? toe
               : foot;
}

static void set_torques(const tr_skating_view *v, const double *accel, double pressure_x,
                        tr_vec3 *out) {
    const tr_dynamics *d = v->body.dynamics;
    const tr_v4 push = to_world(v->scene, pushing_force(v));
    const int bearer = bearer_of(v, pressure_x);
    tr_spatial outside[TR_BODY_MAX] = {0}, root;
    outside[v->scene->body[TR_PUSHING]] =
        (tr_spatial){tr_v4_cross(tr_v4_from(v->scene->sole[TR_PUSHING]), push), push};
    tr_dynamics_inverse(d, accel, v->body.gravity, outside, out, &root);
    outside[bearer] = tr_spatial_add(outside[bearer], root);
    tr_planned_torques(d, accel, v->body.gravity, outside, v->numbers->strength_nm, out);
}

static void begin(const tr_skating_view *v, working *w) {
    tr_program_begin(&(tr_program_def){.body = &v->body,
                                       .axis = v->scene->axis,
                                       .heading_rad = v->scene->heading_rad,
                                       .root_rot = v->stance->root_rot,
                                       .stiffness = v->numbers->posture_stiffness,
                                       .damping = v->numbers->posture_damping},
                     &w->program);
    add_standing(v, w);
    add_pushing(v, w);
    tr_program_set_gram(&w->program);
}

tr_status tr_skating_step(const tr_skating_view *view, double *out_accel, tr_vec3 *out_torque) {
    working w;
    begin(view, &w);
    tr_vec3 linear = wished_linear_rate(view, &w);
    if (view->hop && view->hop->most_mps2 > 0)
        hop_linear_rate(view, &linear);
    const tr_vec3 spin =
        tr_vec3_along(view->scene->axis, tr_v4_to(view->body.dynamics->momentum.ang));
    /* Step 1. */
    set_rates(linear, tr_vec3_scale(spin, -view->numbers->turn_damping), &w);
    tr_status status = tr_program_solve(&w.program, view->numbers->turn_softness, out_accel);
    if (status)
        return status;
    /* Step 2; a board in flight bears nothing, so no pressure must be admitted. */
    tr_vec3 angular = flies(view) ? hop_angular_rate(view, linear)
                                  : tr_program_angular_rate(&w.program, out_accel);
    const double pressure_x = flies(view) ? 0 : admit(view, &linear, &angular);
    set_rates(linear, angular, &w);
    status = tr_program_solve(&w.program, 0, out_accel);
    if (!status)
        set_torques(view, out_accel, pressure_x, out_torque);
    return status;
}
