#include "control/boarding/boarding.h"

#include "control/driver_hold.h"
#include "control/falls.h"
#include "control/gait/gait_body.h"
#include "control/momentum/drive_by_plan.h"
#include "control/reference_state.h"
#include "control/skating/board_rig.h"
#include "math/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOARD }; /* object of the rig */
static const char KIND[] = "boarding", SKILL[] = "ride";
static const char *const STAGE[TR_KICK_STAGES] = {
    [TR_KICK_ROLL] = "rolls",
    [TR_KICK_SHIFT] = "leans back",
    [TR_KICK_TURN] = "turns the board",
    [TR_KICK_LOWER] = "sets the nose down",
};
static const double TIPPED = 0.5; /* of the board's up axis that still points up */

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_boarding_state, step, 0, TR_BOARDING_HOLD_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_boarding_state, begun),
    TR_STATE_BOOL_FIELD(tr_boarding_state, down),
    TR_STATE_INT64_FIELD(tr_boarding_state, entries, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(tr_boarding_state, first_rad, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT_FIELD(tr_boarding_state, kick.stage, 0, TR_KICK_STAGES - 1),
    TR_STATE_INT_FIELD(tr_boarding_state, kick.steps, 0, TR_KICK_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_boarding_state, kick.side, -1, 1),
    TR_STATE_DOUBLE_FIELD(tr_boarding_state, kick.goal_rad, -TR_STATE_ANY, TR_STATE_ANY),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_boarding *boarding = content;
    const tr_driver_hold held = {.kind = KIND,
                                 .gain_set = boarding->gain_set,
                                 .stance = &boarding->stance,
                                 .hold = boarding->hold,
                                 .most = TR_BOARDING_HOLD_MAX};
    tr_status status = tr_driver_hold_check(&held, setting->model, error);
    if (status)
        return status;
    if (boarding->leading != 0 && boarding->leading != 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "boarding: leading side %d; expected 0 or 1",
                       boarding->leading);
    status = tr_board_rig_check(setting->rig, KIND, error);
    if (!status && !(boarding->board.front_m > boarding->board.rear_m))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "boarding: expected a rig with a front and a rear axle");
    return status ? status
                  : tr_number_table_check(&tr_boarding_number_table, &boarding->numbers, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_boarding *boarding = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &boarding->stance, setting->model->body_count);
    hash = tr_hash_add(hash, boarding->gain_set, strlen(boarding->gain_set));
    hash = tr_hash_add(hash, &boarding->hold, sizeof boarding->hold);
    hash = tr_hash_add(hash, &boarding->leading, sizeof boarding->leading);
    return tr_hash_add(hash, &boarding->numbers, sizeof boarding->numbers);
}

static tr_momentum_stance stance_of(const tr_model *model, const tr_rig *rig,
                                    const tr_boarding *boarding) {
    const tr_state state = tr_state_at_rest(model, &boarding->stance.pose);
    tr_body_state bodies[TR_BODY_MAX];
    tr_dynamics dynamics;
    tr_ride_scene scene;
    tr_state_forward(model, &state, bodies);
    tr_dynamics_init(&dynamics, model, &state, bodies);
    tr_ride_scene_look(&(tr_ride_scene_def){.dynamics = &dynamics,
                                            .bodies = bodies,
                                            .sole = boarding->sole,
                                            .deck = &rig->object[BOARD].state,
                                            .board = &boarding->board,
                                            .leading = boarding->leading},
                       &scene);
    return (tr_momentum_stance){scene.centroid, state.pose.root_rot};
}

static tr_status make(const tr_model *model, const tr_rig *rig, const tr_boarding *from, void **out,
                      tr_error *error) {
    tr_gait_body legs;
    tr_status status = tr_gait_body_find(model, &legs, error);
    if (status)
        return status;
    tr_boarding *boarding = malloc(sizeof *boarding);
    if (!boarding)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "boarding: no memory");
    *boarding = *from;
    for (int side = 0; side < 2; side++)
        boarding->sole[side] = tr_foot_sole_of(model, side);
    if (rig) {
        boarding->board = tr_ride_board_of(rig, BOARD, boarding->leading);
        boarding->at_rest = stance_of(model, rig, boarding);
    }
    *out = boarding;
    return TR_OK;
}

/* No number has a side. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_boarding image = *(const tr_boarding *)content;
    image.stance = tr_state_mirror(setting->model, &image.stance);
    image.leading = 1 - image.leading;
    tr_rig rig;
    if (setting->rig)
        rig = tr_rig_mirror(setting->rig, setting->model);
    return make(setting->model, setting->rig ? &rig : NULL, &image, out, NULL);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_boarding *boarding = content;
    tr_section_writer writer = tr_section_begin(out, KIND);
    tr_section_put_text(&writer, boarding->gain_set);
    tr_section_put_int(&writer, boarding->hold);
    tr_section_put_int(&writer, boarding->leading);
    tr_number_table_save(&tr_boarding_number_table, &boarding->numbers, &writer);
    return tr_section_end(&writer, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_boarding read = {.stance = *setting->spawn};
    tr_section_reader reader = tr_section_open(in, KIND);
    tr_section_get_text(&reader, read.gain_set, sizeof read.gain_set);
    read.hold = (int)tr_section_get_int(&reader, 1, TR_BOARDING_HOLD_MAX);
    read.leading = (int)tr_section_get_int(&reader, 0, 1);
    tr_number_table_load(&tr_boarding_number_table, &reader, &read.numbers);
    tr_status status = tr_section_close(&reader, error);
    return status ? status : make(setting->model, setting->rig, &read, out, error);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_boarding *boarding = content;
    *out = tr_driver_hold_outline(boarding->hold, step_s, "");
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_boarding *boarding = content;
    (void)index;
    *out = (tr_driver_entry){.gain_set = "", .start = &boarding->stance, .steps = boarding->hold};
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    (void)content;
    const tr_driver_skill skill = {.name = SKILL, .count = 1, .cyclic = true};
    return tr_driver_sheet_add_skill(sheet, &skill);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_boarding *boarding = content;
    const tr_boarding_state *s = state;
    return s->step < boarding->hold;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)entry_index, (void)mirrored;
    *(tr_boarding_state *)state = (tr_boarding_state){0};
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_boarding *boarding = content;
    const tr_boarding_state *s = state;
    *out = (tr_doing){.phase = (double)s->step / boarding->hold,
                      .between = s->step == 0,
                      .down = s->down,
                      .entries_done = s->entries,
                      .text = s->down ? "fell off" : STAGE[s->kick.stage]};
}

/* Its speed is that of the board. */
static bool suits(const void *content, const tr_steering_target *target) {
    (void)content;
    return target->speed_mps == 0 && !target->skill[0] &&
           (target->aim == TR_AIM_NONE || target->aim == TR_AIM_HEADING);
}

/* --- driving --- */

static void hold_stance(const tr_boarding *boarding, const tr_sight *sight, tr_drive *out) {
    out->gain_set = tr_model_find_gain_set(sight->model, boarding->gain_set);
    memcpy(out->target, boarding->stance.pose.joint, sizeof out->target);
}

/* That the character should face, across its board. */
static double wanted_heading(const tr_sight *sight, const tr_boarding_state *s) {
    return sight->target->aim == TR_AIM_HEADING ? sight->target->heading_rad : s->first_rad;
}

static tr_status plan(const tr_boarding *boarding, const tr_sight *sight, tr_boarding_state *s,
                      tr_drive *out) {
    const tr_body_state *bodies = tr_sight_bodies(sight);
    const tr_boarding_numbers *n = &boarding->numbers;
    tr_dynamics dynamics;
    tr_ride_scene scene;
    double accel[TR_DOF_MAX];
    tr_dynamics_init(&dynamics, sight->model, sight->state, bodies);
    tr_ride_scene_look(&(tr_ride_scene_def){.dynamics = &dynamics,
                                            .bodies = bodies,
                                            .sole = boarding->sole,
                                            .deck = &sight->object[BOARD],
                                            .board = &boarding->board,
                                            .leading = boarding->leading},
                       &scene);
    tr_kick_advance(&s->kick, n, &scene, wanted_heading(sight, s), sight->step_s);
    const tr_kick_plan kick = tr_kick_plan_of(&s->kick, n, &scene);
    const tr_boarding_view view = {.numbers = n,
                                   .at_rest = &boarding->at_rest,
                                   .board = &boarding->board,
                                   .joint = boarding->stance.pose.joint,
                                   .state = sight->state,
                                   .bodies = bodies,
                                   .dynamics = &dynamics,
                                   .scene = &scene,
                                   .deck = &sight->object[BOARD],
                                   .kick = &kick,
                                   .gravity = tr_world_definition(sight->world)->gravity};
    tr_status status = tr_boarding_step(&view, accel, out->torque);
    if (!status)
        tr_drive_by_plan(&dynamics, accel,
                         &(tr_planned_servo){.gain_set = boarding->gain_set,
                                             .damping = n->servo_damping,
                                             .step_s = sight->step_s},
                         out);
    return status;
}

static bool has_tipped(const tr_sight *sight) {
    return tr_quat_rotate(sight->object[BOARD].rot, (tr_vec3){0, 0, 1}).z < TIPPED;
}

/* Contacts before the first step are from before the driver began: it does not end by them. */
static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_boarding *boarding = content;
    tr_boarding_state *s = state;
    const bool weighs = tr_vec3_length(tr_world_definition(sight->world)->gravity) > 0;
    tr_status status = TR_OK;
    s->down = s->begun && (s->down || has_tipped(sight) ||
                           tr_falls_is_down(sight->world, sight->character, false));
    if (!s->begun)
        s->first_rad = tr_quat_heading(sight->object[BOARD].rot);
    s->begun = true;
    out->mode = TR_DRIVE_TARGETS;
    hold_stance(boarding, sight, out);
    if (!s->down && weighs)
        status = plan(boarding, sight, s, out);
    s->step = (s->step + 1) % boarding->hold;
    out->completes = s->step == 0;
    s->entries += out->completes;
    return status;
}

const tr_driver_kind tr_boarding_kind = {.name = KIND,
                                         .check = check,
                                         .hash = hash,
                                         .mirror = mirror,
                                         .destroy = free,
                                         .save = save,
                                         .load = load,
                                         .outline = outline,
                                         .entry = entry,
                                         .describe = describe,
                                         .state_size = sizeof(tr_boarding_state),
                                         .field = fields,
                                         .field_count = sizeof fields / sizeof *fields,
                                         .fits = fits,
                                         .enter = enter,
                                         .nearest = tr_driver_hold_nearest,
                                         .look = look,
                                         .suits = suits,
                                         .drive = drive};

/* --- making --- */

tr_status tr_boarding_controller_create(const tr_model *model, const tr_boarding_def *def,
                                        tr_controller **out, tr_error *error) {
    tr_boarding wanted = {.stance = *def->stance,
                          .hold = def->hold,
                          .leading = def->leading,
                          .numbers = def->numbers};
    void *content = NULL;
    snprintf(wanted.gain_set, sizeof wanted.gain_set, "%s", def->gain_set);
    tr_status status = make(model, def->rig, &wanted, &content, error);
    if (status)
        return status;
    return tr_driver_hold_controller(
        model, (tr_driver){&tr_boarding_kind, content},
        &(tr_driver_hold_setting){SKILL, def->step_s, def->stance, def->rig}, out, error);
}
