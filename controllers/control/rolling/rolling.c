#include "control/rolling/rolling.h"

#include "control/driver_hold.h"
#include "control/falls.h"
#include "control/gait/gait_body.h"
#include "control/momentum/drive_by_plan.h"
#include "control/reference_state.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALL }; /* object of the rig */
static const char KIND[] = "rolling", SKILL[] = "walk on a ball";
static const double FASTEST_MPS = 0.5;    /* that can be asked for */
static const double MOST_AHEAD_RAD = 0.5; /* of the heading that it keeps, before its trunk */
static const double TURN_S = 0.5;         /* in which the last of a turn is made */
static const double LEFT_M = 0.1;         /* gap of a foot that has left the ball */

enum { FARTHEST_M = 10 }; /* of a place of the feet on the ball */
static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_rolling_state, step, 0, TR_ROLLING_HOLD_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_rolling_state, begun),
    TR_STATE_BOOL_FIELD(tr_rolling_state, down),
    TR_STATE_INT64_FIELD(tr_rolling_state, entries, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(tr_rolling_state, heading_rad, -4, 4),
    TR_STATE_INT_FIELD(tr_rolling_state, steps.step, 0, TR_BALL_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_rolling_state, steps.begun, 0, TR_BALL_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_rolling_state, steps.lifted, TR_BALL_NONE, 1),
    TR_STATE_INT_FIELD(tr_rolling_state, steps.swing, 0, TR_BALL_STEPS_MAX),
    TR_STATE_DOUBLE_FIELD(tr_rolling_state, steps.ahead_m, -FARTHEST_M, FARTHEST_M),
    TR_STATE_DOUBLE_FIELD(tr_rolling_state, steps.aside_m, -FARTHEST_M, FARTHEST_M),
};

/* --- content --- */

static const double LEAST_BALL_KG = 0.1, LEAST_HEIGHT_M = 0.1; /* of the centroid above the ball */

static bool has_ball(const tr_rig *rig) {
    return rig && rig->object_count > 0 && rig->object[BALL].def.geom_count == 1 &&
           rig->object[BALL].def.geom[0].kind == TR_GEOM_SPHERE &&
           tr_vec3_length(rig->object[BALL].def.geom[0].pos) == 0 &&
           rig->object[BALL].def.mass >= LEAST_BALL_KG;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_rolling *rolling = content;
    const tr_driver_hold held = {.kind = KIND,
                                 .gain_set = rolling->gain_set,
                                 .stance = &rolling->stance,
                                 .hold = rolling->hold,
                                 .most = TR_ROLLING_HOLD_MAX};
    tr_status status = tr_driver_hold_check(&held, setting->model, error);
    if (status)
        return status;
    if (!has_ball(setting->rig))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "rolling: expected a rig whose first object is a ball of %g kg or more",
                       LEAST_BALL_KG);
    if (!(rolling->load.height_m > LEAST_HEIGHT_M) ||
        !tr_ball_regulator_is_finite(&rolling->regulator))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "rolling: stance: expected its centroid %g m or more above the ball",
                       LEAST_HEIGHT_M);
    return tr_number_table_check(&tr_rolling_number_table, &rolling->numbers, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_rolling *rolling = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &rolling->stance, setting->model->body_count);
    hash = tr_hash_add(hash, rolling->gain_set, strlen(rolling->gain_set));
    hash = tr_hash_add(hash, &rolling->hold, sizeof rolling->hold);
    return tr_hash_add(hash, &rolling->numbers, sizeof rolling->numbers);
}

static const double GRAVITY = 9.81; /* for which the regulator is made */

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

static tr_status make(const tr_model *model, const tr_rig *rig, const tr_rolling *from, void **out,
                      tr_error *error) {
    tr_gait_body legs;
    tr_status status = tr_gait_body_find(model, &legs, error);
    if (status)
        return status;
    tr_rolling *rolling = malloc(sizeof *rolling);
    if (!rolling)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "rolling: no memory");
    *rolling = *from;
    for (int side = 0; side < 2; side++)
        rolling->sole[side] = tr_ball_sole_of(model, side);
    if (has_ball(rig)) {
        rolling->load = load_of(model, &rolling->stance, rig);
        rolling->regulator = tr_ball_regulator_of(&rolling->load, &rolling->numbers);
    }
    *out = rolling;
    return TR_OK;
}

/* No number has a side. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_rolling image = *(const tr_rolling *)content;
    image.stance = tr_state_mirror(setting->model, &image.stance);
    return make(setting->model, setting->rig, &image, out, NULL);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_rolling *rolling = content;
    tr_section_writer writer = tr_section_begin(out, KIND);
    tr_section_put_text(&writer, rolling->gain_set);
    tr_section_put_int(&writer, rolling->hold);
    tr_number_table_save(&tr_rolling_number_table, &rolling->numbers, &writer);
    return tr_section_end(&writer, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_rolling read = {.stance = *setting->spawn};
    tr_section_reader reader = tr_section_open(in, KIND);
    tr_section_get_text(&reader, read.gain_set, sizeof read.gain_set);
    read.hold = (int)tr_section_get_int(&reader, 1, TR_ROLLING_HOLD_MAX);
    tr_number_table_load(&tr_rolling_number_table, &reader, &read.numbers);
    tr_status status = tr_section_close(&reader, error);
    return status ? status : make(setting->model, setting->rig, &read, out, error);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_rolling *rolling = content;
    *out = tr_driver_hold_outline(rolling->hold, step_s, "");
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_rolling *rolling = content;
    (void)index;
    *out = (tr_driver_entry){.gain_set = "", .start = &rolling->stance, .steps = rolling->hold};
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    (void)content;
    const tr_driver_skill skill = {.name = SKILL, .count = 1, .cyclic = true};
    return tr_driver_sheet_add_skill(sheet, &skill);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_rolling *rolling = content;
    const tr_rolling_state *s = state;
    return s->step < rolling->hold;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)entry_index, (void)mirrored;
    *(tr_rolling_state *)state = (tr_rolling_state){.steps.lifted = TR_BALL_NONE};
}

static const char *text_of(const tr_rolling_state *s) {
    if (s->down)
        return "fell off";
    return s->steps.lifted == TR_BALL_NONE ? "stands on both feet"
           : s->steps.lifted == 0          ? "lifts its left foot"
                                           : "lifts its right foot";
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_rolling *rolling = content;
    const tr_rolling_state *s = state;
    *out = (tr_doing){.phase = (double)s->step / rolling->hold,
                      .between = s->step == 0,
                      .down = s->down,
                      .entries_done = s->entries,
                      .text = text_of(s)};
}

static bool suits(const void *content, const tr_steering_target *target) {
    (void)content;
    return target->speed_mps <= FASTEST_MPS && !target->skill[0] &&
           (target->aim == TR_AIM_NONE || target->aim == TR_AIM_HEADING);
}

/* --- driving --- */

static void hold_stance(const tr_rolling *rolling, const tr_sight *sight, tr_drive *out) {
    out->gain_set = tr_model_find_gain_set(sight->model, rolling->gain_set);
    memcpy(out->target, rolling->stance.pose.joint, sizeof out->target);
}

/* How fast the heading that it keeps turns: towards that of the target; without one as the ball, so
 * that feet do not twist against it. */
static double turn_of(const tr_rolling *rolling, const tr_sight *sight, double heading_rad) {
    if (sight->target->aim != TR_AIM_HEADING)
        return sight->object[BALL].omega.z;
    const double left_rad = tr_angle_wrap(sight->target->heading_rad - heading_rad);
    return tr_within(left_rad / TURN_S, rolling->numbers.turn_radps);
}

static double next_heading(const tr_sight *sight, double heading_rad, double turn_radps) {
    const double trunk_rad = tr_quat_heading(sight->state->pose.root_rot);
    const double ahead_rad = tr_angle_wrap(heading_rad + turn_radps * sight->step_s - trunk_rad);
    return tr_angle_wrap(trunk_rad + tr_within(ahead_rad, MOST_AHEAD_RAD));
}

/* Of the trunk out of the stance, along the axes of the scene. */
static tr_vec3 tilt_of(const tr_rolling *rolling, const tr_sight *sight,
                       const tr_ball_scene *scene) {
    const tr_quat upright =
        tr_quat_mul(tr_quat_from_heading(scene->heading_rad), rolling->stance.pose.root_rot);
    const tr_quat tilt = tr_quat_mul(sight->state->pose.root_rot, tr_quat_conj(upright));
    return tr_ball_scene_along(scene, tr_quat_log(tilt));
}

static bool is_off(const tr_ball_scene *scene, const tr_ball_steps *steps) {
    for (int side = 0; side < 2; side++)
        if (side != steps->lifted && scene->foot[side].gap_m > LEFT_M)
            return true;
    return false;
}

static tr_status plan(const tr_rolling *rolling, const tr_sight *sight, tr_rolling_state *s,
                      tr_drive *out) {
    const tr_body_state *bodies = tr_sight_bodies(sight);
    const tr_rolling_numbers *n = &rolling->numbers;
    tr_dynamics dynamics;
    tr_ball_scene scene;
    double accel[TR_DOF_MAX];
    tr_dynamics_init(&dynamics, sight->model, sight->state, bodies);
    tr_ball_scene_look(&(tr_ball_scene_def){.dynamics = &dynamics,
                                            .bodies = bodies,
                                            .sole = rolling->sole,
                                            .ball = &sight->object[BALL],
                                            .radius_m = rolling->load.radius_m,
                                            .heading_rad = s->heading_rad},
                       &scene);
    const tr_vec3 tilt = tilt_of(rolling, sight, &scene);
    const double asked = sight->target->speed_mps;
    const tr_ball_walk walk = {.numbers = n,
                               .load = &rolling->load,
                               .regulator = &rolling->regulator,
                               .scene = &scene,
                               .tilt = tilt,
                               .speed_mps = asked > 0 ? asked : n->speed_mps,
                               .step_s = sight->step_s};
    s->down = is_off(&scene, &s->steps);
    if (s->down)
        return TR_OK;
    const tr_ball_step_plan step_plan = tr_ball_steps_plan(&s->steps, &walk);
    const tr_rolling_view view = {.numbers = n,
                                  .load = &rolling->load,
                                  .joint = rolling->stance.pose.joint,
                                  .root_rot = rolling->stance.pose.root_rot,
                                  .state = sight->state,
                                  .bodies = bodies,
                                  .dynamics = &dynamics,
                                  .scene = &scene,
                                  .plan = &step_plan,
                                  .turn_left_rad = -tilt.z,
                                  .turn_radps = turn_of(rolling, sight, s->heading_rad),
                                  .gravity = tr_world_definition(sight->world)->gravity};
    tr_vec3 pressure;
    tr_status status = tr_rolling_step(&view, accel, out->torque, &pressure);
    s->steps.ahead_m = pressure.x;
    s->steps.aside_m = pressure.y;
    if (!status)
        tr_drive_by_plan(&dynamics, accel,
                         &(tr_planned_servo){rolling->gain_set, n->servo_damping, sight->step_s,
                                             n->ankle_damping},
                         out);
    return status;
}

/* Contacts before the first step are from before the driver began: it does not end by them. */
static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_rolling *rolling = content;
    tr_rolling_state *s = state;
    const bool weighs = tr_vec3_length(tr_world_definition(sight->world)->gravity) > 0;
    tr_status status = TR_OK;
    s->down = s->begun && (s->down || tr_falls_is_down(sight->world, sight->character, false));
    s->heading_rad =
        s->begun ? next_heading(sight, s->heading_rad, turn_of(rolling, sight, s->heading_rad))
                 : tr_quat_heading(sight->state->pose.root_rot);
    s->begun = true;
    out->mode = TR_DRIVE_TARGETS;
    hold_stance(rolling, sight, out);
    if (!s->down && weighs)
        status = plan(rolling, sight, s, out);
    s->step = (s->step + 1) % rolling->hold;
    out->completes = s->step == 0;
    s->entries += out->completes;
    return status;
}

const tr_driver_kind tr_rolling_kind = {.name = KIND,
                                        .check = check,
                                        .hash = hash,
                                        .mirror = mirror,
                                        .destroy = free,
                                        .save = save,
                                        .load = load,
                                        .outline = outline,
                                        .entry = entry,
                                        .describe = describe,
                                        .state_size = sizeof(tr_rolling_state),
                                        .field = fields,
                                        .field_count = sizeof fields / sizeof *fields,
                                        .fits = fits,
                                        .enter = enter,
                                        .nearest = tr_driver_hold_nearest,
                                        .look = look,
                                        .suits = suits,
                                        .drive = drive};

/* --- making --- */

tr_status tr_rolling_controller_create(const tr_model *model, const tr_rolling_def *def,
                                       tr_controller **out, tr_error *error) {
    tr_rolling wanted = {.stance = *def->stance, .hold = def->hold, .numbers = def->numbers};
    void *content = NULL;
    snprintf(wanted.gain_set, sizeof wanted.gain_set, "%s", def->gain_set);
    tr_status status = make(model, def->rig, &wanted, &content, error);
    if (status)
        return status;
    return tr_driver_hold_controller(
        model, (tr_driver){&tr_rolling_kind, content},
        &(tr_driver_hold_setting){SKILL, def->step_s, def->stance, def->rig}, out, error);
}
