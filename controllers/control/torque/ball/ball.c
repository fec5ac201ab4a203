/* A ball under a character, which steps on it while it rolls (Liu and Hodgins 2017, section 5.1.2).
 *
 * The character lifts one foot after the other and sets it down on top of the ball again
 * (ball_steps.h). It turns to the heading of the steering target, and rolls at the target's speed,
 * or else that of its numbers. The first object of the rig is the ball. The character is down once
 * a foot of it has left the ball. */
#include "control/torque/ball/rolling_step.h"
#include "control/torque/torque_support.h"
#include "math/elementary.h"

enum { BALL };                            /* object of the rig */
static const double FASTEST_MPS = 0.5;    /* that can be asked for */
static const double MOST_AHEAD_RAD = 0.5; /* of the heading that it keeps, before its trunk */
static const double TURN_S = 0.5;         /* in which the last of a turn is made */
static const double LEFT_M = 0.1;         /* gap of a foot that has left the ball */
static const double LEAST_BALL_KG = 0.1, LEAST_HEIGHT_M = 0.1; /* of the centroid above the ball */
static const double GRAVITY = 9.81;                            /* for which the regulator is made */

enum { FARTHEST_M = 10 }; /* of a place of the feet on the ball */

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_rolling_numbers, field, __VA_ARGS__)
static const tr_parameter number_row[] = {TR_ROLLING_LIST(NUMBER)};
const tr_parameter_table tr_rolling_number_table = {.row = number_row, .count = TR_ROLLING_NUMBERS};

static const tr_state_field fields[] = {
    TR_TORQUE_FIELDS,
    TR_STATE_DOUBLE_FIELD(tr_torque_state, ball.heading_rad, -4, 4),
    TR_STATE_INT_FIELD(tr_torque_state, ball.steps.step, 0, TR_BALL_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_torque_state, ball.steps.begun, 0, TR_BALL_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_torque_state, ball.steps.lifted, TR_BALL_NONE, 1),
    TR_STATE_INT_FIELD(tr_torque_state, ball.steps.swing, 0, TR_BALL_STEPS_MAX),
    TR_STATE_DOUBLE_FIELD(tr_torque_state, ball.steps.ahead_m, -FARTHEST_M, FARTHEST_M),
    TR_STATE_DOUBLE_FIELD(tr_torque_state, ball.steps.aside_m, -FARTHEST_M, FARTHEST_M),
};

/* --- content --- */

static bool has_ball(const tr_rig *rig) {
    return rig && rig->object_count > 0 && rig->object[BALL].def.geom_count == 1 &&
           rig->object[BALL].def.geom[0].kind == TR_GEOM_SPHERE &&
           tr_vec3_length(rig->object[BALL].def.geom[0].pos) == 0 &&
           rig->object[BALL].def.mass >= LEAST_BALL_KG;
}

static tr_status check(const tr_torque *torque, const tr_rig *rig, tr_error *error) {
    if (!has_ball(rig))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "rolling: expected a rig whose first object is a ball of %g kg or more",
                       LEAST_BALL_KG);
    if (!(torque->ball.load.height_m > LEAST_HEIGHT_M) ||
        !tr_ball_regulator_is_finite(&torque->ball.regulator))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "rolling: stance: expected its centroid %g m or more above the ball",
                       LEAST_HEIGHT_M);
    return TR_OK;
}

static tr_ball_load load_of(const tr_model *model, const tr_state *stance, const tr_rig *rig) {
    const tr_state state = tr_state_at_rest(model, &stance->pose);
    const tr_rig_object *ball = &rig->object[BALL];
    const double radius_m = ball->def.geom[0].size.x;
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &state, bodies);
    const double top = ball->state.pos.z + radius_m;
    return (tr_ball_load){.radius_m = radius_m,
                          .ball_kg = ball->def.mass,
                          .kg = model->mass,
                          .height_m = tr_body_momentum(model, bodies).com_pos.z - top,
                          .gravity = GRAVITY};
}

static tr_status prepare(const tr_model *model, const tr_rig *rig, tr_torque *torque,
                         tr_error *error) {
    (void)error;
    for (int side = 0; side < 2; side++)
        torque->sole[side] = tr_ball_sole_of(model, side);
    if (!has_ball(rig))
        return TR_OK;
    torque->ball.load = load_of(model, &torque->stance, rig);
    torque->ball.regulator = tr_ball_regulator_of(&torque->ball.load, &torque->ball.numbers);
    return TR_OK;
}

static void reach(const tr_torque *torque, tr_driver_reach *out) {
    (void)torque;
    *out = (tr_driver_reach){.heading = true, .fastest_mps = FASTEST_MPS, .strict = true};
}

/* --- state --- */

static void enter(tr_torque_state *s) {
    s->ball.steps.lifted = TR_BALL_NONE;
}

static const char *text(const tr_torque_state *s) {
    const int lifted = s->ball.steps.lifted;
    return lifted == TR_BALL_NONE ? "stands on both feet"
           : lifted == 0          ? "lifts its left foot"
                                  : "lifts its right foot";
}

/* --- driving --- */

/* Returns how fast the kept heading turns: towards the target's, or without one with the ball, so
 * that feet do not twist against it. */
static double turn_of(const tr_torque *torque, const tr_sight *sight, double heading_rad) {
    if (sight->target->aim != TR_AIM_HEADING)
        return sight->object[BALL].omega.z;
    const double left_rad = tr_angle_wrap(sight->target->heading_rad - heading_rad);
    return tr_within(left_rad / TURN_S, torque->ball.numbers.turn_radps);
}

/* The kept heading runs ahead of the trunk by at most MOST_AHEAD_RAD, so that a trunk that cannot
 * follow is not twisted further. */
static double next_heading(const tr_sight *sight, double heading_rad, double turn_radps) {
    const double trunk_rad = tr_quat_heading(sight->state->pose.root_rot);
    const double ahead_rad = tr_angle_wrap(heading_rad + turn_radps * sight->step_s - trunk_rad);
    return tr_angle_wrap(trunk_rad + tr_within(ahead_rad, MOST_AHEAD_RAD));
}

static void follow(const tr_torque *torque, const tr_sight *sight, tr_torque_state *s) {
    const double heading_rad = s->ball.heading_rad;
    s->ball.heading_rad =
        s->begun ? next_heading(sight, heading_rad, turn_of(torque, sight, heading_rad))
                 : tr_quat_heading(sight->state->pose.root_rot);
}

/* Returns by how much the trunk is turned out of the stance, along the axes of the scene. */
static tr_vec3 tilt_of(const tr_torque *torque, const tr_sight *sight, const tr_ball_scene *scene) {
    const tr_quat upright =
        tr_quat_mul(tr_quat_from_heading(scene->heading_rad), torque->stance.pose.root_rot);
    const tr_quat tilt = tr_quat_mul(sight->state->pose.root_rot, tr_quat_conj(upright));
    return tr_vec3_along(scene->axis, tr_quat_log(tilt));
}

static bool is_off(const tr_ball_scene *scene, const tr_ball_steps *steps) {
    for (int side = 0; side < 2; side++)
        if (side != steps->lifted && scene->foot[side].gap_m > LEFT_M)
            return true;
    return false;
}

static tr_status plan_step(const tr_torque_view *view, const tr_ball_scene *scene,
                           tr_torque_state *s, tr_torque_plan *out) {
    const tr_torque *torque = view->torque;
    const tr_sight *sight = view->sight;
    const tr_rolling_numbers *n = &torque->ball.numbers;
    const tr_vec3 tilt = tilt_of(torque, sight, scene);
    const double asked = sight->target->speed_mps;
    const tr_ball_walk walk = {.numbers = n,
                               .load = &torque->ball.load,
                               .regulator = &torque->ball.regulator,
                               .scene = scene,
                               .tilt = tilt,
                               .speed_mps = asked > 0 ? asked : n->speed_mps,
                               .step_s = sight->step_s};
    /* Step 1 of rolling_step.c: what regulator and steps ask for; then the forces for it. */
    const tr_ball_step_plan plan = tr_ball_steps_plan(&s->ball.steps, &walk);
    const tr_rolling_view step = {.numbers = n,
                                  .load = &torque->ball.load,
                                  .root_rot = torque->stance.pose.root_rot,
                                  .body = view->body,
                                  .scene = scene,
                                  .plan = &plan,
                                  .turn_left_rad = -tilt.z,
                                  .turn_radps = turn_of(torque, sight, s->ball.heading_rad)};
    tr_vec3 pressure;
    tr_status status = tr_rolling_step(&step, out->accel, out->torque, &pressure);
    /* The regulator continues from the pressure that was possible. */
    s->ball.steps.ahead_m = pressure.x;
    s->ball.steps.aside_m = pressure.y;
    out->damping = n->servo_damping;
    out->feet_damping = n->ankle_damping;
    return status;
}

static tr_status plan(const tr_torque_view *view, tr_torque_state *s, tr_torque_plan *out) {
    tr_ball_scene scene;
    tr_ball_scene_look(&(tr_ball_scene_def){.dynamics = view->body.dynamics,
                                            .bodies = view->body.bodies,
                                            .sole = view->torque->sole,
                                            .ball = &view->sight->object[BALL],
                                            .radius_m = view->torque->ball.load.radius_m,
                                            .heading_rad = s->ball.heading_rad},
                       &scene);
    s->down = is_off(&scene, &s->ball.steps);
    out->made = !s->down;
    return s->down ? TR_OK : plan_step(view, &scene, s, out);
}

const tr_torque_support tr_torque_ball = {
    .name = "rolling",
    .skill = "walk on a ball",
    .performs = "walk on a ball",
    .fell = "fell off",
    .numbers = {{.table = &tr_rolling_number_table,
                 .offset = offsetof(tr_torque, ball.numbers),
                 .least = TR_ROLLING_NUMBERS}},
    .field = fields,
    .field_count = sizeof fields / sizeof *fields,
    .check = check,
    .prepare = prepare,
    .reach = reach,
    .enter = enter,
    .text = text,
    .follow = follow,
    .plan = plan,
};
