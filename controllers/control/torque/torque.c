#include "control/torque/torque.h"

#include "control/fields/reference_state.h"
#include "control/parts/drive_by_plan.h"
#include "control/parts/driver_hold.h"
#include "control/parts/falls.h"
#include "control/parts/gait_body.h"
#include "control/torque/torque_support.h"
#include "math/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ENTRY_S = 0.1; /* as long as a control fragment */
static const double TIPPED = 0.5;  /* a board whose up axis points up by less has tipped over */

/* The supports, one row each, by their names. */
enum { SUPPORTS = 4 };
static const tr_torque_support *const supports[SUPPORTS] = {&tr_torque_ground, &tr_torque_skate,
                                                            &tr_torque_board, &tr_torque_ball};

static const char *name_at(int index) {
    return index < SUPPORTS ? supports[index]->name : NULL;
}

static const char *name_of(const void *content) {
    return ((const tr_torque *)content)->support->name;
}

/* --- numbers --- */

static const tr_torque_numbers *numbers_at(const tr_torque *torque, int index) {
    const tr_torque_numbers *numbers = &torque->support->numbers[index];
    /* The rows end with the first one that has no table. */
    return index < TR_TORQUE_NUMBERS && numbers->table ? numbers : NULL;
}

static int used_of(const tr_torque *torque, const tr_torque_numbers *numbers) {
    return numbers->used ? numbers->used(torque) : (int)numbers->table->count;
}

static void *numbers_in(const tr_torque *torque, const tr_torque_numbers *numbers) {
    return (char *)torque + numbers->offset;
}

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_torque *torque = content;
    const char *name = torque->support->name;
    const tr_driver_hold held = {.kind = name,
                                 .gain_set = torque->gain_set,
                                 .stance = &torque->stance,
                                 .hold = torque->hold,
                                 .most = TR_TORQUE_HOLD_MAX};
    tr_status status = tr_driver_hold_check(&held, setting->model, error);
    if (!status && torque->side != 0 && torque->side != 1)
        status =
            tr_fail(error, TR_INVALID_ARGUMENT, "%s: side %d; expected 0 or 1", name, torque->side);
    if (!status && torque->support->check)
        status = torque->support->check(torque, setting->rig, error);
    const tr_torque_numbers *numbers;
    for (int i = 0; !status && (numbers = numbers_at(torque, i)); i++)
        if (used_of(torque, numbers) > 0)
            status =
                tr_number_table_check(numbers->table, name, numbers_in(torque, numbers), error);
    return status;
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_torque *torque = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &torque->stance, setting->model->body_count);
    hash = tr_hash_add(hash, torque->gain_set, strlen(torque->gain_set));
    hash = tr_hash_add(hash, &torque->hold, sizeof torque->hold);
    if (torque->support->sided)
        hash = tr_hash_add(hash, &torque->side, sizeof torque->side);
    const tr_torque_numbers *numbers;
    for (int i = 0; (numbers = numbers_at(torque, i)); i++)
        hash = tr_hash_add(hash, numbers_in(torque, numbers),
                           (size_t)used_of(torque, numbers) * sizeof(double));
    return hash;
}

static tr_status make(const tr_model *model, const tr_rig *rig, const tr_torque *from, void **out,
                      tr_error *error) {
    tr_gait_body legs;
    tr_status status = tr_gait_body_find(model, &legs, error);
    if (status)
        return status;
    tr_torque *torque = malloc(sizeof *torque);
    if (!torque)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", from->support->name);
    *torque = *from;
    for (int side = 0; side < 2; side++)
        torque->sole[side] = tr_foot_sole_of(model, side);
    status = torque->support->prepare(model, rig, torque, error);
    return TR_GIVE(status, torque, free, out);
}

/* Numbers are the same on both sides. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_torque image = *(const tr_torque *)content;
    image.stance = tr_state_mirror(setting->model, &image.stance);
    image.side = image.support->sided ? 1 - image.side : 0;
    tr_rig rig;
    if (setting->rig)
        rig = tr_rig_mirror(setting->rig, setting->model);
    return make(setting->model, setting->rig ? &rig : NULL, &image, out, NULL);
}

/* --- sections: that of the support, and what other numbers it has --- */

static void save_head(const tr_torque *torque, tr_section_writer *writer) {
    tr_section_put_text(writer, torque->gain_set);
    tr_section_put_int(writer, torque->hold);
    if (torque->support->sided)
        tr_section_put_int(writer, torque->side);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_torque *torque = content;
    const tr_torque_numbers *numbers;
    tr_status status = TR_OK;
    for (int i = 0; !status && (numbers = numbers_at(torque, i)); i++) {
        tr_parameter_table table = *numbers->table;
        table.count = (size_t)used_of(torque, numbers);
        if (table.count == 0)
            continue;
        tr_section_writer writer =
            tr_section_begin(out, numbers->section ? numbers->section : torque->support->name);
        if (!numbers->section)
            save_head(torque, &writer);
        tr_number_table_save(&table, numbers_in(torque, numbers), &writer);
        status = tr_section_end(&writer, error);
    }
    return status;
}

static void load_head(tr_section_reader *reader, tr_torque *out) {
    tr_section_get_text(reader, out->gain_set, sizeof out->gain_set);
    out->hold = (int)tr_section_get_int(reader, 1, TR_TORQUE_HOLD_MAX);
    if (out->support->sided)
        out->side = (int)tr_section_get_int(reader, 0, 1);
}

static tr_status load_numbers(const tr_sections *in, const tr_torque_numbers *numbers,
                              tr_torque *out, tr_error *error) {
    const char *section = numbers->section ? numbers->section : out->support->name;
    if (numbers->least == 0 && !tr_sections_find(in, section))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, section);
    if (!numbers->section)
        load_head(&reader, out);
    tr_number_table_load(numbers->table, numbers->least, &reader, numbers_in(out, numbers));
    return tr_section_close(&reader, error);
}

/* The support is the first one whose section exists. */
static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    int i = 0;
    while (i < SUPPORTS && !tr_sections_find(in, supports[i]->name))
        i++;
    if (i == SUPPORTS)
        return tr_fail(error, TR_DATA_LOSS, "torque: no section of a support, such as '%s'",
                       supports[0]->name);
    tr_torque read = {.support = supports[i], .stance = *setting->spawn};
    const tr_torque_numbers *numbers;
    tr_status status = TR_OK;
    for (int k = 0; !status && (numbers = numbers_at(&read, k)); k++)
        status = load_numbers(in, numbers, &read, error);
    return status ? status : make(setting->model, setting->rig, &read, out, error);
}

/* --- what it can do --- */

static int entries_of(const tr_torque *torque) {
    return torque->support->entries ? torque->support->entries(torque) : 1;
}

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_torque *torque = content;
    *out = tr_driver_hold_outline(torque->hold, step_s, "");
    out->entry_count = entries_of(torque);
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_torque *torque = content;
    *out = (tr_driver_entry){
        .gain_set = "", .start = &torque->stance, .steps = torque->hold, .skill = index};
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_torque *torque = content;
    const int count = entries_of(torque);
    tr_driver_skill skill = {.name = torque->support->skill, .count = 1, .cyclic = true};
    tr_status status = TR_OK;
    for (; !status && skill.first < count; skill.first++) {
        if (count > 1)
            skill.name = torque->support->maneuver[skill.first].skill;
        status = tr_driver_sheet_add_skill(sheet, &skill);
    }
    return status;
}

static void reach(const void *content, tr_driver_reach *out) {
    const tr_torque *torque = content;
    if (torque->support->reach)
        torque->support->reach(torque, out);
}

/* --- state --- */

static const tr_state_field *fields_of(const void *content, int *out_count) {
    const tr_torque *torque = content;
    const tr_torque_support *support = torque->support;
    *out_count = support->used_fields ? support->used_fields(torque) : support->field_count;
    return support->field;
}

static bool fits(const void *content, const void *state) {
    const tr_torque *torque = content;
    const tr_torque_state *s = state;
    return s->step < torque->hold && s->maneuver < entries_of(torque);
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_torque *torque = content;
    tr_torque_state *s = state;
    (void)mirrored;
    /* Between maneuvers a stroke continues, and a fall lasts. */
    if (entries_of(torque) > 1) {
        s->maneuver = entry_index;
        s->step = 0;
        return;
    }
    memset(s, 0, sizeof *s);
    if (torque->support->enter)
        torque->support->enter(s);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_torque *torque = content;
    const tr_torque_state *s = state;
    *out = (tr_doing){.phase = (double)s->step / torque->hold,
                      .between = s->step == 0,
                      .down = s->down,
                      .entry = s->maneuver,
                      .skill = s->maneuver,
                      .entries_done = s->entries,
                      .text = s->down ? torque->support->fell : torque->support->text(s)};
}

/* --- driving --- */

bool tr_torque_has_tipped(const tr_sight *sight) {
    return tr_quat_rotate(sight->object[0].rot, (tr_vec3){0, 0, 1}).z < TIPPED;
}

/* Contacts before the first step are from before the driver began: it does not end by them. */
static bool is_down(const tr_torque *torque, const tr_sight *sight, const tr_torque_state *s) {
    return s->begun && (s->down || (torque->support->is_off && torque->support->is_off(sight)) ||
                        tr_falls_is_down(sight->world, sight->character, false));
}

static void hold_stance(const tr_torque *torque, const tr_sight *sight, tr_drive *out) {
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = tr_model_find_gain_set(sight->model, torque->gain_set);
    memcpy(out->target, torque->stance.pose.joint, sizeof out->target);
}

/* Returns what a maneuver asks for. */
static tr_steering_target target_of(const tr_torque *torque, const tr_sight *sight,
                                    const tr_torque_maneuver *maneuver) {
    const double own_rad = tr_quat_heading(sight->state->pose.root_rot);
    const double turn_rad = torque->side ? maneuver->turn_rad : -maneuver->turn_rad;
    return (tr_steering_target){.aim = turn_rad != 0 ? TR_AIM_HEADING : TR_AIM_NONE,
                                .heading_rad = tr_angle_wrap(own_rad + turn_rad),
                                .speed_mps = maneuver->speed_mps};
}

static tr_status drive_by_plan(const tr_torque *torque, const tr_sight *sight, tr_torque_state *s,
                               tr_drive *out) {
    tr_dynamics dynamics;
    tr_sight asked = *sight;
    tr_steering_target target;
    if (entries_of(torque) > 1) {
        /* A maneuver has a target of its own while it lasts. */
        target = target_of(torque, sight, &torque->support->maneuver[s->maneuver]);
        asked.target = &target;
    }
    const tr_torque_view view = {torque,
                                 &asked,
                                 {&dynamics, sight->state, tr_sight_bodies(sight),
                                  torque->stance.pose.joint,
                                  tr_world_definition(sight->world)->gravity}};
    tr_torque_plan plan = {.torque = out->torque};
    tr_dynamics_init(&dynamics, sight->model, sight->state, view.body.bodies);
    tr_status status = torque->support->plan(&view, s, &plan);
    if (!status && plan.made)
        tr_drive_by_plan(
            &dynamics, plan.accel,
            &(tr_planned_servo){torque->gain_set, plan.damping, sight->step_s, plan.feet_damping},
            out);
    return status;
}

/* Without weight no plan stays finite. */
static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_torque *torque = content;
    tr_torque_state *s = state;
    const bool weighs = tr_vec3_length(tr_world_definition(sight->world)->gravity) > 0;
    tr_status status = TR_OK;
    s->down = is_down(torque, sight, s);
    if (torque->support->follow)
        torque->support->follow(torque, sight, s);
    s->begun = true;
    /* Servos hold the stance; a plan that is made replaces them. */
    hold_stance(torque, sight, out);
    if (!s->down && weighs)
        status = drive_by_plan(torque, sight, s, out);
    out->entry = s->maneuver;
    s->step = (s->step + 1) % torque->hold;
    out->completes = s->step == 0;
    s->entries += out->completes;
    return status;
}

const tr_driver_kind tr_torque_kind = {.name = "torque",
                                       .name_at = name_at,
                                       .name_of = name_of,
                                       .check = check,
                                       .hash = hash,
                                       .mirror = mirror,
                                       .destroy = free,
                                       .save = save,
                                       .load = load,
                                       .outline = outline,
                                       .entry = entry,
                                       .describe = describe,
                                       .state_size = sizeof(tr_torque_state),
                                       .fields_of = fields_of,
                                       .fits = fits,
                                       .enter = enter,
                                       .nearest = tr_driver_hold_nearest,
                                       .look = look,
                                       .reach = reach,
                                       .drive = drive};

/* --- making --- */

const tr_torque *tr_torque_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_torque_kind);
}

tr_status tr_torque_controller_create(const tr_model *model, const tr_torque_def *def,
                                      tr_controller **out, tr_error *error) {
    const int entry_steps = (int)fmax(1, round(ENTRY_S / def->step_s));
    tr_torque wanted = {.support = def->support,
                        .stance = *def->stance,
                        .hold = def->hold ? def->hold : entry_steps,
                        .side = def->side};
    const tr_torque_numbers *numbers;
    void *content = NULL;
    snprintf(wanted.gain_set, sizeof wanted.gain_set, "%s", def->gain_set);
    for (int i = 0; (numbers = numbers_at(&wanted, i)); i++)
        memcpy(numbers_in(&wanted, numbers), def->numbers[i],
               (size_t)numbers->table->count * sizeof(double));
    if (def->side != 0 && def->side != 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: side %d; expected 0 or 1",
                       def->support->name, def->side);
    /* What the support computes from model, stance and rig is made, not given. */
    tr_status status = make(model, def->rig, &wanted, &content, error);
    if (status)
        return status;
    return tr_driver_hold_controller(
        model, (tr_driver){&tr_torque_kind, content},
        &(tr_driver_hold_setting){def->support->performs, def->step_s, def->stance, def->rig}, out,
        error);
}
