#include "control/balance/balance.h"

#include "control/fields/reference_state.h"
#include "control/fields/section_pass.h"
#include "control/parts/driver_hold.h"
#include "control/parts/falls.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double BOUND_MAX_RAD = 2;

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_balance_state, step, 0, TR_BALANCE_HOLD_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_balance_state, begun),
    TR_STATE_BOOL_FIELD(tr_balance_state, down),
    TR_STATE_INT64_FIELD(tr_balance_state, looks, 0, TR_STATE_STEPS),
    TR_STATE_INT_FIELD(tr_balance_state, entry, 0, TR_POSTURE_MAX - 1),
    TR_STATE_DOUBLE_FIELD(tr_balance_state, home.x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_balance_state, home.y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_balance_state, home.heading_rad, -TR_PI, TR_PI),
    TR_STATE_DOUBLE_FIELD(tr_balance_state, action, -BOUND_MAX_RAD, BOUND_MAX_RAD),
};

bool tr_balance_action_is_lateral(tr_balance_action action) {
    return action >= TR_BALANCE_TURN_ANKLE_ROLL;
}

/* --- content --- */

static tr_status check_numbers(const tr_balance *balance, tr_error *error) {
    bool finite = true;
    for (int f = 0; f < TR_BALANCE_FEATURES; f++)
        finite = finite && isfinite(balance->rest[f]);
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++)
        for (int f = -1; f < TR_BALANCE_FEATURES; f++)
            finite = finite && isfinite(f < 0 ? balance->offset[a] : balance->gain[a][f]);
    if (!finite)
        return tr_fail(error, TR_INVALID_ARGUMENT, "balance: a rest, offset or gain: not finite");
    if (!(balance->bound_rad >= 0 && balance->bound_rad <= BOUND_MAX_RAD))
        return tr_fail(error, TR_INVALID_ARGUMENT, "balance: bound %g rad; expected 0 to %g",
                       balance->bound_rad, BOUND_MAX_RAD);
    return tr_postures_check(&balance->postures, error);
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_balance *balance = content;
    const tr_balance_place *place = &balance->place;
    int objects = setting->rig ? setting->rig->object_count : 0;
    if (place->base < 0 || place->base >= objects || place->deck < -1 || place->deck >= objects ||
        place->deck == place->base)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "balance: base %d and deck %d; expected two of the rig's %d objects, or "
                       "deck -1",
                       place->base, place->deck, objects);
    const tr_driver_hold hold = {"balance", balance->gain_set, &balance->stance, balance->hold,
                                 TR_BALANCE_HOLD_MAX};
    tr_status status = tr_driver_hold_check(&hold, setting->model, error);
    return status ? status : check_numbers(balance, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_balance *balance = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &balance->stance, setting->model->body_count);
    hash = tr_hash_add(hash, balance->gain_set, strlen(balance->gain_set));
    hash = tr_hash_add(hash, &balance->hold, sizeof balance->hold);
    hash = tr_hash_add(hash, &balance->place.base, sizeof balance->place.base);
    hash = tr_hash_add(hash, &balance->place.deck, sizeof balance->place.deck);
    hash = tr_hash_add(hash, &balance->bound_rad, sizeof balance->bound_rad);
    hash = tr_hash_add(hash, balance->rest, sizeof balance->rest);
    hash = tr_hash_add(hash, balance->offset, sizeof balance->offset);
    hash = tr_hash_add(hash, balance->gain, sizeof balance->gain);
    return tr_postures_hash(&balance->postures, hash);
}

static tr_status copy_of(const tr_balance *balance, tr_balance **out) {
    tr_balance *copy = malloc(sizeof *copy);
    if (!copy)
        return TR_RESOURCE_EXHAUSTED;
    *copy = *balance;
    *out = copy;
    return TR_OK;
}

/* In the mirror image lateral features and actions change their signs. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_balance *image;
    tr_status status = copy_of(content, &image);
    if (status)
        return status;
    image->stance = tr_state_mirror(setting->model, &image->stance);
    for (int f = 0; f < TR_BALANCE_FEATURES; f++)
        if (tr_balance_feature_row_of[f].lateral)
            image->rest[f] = -image->rest[f];
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++) {
        bool odd = tr_balance_action_is_lateral((tr_balance_action)a);
        image->offset[a] = odd ? -image->offset[a] : image->offset[a];
        for (int i = 0; odd && i < image->postures.count; i++)
            image->postures.turn[i][a] = -image->postures.turn[i][a];
        for (int f = 0; f < TR_BALANCE_FEATURES; f++)
            /* A gain between a lateral and a sagittal quantity changes its sign. */
            if (tr_balance_feature_row_of[f].lateral != odd)
                image->gain[a][f] = -image->gain[a][f];
    }
    *out = image;
    return TR_OK;
}

static void pass_policy(const tr_section_pass *pass, tr_balance *balance) {
    int actions = TR_BALANCE_ACTIONS, features = TR_BALANCE_FEATURES;
    tr_section_pass_text(pass, balance->gain_set, sizeof balance->gain_set);
    tr_section_pass_int(pass, &balance->hold, 1, TR_BALANCE_HOLD_MAX);
    tr_section_pass_int(pass, &balance->place.base, 0, TR_RIG_OBJECT_MAX - 1);
    tr_section_pass_int(pass, &balance->place.deck, -1, TR_RIG_OBJECT_MAX - 1);
    tr_section_pass_doubles(pass, &balance->bound_rad, 1);
    tr_section_pass_int(pass, &actions, TR_BALANCE_ACTIONS, TR_BALANCE_ACTIONS);
    tr_section_pass_int(pass, &features, TR_BALANCE_FEATURES, TR_BALANCE_FEATURES);
    tr_section_pass_doubles(pass, balance->rest, TR_BALANCE_FEATURES);
    tr_section_pass_doubles(pass, balance->offset, TR_BALANCE_ACTIONS);
    tr_section_pass_doubles(pass, &balance->gain[0][0],
                            (size_t)TR_BALANCE_ACTIONS * TR_BALANCE_FEATURES);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    tr_balance balance = *(const tr_balance *)content;
    tr_status status = tr_postures_save(&balance.postures, out, error);
    if (status)
        return status;
    tr_section_writer writer = tr_section_begin(out, "balance");
    pass_policy(&(tr_section_pass){.to = &writer}, &balance);
    return tr_section_end(&writer, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_balance *balance = calloc(1, sizeof *balance);
    if (!balance)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "balance: no memory");
    tr_section_reader reader = tr_section_open(in, "balance");
    pass_policy(&(tr_section_pass){.from = &reader}, balance);
    balance->stance = *setting->spawn;
    tr_status status = tr_section_close(&reader, error);
    if (!status && tr_sections_find(in, "balance-blind"))
        status = tr_fail(error, TR_UNIMPLEMENTED,
                         "balance: it does not see its object; this build has no such feedback");
    if (!status)
        status = tr_postures_load(&balance->postures, in, error);
    if (!status)
        status = tr_gait_body_find(setting->model, &balance->body, error);
    return TR_GIVE(status, balance, free, out);
}

/* --- what it can do --- */

static int steps_of(const tr_balance *balance) {
    return balance->postures.looks * balance->hold;
}

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_balance *balance = content;
    *out = tr_driver_hold_outline(steps_of(balance), step_s, balance->gain_set);
    out->entry_count = balance->postures.count;
    out->duration_s *= balance->postures.count;
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_balance *balance = content;
    *out = (tr_driver_entry){.gain_set = balance->gain_set,
                             .start = &balance->stance,
                             .steps = steps_of(balance),
                             .skill = tr_postures_skill_of(&balance->postures, index)};
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_balance *balance = content;
    return tr_postures_describe(&balance->postures, sheet);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_balance *balance = content;
    const tr_balance_state *s = state;
    return s->step < balance->hold && s->entry < balance->postures.count;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_balance *balance = content;
    tr_balance_state *s = state;
    (void)mirrored;
    /* The choice of a posture is no new beginning: home stays, and a fallen character stays down. */
    if (!tr_postures_exist(&balance->postures))
        *s = (tr_balance_state){0};
    s->entry = entry_index;
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_balance *balance = content;
    const tr_balance_state *s = state;
    const int looks = balance->postures.looks, look = (int)(s->looks % looks);
    double square = 0;
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++)
        square += s->action[a] * s->action[a];
    *out = (tr_doing){.entry = s->entry,
                      .skill = tr_postures_skill_of(&balance->postures, s->entry),
                      .phase = (look + (double)s->step / balance->hold) / looks,
                      .between = s->step == 0 && look == 0,
                      .down = s->down,
                      .entries_done = s->looks / looks,
                      .feedback_rad = sqrt(square),
                      .text =
                          s->down ? "fell off" : tr_postures_name_of(&balance->postures, s->entry)};
}

/* --- driving --- */

/* Does the character or its deck touch the static world, or a platform? */
static bool has_fallen(const tr_balance_place *place, const tr_sight *sight) {
    tr_entity_id deck = place->deck < 0 ? 0 : sight->object_id[place->deck];
    for (int i = 0; i < sight->contact_count; i++) {
        const tr_entity_id *entity = sight->contact[i].entity;
        for (int side = 0; side < 2; side++)
            if ((entity[side] == sight->character || (deck && entity[side] == deck)) &&
                tr_falls_is_ground(sight->world, entity[1 - side]))
                return true;
    }
    return false;
}

static void decide(const tr_balance *balance, const tr_sight *sight, tr_balance_state *state) {
    double z[TR_BALANCE_FEATURES];
    tr_balance_look(&balance->place, &balance->body, &state->home, sight, z);
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++) {
        /* u = offset + K (z - rest), within the bound. */
        double u = balance->offset[a];
        for (int f = 0; f < TR_BALANCE_FEATURES; f++)
            u += balance->gain[a][f] * (z[f] - balance->rest[f]);
        state->action[a] = fmax(-balance->bound_rad, fmin(balance->bound_rad, u));
    }
}

/* Turns joints by actions on top of what they are. out: [body_count], rotations. */
static void turn_joints(const tr_balance *balance, const double action[TR_BALANCE_ACTIONS],
                        const tr_model *model, tr_quat *out) {
    const tr_gait_body *body = &balance->body;
    tr_quat_turn(&out[body->waist[0]], (tr_vec3){action[TR_BALANCE_TURN_WAIST_ROLL],
                                                 action[TR_BALANCE_TURN_WAIST_PITCH], 0});
    for (int side = 0; side < 2; side++) {
        /* One knee bends and the other stretches; half of it back at hip and ankle keeps the foot
         * level. */
        double bend = action[TR_BALANCE_TURN_KNEES] * (side ? -1 : 1);
        tr_quat_turn(&out[body->thigh[side]],
                     (tr_vec3){action[TR_BALANCE_TURN_HIP_ROLL],
                               action[TR_BALANCE_TURN_HIP_PITCH] - bend / 2,
                               action[TR_BALANCE_TURN_HIP_YAW]});
        tr_quat_turn(&out[body->shank[side]],
                     tr_vec3_scale(model->body[body->shank[side]].axis, bend));
        tr_quat_turn(&out[body->foot[side]],
                     (tr_vec3){action[TR_BALANCE_TURN_ANKLE_ROLL],
                               action[TR_BALANCE_TURN_ANKLE_PITCH] - bend / 2, 0});
    }
}

/* Contacts before the first look are from before the driver began, and end nothing. */
static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_balance *balance = content;
    tr_balance_state *s = state;
    if (s->begun)
        s->down = s->down || has_fallen(&balance->place, sight);
    else
        s->home = tr_balance_home_of(&balance->place, sight);
    s->begun = true;
    /* A fallen character returns to the stance. */
    if (s->down)
        memset(s->action, 0, sizeof s->action);
    /* The look ends, or the actions are held for another step. */
    else if (s->step == 0)
        decide(balance, sight, s);
    if (!tr_all_finite(s->action, TR_BALANCE_ACTIONS))
        return TR_DATA_LOSS;
    s->step = (s->step + 1) % balance->hold;
    s->looks += s->step == 0;
    out->completes = s->step == 0 && s->looks % balance->postures.looks == 0;
    out->entry = s->entry;
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = tr_model_find_gain_set(sight->model, balance->gain_set);
    /* The feedback turns the joints of the stance, and a posture is added on top of it. */
    const size_t size = (size_t)sight->model->body_count * sizeof *out->target;
    memcpy(out->target, balance->stance.pose.joint, size);
    turn_joints(balance, s->action, sight->model, out->target);
    if (!s->down && s->entry > 0)
        turn_joints(balance, balance->postures.turn[s->entry], sight->model, out->target);
    /* Without a scheduler postures follow in fixed order. */
    if (out->completes)
        s->entry = tr_postures_follower_of(&balance->postures, s->entry);
    return TR_OK;
}

const tr_driver_kind tr_balance_kind = {.name = "balance",
                                        .check = check,
                                        .hash = hash,
                                        .mirror = mirror,
                                        .destroy = free,
                                        .save = save,
                                        .load = load,
                                        .outline = outline,
                                        .entry = entry,
                                        .describe = describe,
                                        .state_size = sizeof(tr_balance_state),
                                        .field = fields,
                                        .field_count = sizeof fields / sizeof *fields,
                                        .fits = fits,
                                        .enter = enter,
                                        .nearest = tr_driver_hold_nearest,
                                        .look = look,
                                        .drive = drive};

/* --- controllers that balance --- */

/* Finds the features of the stance, from a world without ground in which nothing moves yet. */
static tr_status look_at_rest(const tr_model *model, const tr_rig *rig, tr_balance *balance) {
    tr_world *world = NULL;
    tr_entity_id id;
    tr_rig_pieces pieces = {0};
    tr_object_state object[TR_RIG_OBJECT_MAX];
    tr_world_def def = tr_world_def_default();
    tr_rig_place place = tr_rig_place_under(&balance->stance);
    tr_status status = tr_world_create(&def, &world);
    if (!status)
        status = tr_world_add_character(world, model, &balance->stance, &id);
    if (!status)
        status = tr_rig_spawn(rig, world, id, &place, &pieces);
    if (!status)
        status = tr_rig_look(&pieces, world, object);
    /* What it sees at rest is what it is regulated to. */
    if (!status) {
        const tr_sight sight = {.world = world,
                                .character = id,
                                .model = model,
                                .state = &balance->stance,
                                .object = object,
                                .object_count = pieces.count};
        tr_balance_home home = tr_balance_home_of(&balance->place, &sight);
        tr_balance_look(&balance->place, &balance->body, &home, &sight, balance->rest);
    }
    tr_world_destroy(world);
    return status;
}

static tr_status create_content(const tr_model *model, const tr_balance_def *def, tr_balance **out,
                                tr_error *error) {
    tr_balance *balance = calloc(1, sizeof *balance);
    if (!balance)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "balance: no memory");
    balance->stance = *def->stance;
    balance->hold = def->hold;
    balance->place = def->place;
    balance->bound_rad = def->bound_rad;
    balance->postures = tr_postures_none;
    snprintf(balance->gain_set, sizeof balance->gain_set, "%s", def->gain_set);
    tr_status status = tr_gait_body_find(model, &balance->body, error);
    if (!status)
        status = look_at_rest(model, def->rig, balance);
    return TR_GIVE(status, balance, free, out);
}

tr_status tr_balance_controller_create(const tr_model *model, const tr_balance_def *def,
                                       tr_controller **out, tr_error *error) {
    const tr_driver_hold_setting setting = {"balance", def->step_s, def->stance, def->rig};
    tr_balance *balance = NULL;
    tr_status status = create_content(model, def, &balance, error);
    return status ? status
                  : tr_driver_hold_controller(model, (tr_driver){&tr_balance_kind, balance},
                                              &setting, out, error);
}

tr_balance *tr_balance_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_balance_kind);
}

static const unsigned char *find_state(tr_driver driver, const unsigned char *state) {
    if (driver.kind == &tr_balance_kind)
        return state;
    const tr_driver held = tr_driver_held(driver, 0);
    return held.kind ? find_state(held, state + tr_driver_held_offset(driver, 0)) : NULL;
}

const tr_balance_state *tr_balance_state_of(const tr_runner *runner) {
    return (const tr_balance_state *)find_state(runner->controller->driver, runner->state);
}
