#include "control/momentum/momentum_balance.h"

#include "control/driver_hold.h"
#include "control/falls.h"
#include "control/gait/gait_body.h"
#include "control/momentum/drive_by_plan.h"
#include "control/momentum/momentum_step.h"
#include "control/reference_state.h"
#include "math/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char KIND[] = "momentum", STANCE[] = "stance"; /* its one skill */

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_momentum_balance_state, step, 0, TR_MOMENTUM_HOLD_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_momentum_balance_state, begun),
    TR_STATE_BOOL_FIELD(tr_momentum_balance_state, down),
    TR_STATE_INT64_FIELD(tr_momentum_balance_state, entries, 0, TR_STATE_STEPS),
    TR_STATE_BOOL_FIELD(tr_momentum_balance_state, outside.expects),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.force.x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.force.y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.force.z, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.moment.x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.moment.y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.moment.z, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.expected.linear.x, -TR_STATE_ANY,
                          TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.expected.linear.y, -TR_STATE_ANY,
                          TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.expected.linear.z, -TR_STATE_ANY,
                          TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.expected.angular.x, -TR_STATE_ANY,
                          TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.expected.angular.y, -TR_STATE_ANY,
                          TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_momentum_balance_state, outside.expected.angular.z, -TR_STATE_ANY,
                          TR_STATE_ANY),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_momentum_balance *balance = content;
    const tr_driver_hold held = {.kind = KIND,
                                 .gain_set = balance->gain_set,
                                 .stance = &balance->stance,
                                 .hold = balance->hold,
                                 .most = TR_MOMENTUM_HOLD_MAX};
    tr_status status = tr_driver_hold_check(&held, setting->model, error);
    if (status)
        return status;
    return tr_number_table_check(&tr_momentum_number_table, &balance->numbers, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_momentum_balance *balance = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &balance->stance, setting->model->body_count);
    hash = tr_hash_add(hash, balance->gain_set, strlen(balance->gain_set));
    hash = tr_hash_add(hash, &balance->hold, sizeof balance->hold);
    return tr_hash_add(hash, &balance->numbers, sizeof balance->numbers);
}

/* Soles, and where the stance has its centroid. */
static tr_status look_at_model(const tr_model *model, tr_momentum_balance *out, tr_error *error) {
    tr_gait_body legs;
    tr_status status = tr_gait_body_find(model, &legs, error);
    if (status)
        return status;
    for (int side = 0; side < 2; side++)
        out->sole[side] = tr_foot_sole_of(model, side);
    if (tr_momentum_stance_of(model, out->sole, &out->stance.pose, &out->at_rest))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "momentum: stance: expected soles below the feet");
}

static tr_status make(const tr_model *model, const tr_momentum_balance *from, void **out,
                      tr_error *error) {
    tr_momentum_balance *balance = malloc(sizeof *balance);
    if (!balance)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "momentum: no memory");
    *balance = *from;
    tr_status status = look_at_model(model, balance, error);
    if (status)
        free(balance);
    else
        *out = balance;
    return status;
}

/* No number has a side. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_momentum_balance image = *(const tr_momentum_balance *)content;
    image.stance = tr_state_mirror(setting->model, &image.stance);
    return make(setting->model, &image, out, NULL);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_momentum_balance *balance = content;
    tr_section_writer writer = tr_section_begin(out, KIND);
    tr_section_put_text(&writer, balance->gain_set);
    tr_section_put_int(&writer, balance->hold);
    tr_number_table_save(&tr_momentum_number_table, &balance->numbers, &writer);
    return tr_section_end(&writer, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_momentum_balance read = {.stance = *setting->spawn};
    tr_section_reader reader = tr_section_open(in, KIND);
    tr_section_get_text(&reader, read.gain_set, sizeof read.gain_set);
    read.hold = (int)tr_section_get_int(&reader, 1, TR_MOMENTUM_HOLD_MAX);
    tr_number_table_load(&tr_momentum_number_table, &reader, &read.numbers);
    tr_status status = tr_section_close(&reader, error);
    return status ? status : make(setting->model, &read, out, error);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_momentum_balance *balance = content;
    *out = tr_driver_hold_outline(balance->hold, step_s, "");
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_momentum_balance *balance = content;
    (void)index;
    *out = (tr_driver_entry){.gain_set = "", .start = &balance->stance, .steps = balance->hold};
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    (void)content;
    const tr_driver_skill skill = {.name = STANCE, .count = 1, .cyclic = true};
    return tr_driver_sheet_add_skill(sheet, &skill);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_momentum_balance *balance = content;
    const tr_momentum_balance_state *s = state;
    return s->step < balance->hold;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)entry_index, (void)mirrored;
    *(tr_momentum_balance_state *)state = (tr_momentum_balance_state){0};
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_momentum_balance *balance = content;
    const tr_momentum_balance_state *s = state;
    *out = (tr_doing){.phase = (double)s->step / balance->hold,
                      .between = s->step == 0,
                      .down = s->down,
                      .entries_done = s->entries,
                      .text = s->down ? "fell" : STANCE};
}

/* It stands in place. */
static bool suits(const void *content, const tr_steering_target *target) {
    (void)content;
    return target->speed_mps == 0 && !target->skill[0] && target->aim == TR_AIM_NONE;
}

/* --- driving --- */

static void hold_stance(const tr_momentum_balance *balance, const tr_sight *sight, tr_drive *out) {
    out->gain_set = tr_model_find_gain_set(sight->model, balance->gain_set);
    memcpy(out->target, balance->stance.pose.joint, sizeof out->target);
}

/* false: no foot stands. */
static bool find_foothold(const tr_momentum_balance *balance, const tr_sight *sight,
                          const tr_body_state *bodies, tr_foothold *out) {
    tr_foothold_def def = {.model = sight->model,
                           .sole = balance->sole,
                           .bodies = bodies,
                           .margin_m = balance->numbers.margin_m};
    for (int side = 0; side < 2; side++)
        def.ground[side] =
            tr_foothold_ground(sight->world, sight->model, balance->sole, bodies, side);
    return tr_foothold_place(&def, out);
}

static tr_status plan(const tr_momentum_balance *balance, const tr_sight *sight,
                      const tr_foothold *foothold, tr_disturbance *outside, tr_drive *out) {
    const tr_body_state *bodies = tr_sight_bodies(sight);
    tr_dynamics dynamics;
    tr_momentum_plan planned;
    tr_dynamics_init(&dynamics, sight->model, sight->state, bodies);
    const tr_momenta now = {tr_v4_to(dynamics.momentum.lin), tr_v4_to(dynamics.momentum.ang)};
    tr_disturbance_observe(outside, &now, balance->numbers.observe_s);
    const tr_momentum_view view = {.numbers = &balance->numbers,
                                   .stance = &balance->at_rest,
                                   .joint = balance->stance.pose.joint,
                                   .state = sight->state,
                                   .bodies = bodies,
                                   .dynamics = &dynamics,
                                   .foothold = foothold,
                                   .disturbance = outside,
                                   .gravity = tr_world_definition(sight->world)->gravity,
                                   .up = sight->ground.normal};
    tr_status status = tr_momentum_step(&view, &planned, out->torque);
    if (status)
        return status;
    tr_disturbance_expect(outside, &now, &planned.rate, sight->step_s);
    tr_drive_by_plan(&dynamics, planned.accel,
                     &(tr_planned_servo){.gain_set = balance->gain_set,
                                         .damping = balance->numbers.servo_damping,
                                         .step_s = sight->step_s},
                     out);
    return TR_OK;
}

/* Contacts before the first step are from before the driver began: it does not end by them. Without
 * weight no plan stays finite. */
static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_momentum_balance *balance = content;
    tr_momentum_balance_state *s = state;
    const bool weighs = tr_vec3_length(tr_world_definition(sight->world)->gravity) > 0;
    tr_foothold foothold;
    tr_status status = TR_OK;
    s->down = s->begun && (s->down || tr_falls_is_down(sight->world, sight->character, false));
    s->begun = true;
    out->mode = TR_DRIVE_TARGETS;
    hold_stance(balance, sight, out);
    if (!s->down && weighs && find_foothold(balance, sight, tr_sight_bodies(sight), &foothold))
        status = plan(balance, sight, &foothold, &s->outside, out);
    else
        s->outside = (tr_disturbance){0};
    s->step = (s->step + 1) % balance->hold;
    out->completes = s->step == 0;
    s->entries += out->completes;
    return status;
}

const tr_driver_kind tr_momentum_balance_kind = {.name = KIND,
                                                 .check = check,
                                                 .hash = hash,
                                                 .mirror = mirror,
                                                 .destroy = free,
                                                 .save = save,
                                                 .load = load,
                                                 .outline = outline,
                                                 .entry = entry,
                                                 .describe = describe,
                                                 .state_size = sizeof(tr_momentum_balance_state),
                                                 .field = fields,
                                                 .field_count = sizeof fields / sizeof *fields,
                                                 .fits = fits,
                                                 .enter = enter,
                                                 .nearest = tr_driver_hold_nearest,
                                                 .look = look,
                                                 .suits = suits,
                                                 .drive = drive};

/* --- making --- */

tr_status tr_momentum_controller_create(const tr_model *model, const tr_momentum_balance_def *def,
                                        tr_controller **out, tr_error *error) {
    tr_momentum_balance wanted = {
        .stance = *def->stance, .hold = def->hold, .numbers = def->numbers};
    void *content = NULL;
    snprintf(wanted.gain_set, sizeof wanted.gain_set, "%s", def->gain_set);
    tr_status status = make(model, &wanted, &content, error);
    if (status)
        return status;
    return tr_driver_hold_controller(
        model, (tr_driver){&tr_momentum_balance_kind, content},
        &(tr_driver_hold_setting){"stand", def->step_s, def->stance, NULL}, out, error);
}
