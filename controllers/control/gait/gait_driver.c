#include "control/gait/gait_driver.h"

#include "control/fields/reference_state.h"
#include "control/gait/gait_step.h"
#include "control/parts/falling.h"
#include "control/parts/falls.h"
#include "math/hash.h"

#include <math.h>
#include <string.h>

static const double STIFFNESS_LOW = 0.5, STIFFNESS_HIGH = 2, SPEED_HIGH_MPS = 20;
static const double LIMP_S = 1; /* of a fall: gains of a character that lies */
static const double TIME_MAX_S = 10, FELT_MAX_N = 1e4, TORQUE_MAX = 1e6;

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_gait_state, keyframe, 0, TR_GAIT_STATES - 1),
    TR_STATE_BOOL_FIELD(tr_gait_state, begun),
    TR_STATE_INT64_FIELD(tr_gait_state, strikes, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(tr_gait_state, keyframe_s, 0, TIME_MAX_S),
    TR_STATE_DOUBLE_FIELD(tr_gait_state, heading_rad, -TR_PI, TR_PI),
    TR_STATE_DOUBLE_FIELD(tr_gait_state, speed_mps, 0, SPEED_HIGH_MPS),
    TR_STATE_DOUBLE_FIELD(tr_gait_state, felt_n, -FELT_MAX_N, FELT_MAX_N),
    TR_STATE_DOUBLE_FIELD(tr_gait_state, compensation, -TORQUE_MAX, TORQUE_MAX),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_gait *gait = content;
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++)
        if (!tr_reference_is_sound(setting->model, &gait->start[k]))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "gait: start state of keyframe %d: expected finite numbers and unit "
                           "quaternions",
                           k);
    return tr_gait_check(gait, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_gait *gait = content;
    uint64_t hash = tr_hash_add(TR_HASH_START, &setting->model->hash, sizeof setting->model->hash);
    hash = tr_hash_add(hash, &setting->step_s, sizeof setting->step_s);
    hash = tr_reference_hash(hash, setting->spawn, setting->model->body_count);
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++)
        hash = tr_reference_hash(hash, &gait->start[k], setting->model->body_count);
    return tr_gait_hash(gait, hash);
}

tr_status tr_gait_copy(const tr_gait *gait, const tr_model *model, tr_gait **out) {
    const tr_gait_def def = {&gait->force, &gait->speed, gait->own_mps, gait->start,
                             gait->felt_lag_s};
    return tr_gait_create(model, &def, out, NULL);
}

/* A gait does the same on both sides. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_gait *copy = NULL;
    tr_status status = tr_gait_copy(content, setting->model, &copy);
    if (!status)
        *out = copy;
    return status;
}

/* --- sections --- */

static tr_status save_curve(const tr_gait_curve *curve, const char *name, tr_sections *out,
                            tr_error *error) {
    tr_section_writer writer = tr_section_begin(out, name);
    tr_section_put_int(&writer, TR_GAIT_SIZE);
    tr_section_put_int(&writer, curve->count);
    tr_section_put_doubles(&writer, &curve->low, 1);
    tr_section_put_doubles(&writer, &curve->high, 1);
    tr_section_put_doubles(&writer, &curve->row[0][0], (size_t)curve->count * TR_GAIT_SIZE);
    return tr_section_end(&writer, error);
}

static tr_status load_curve(const tr_sections *in, const char *name, tr_gait_curve *out,
                            tr_error *error) {
    tr_section_reader reader = tr_section_open(in, name);
    tr_section_get_int(&reader, TR_GAIT_SIZE, TR_GAIT_SIZE);
    int count = (int)tr_section_get_int(&reader, 1, TR_GAIT_ROW_MAX);
    double low = tr_section_get_double(&reader), high = tr_section_get_double(&reader);
    tr_gait_curve curve = {0};
    if (count && tr_gait_curve_init(&curve, low, high, count))
        return tr_fail(error, TR_DATA_LOSS, "section %s: %d rows from %g to %g", name, count, low,
                       high);
    if (count)
        tr_section_get_doubles(&reader, &curve.row[0][0], (size_t)count * TR_GAIT_SIZE);
    tr_status status = tr_section_close(&reader, error);
    if (status)
        tr_gait_curve_deinit(&curve);
    else
        *out = curve;
    return status;
}

/* Stored only if the lag is not the default: gaits from before there were lags keep their bytes. */
#define LAG_SECTION "gait lag"

static tr_status save_lag(double lag_s, tr_sections *out, tr_error *error) {
    tr_section_writer writer = tr_section_begin(out, LAG_SECTION);
    tr_section_put_doubles(&writer, &lag_s, 1);
    return tr_section_end(&writer, error);
}

static tr_status load_lag(const tr_sections *in, double *out, tr_error *error) {
    if (!tr_sections_find(in, LAG_SECTION))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, LAG_SECTION);
    double lag_s = tr_section_get_double(&reader);
    tr_status status = tr_section_close(&reader, error);
    if (!status)
        *out = lag_s;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_gait *gait = content;
    tr_section_writer writer = tr_section_begin(out, "gait");
    tr_section_put_doubles(&writer, &gait->own_mps, 1);
    tr_section_put_int(&writer, gait->speed.count > 0);
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++)
        tr_reference_put(&writer, &gait->start[k], gait->body_count);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = save_curve(&gait->force, "gait forces", out, error);
    if (!status && gait->speed.count > 0)
        status = save_curve(&gait->speed, "gait speeds", out, error);
    if (!status && gait->felt_lag_s != TR_GAIT_FELT_LAG_S)
        status = save_lag(gait->felt_lag_s, out, error);
    return status;
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_gait_curve force = {0}, speed = {0};
    tr_state start[TR_GAIT_KEYFRAMES];
    tr_gait *gait = NULL;
    tr_section_reader reader = tr_section_open(in, "gait");
    /* A lag of 0 stands for the default, which has no section. */
    tr_gait_def def = {&force, &speed, tr_section_get_double(&reader), start, 0};
    bool has_speeds = tr_section_get_bool(&reader);
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++)
        tr_reference_get(&reader, setting->model->body_count, &start[k]);
    tr_status status = tr_section_close(&reader, error);
    if (!status)
        status = load_curve(in, "gait forces", &force, error);
    if (!status && has_speeds)
        status = load_curve(in, "gait speeds", &speed, error);
    if (!status)
        status = load_lag(in, &def.felt_lag_s, error);
    if (!status)
        status = tr_gait_create(setting->model, &def, &gait, error);
    tr_gait_curve_deinit(&force);
    tr_gait_curve_deinit(&speed);
    if (!status)
        *out = gait;
    return status;
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_gait *gait = content;
    double value[TR_GAIT_SIZE];
    (void)step_s;
    tr_gait_parameters_at(gait, (const double[2]){0}, 0, value);
    double cycle_s = 2 * (value[TR_GAIT_DURATION] + value[TR_GAIT_DURATION + 1]);
    *out = (tr_driver_outline){.entry_count = TR_GAIT_KEYFRAMES,
                               .first_count = TR_GAIT_KEYFRAMES,
                               .cyclic = true,
                               .mirrored = true,
                               .duration_s = cycle_s,
                               .cycle_s = cycle_s,
                               .gain_set = ""};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_gait *gait = content;
    *out = (tr_driver_entry){.gain_set = "", .start = &gait->start[index]};
}

static int parameters(const void *content, tr_driver_parameter *out) {
    const tr_gait *gait = content;
    out[TR_GAIT_PARAMETER_STIFFNESS] = (tr_driver_parameter){
        "stiffness", "", "factor of all gains", STIFFNESS_LOW, STIFFNESS_HIGH, 1, 1};
    if (gait->speed.count == 0)
        return 1;
    out[TR_GAIT_PARAMETER_SPEED] =
        (tr_driver_parameter){"speed",
                              "m/s",
                              "over ground, where the steering target asks for none",
                              gait->speed.low,
                              gait->speed.high,
                              gait->own_mps,
                              1};
    return 2;
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_gait *gait = content;
    tr_driver_skill skill = {.name = "",
                             .count = TR_GAIT_KEYFRAMES,
                             .cyclic = true,
                             .mirrored = true,
                             .speed_mps = gait->own_mps,
                             .turn_rad_s = TR_GAIT_TURN_RAD_S};
    if (gait->speed.count > 0) {
        skill.faster_mps = gait->speed.high - gait->own_mps;
        skill.slower_mps = gait->own_mps - gait->speed.low;
    }
    return tr_driver_sheet_add_skill(sheet, &skill);
}

/* --- state --- */

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content;
    tr_gait_state *s = state;
    s->keyframe = entry_index + (mirrored ? TR_GAIT_KEYFRAMES : 0);
    s->keyframe_s = 0;
}

/* The leg that moves forwards faster is the one that swings. */
static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_gait *gait = content;
    tr_body_state bodies[TR_BODY_MAX];
    double heading_rad = tr_quat_heading(state->pose.root_rot), forwards_mps[2];
    tr_state_forward(model, state, bodies);
    for (int side = 0; side < 2; side++)
        forwards_mps[side] =
            tr_vec3_to_heading(bodies[gait->body.foot[side]].com_vel, heading_rad).x;
    *out_entry = 0;
    *out_mirrored = forwards_mps[0] > forwards_mps[1];
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_gait *gait = content;
    const tr_gait_state *s = state;
    double value[TR_GAIT_SIZE];
    tr_gait_parameters_at(gait, s->felt_n, s->speed_mps, value);
    int stored = s->keyframe & 1;
    *out = (tr_doing){.entry = stored,
                      .phase = fmin(1, s->keyframe_s / value[TR_GAIT_DURATION + stored]),
                      .mirrored = s->keyframe >= TR_GAIT_KEYFRAMES,
                      .between = s->keyframe_s == 0,
                      .entries_done = 2 * s->strikes + stored,
                      .text = "",
                      .shown_count = 2,
                      .shown = {{"felt_force", "N", 2, {s->felt_n[0], s->felt_n[1]}},
                                {"learned_force", "N", 2, {gait->force.low, gait->force.high}}}};
}

static void reach(const void *content, tr_driver_reach *out) {
    const tr_gait *gait = content;
    out->heading = out->place = true;
    if (gait->speed.count > 0) {
        out->slowest_mps = gait->speed.low;
        out->fastest_mps = gait->speed.high;
    }
}

static double wanted_speed(const tr_gait *gait, const tr_sight *sight) {
    if (gait->speed.count == 0)
        return 0;
    double asked = sight->target->speed_mps;
    double wanted = asked > 0 ? asked : sight->parameter[TR_GAIT_PARAMETER_SPEED];
    return fmin(fmax(wanted, gait->speed.low), gait->speed.high);
}

static bool is_finite(const tr_gait_servos *servos, int body_count) {
    bool finite = true;
    for (int i = 1; i < body_count; i++)
        finite = finite && tr_quat_is_finite(servos->target[i]) && isfinite(servos->kp[i]) &&
                 tr_vec3_is_finite(servos->torque[i]);
    return finite;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_gait *gait = content;
    tr_gait_state *s = state;
    tr_gait_sight look_around;
    tr_gait_servos servos;
    /* Steps on the back would throw it about. */
    if (tr_falls_is_down(sight->world, sight->character, false)) {
        tr_falling_drive(sight->model, sight->state, LIMP_S, out);
        return TR_OK;
    }
    tr_status status = tr_gait_look(sight->world, sight->character, &look_around);
    if (status)
        return status;
    look_around.has_target = sight->target->aim != TR_AIM_NONE;
    look_around.turn_rad = tr_steering_bearing(sight->target, sight->world, sight->state).turn_rad;
    look_around.speed_mps = wanted_speed(gait, sight);
    look_around.stiffness = sight->parameter[TR_GAIT_PARAMETER_STIFFNESS];
    out->entry = s->keyframe & 1;
    out->mirrored = s->keyframe >= TR_GAIT_KEYFRAMES;
    out->completes = tr_gait_step(gait, s, &look_around, &servos);
    /* A gait that has diverged must not reach the world. */
    if (!is_finite(&servos, sight->model->body_count))
        return TR_DATA_LOSS;
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = TR_SERVO_VALUES;
    out->feeds_forward = true;
    memcpy(out->target, servos.target, sizeof out->target);
    memcpy(out->kp, servos.kp, sizeof out->kp);
    memcpy(out->kd, servos.kd, sizeof out->kd);
    memcpy(out->torque, servos.torque, sizeof out->torque);
    return TR_OK;
}

const tr_driver_kind tr_gait_kind = {.name = "gait",
                                     .check = check,
                                     .hash = hash,
                                     .mirror = mirror,
                                     .destroy = tr_gait_destroy,
                                     .save = save,
                                     .load = load,
                                     .outline = outline,
                                     .entry = entry,
                                     .parameters = parameters,
                                     .describe = describe,
                                     .state_size = sizeof(tr_gait_state),
                                     .field = fields,
                                     .field_count = sizeof fields / sizeof *fields,
                                     .enter = enter,
                                     .nearest = nearest,
                                     .look = look,
                                     .reach = reach,
                                     .drive = drive};

/* --- controllers that are gaits --- */

tr_status tr_gait_controller_create(const tr_model *model, double step_s, tr_gait *take_gait,
                                    tr_controller **out) {
    const tr_driver driver = {&tr_gait_kind, take_gait};
    return tr_controller_create_for(driver, model, step_s, &take_gait->start[0], out);
}

tr_gait *tr_gait_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_gait_kind);
}
