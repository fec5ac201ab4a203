#include "control/falls.h"
#include "control/planner.h"
#include "control/stage_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tr_status tr_stage_create(const tr_world_def *def, tr_stage **out) {
    tr_stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_world_create(def, &stage->world);
    if (status) {
        free(stage);
        return status;
    }
    *out = stage;
    return TR_OK;
}

void tr_stage_destroy(tr_stage *stage) {
    if (!stage)
        return;
    tr_world_destroy(stage->world);
    free(stage);
}

tr_world *tr_stage_world(tr_stage *stage) {
    return stage->world;
}

const tr_world *tr_stage_world_const(const tr_stage *stage) {
    return stage->world;
}

/* --- performers --- */

static tr_slot *find_slot(tr_stage *stage, tr_entity_id id) {
    for (int i = 0; i < stage->slot_count; i++)
        if (stage->slot[i].id == id)
            return &stage->slot[i];
    return NULL;
}

const tr_performer *tr_stage_performer(const tr_stage *stage, tr_entity_id id) {
    for (int i = 0; i < stage->slot_count; i++)
        if (stage->slot[i].id == id)
            return &stage->slot[i].performer;
    return NULL;
}

tr_status tr_stage_admit(const tr_stage *stage, const tr_controller *controller,
                         const tr_model *model) {
    tr_status status = tr_controller_check(controller, model, NULL);
    if (status)
        return status;
    double step_s = tr_world_definition(stage->world)->step_s;
    return fabs(controller->step_s - step_s) < 1e-9 ? TR_OK : TR_FAILED_PRECONDITION;
}

/* Characters mostly share their controllers, and a hash of one costs more than a look around. */
static uint64_t hash_controller(const tr_stage *stage, const tr_controller *controller,
                                const tr_model *model) {
    for (int i = 0; i < stage->slot_count; i++) {
        const tr_slot *slot = &stage->slot[i];
        if (slot->performer.runner.controller == controller)
            return slot->controller_hash;
        if (slot->performer.next == controller)
            return slot->next_hash;
    }
    return tr_controller_hash(controller, model);
}

static tr_status check_spawn(const tr_stage *stage, const tr_spawn_def *def) {
    if (stage->slot_count == TR_CHARACTER_MAX)
        return TR_RESOURCE_EXHAUSTED;
    if (!tr_vec3_is_finite(def->pos) || !isfinite(def->heading_rad))
        return TR_INVALID_ARGUMENT;
    if (!def->controller)
        return TR_OK;
    tr_status status = tr_stage_admit(stage, def->controller, def->model);
    if (status)
        return status;
    bool known = def->fragment >= 0 && def->fragment < def->controller->fragment_count;
    return known ? TR_OK : TR_OUT_OF_RANGE;
}

static tr_state spawn_state(const tr_spawn_def *def) {
    tr_state state;
    if (def->controller) {
        const tr_controller *controller = def->controller;
        state = def->fragment ? controller->fragment[def->fragment].start : controller->spawn;
    } else {
        tr_pose rest = tr_pose_rest(def->model);
        state = tr_state_at_rest(def->model, &rest);
    }
    return tr_state_place(&state, def->heading_rad, def->pos);
}

tr_status tr_stage_spawn(tr_stage *stage, const tr_spawn_def *def, tr_entity_id *out_id) {
    tr_status status = check_spawn(stage, def);
    if (status)
        return status;
    tr_slot slot = {0};
    tr_state state = spawn_state(def);
    status = tr_world_add_character(stage->world, def->model, &state, &slot.id);
    if (status)
        return status;
    if (def->controller) {
        slot.gain_set = tr_model_find_gain_set(
            def->model, tr_controller_gain_set(def->controller, def->fragment));
        slot.controller_hash = hash_controller(stage, def->controller, def->model);
        slot.performer.runner = tr_runner_start(def->controller, def->fragment, false);
    }
    stage->slot[stage->slot_count++] = slot;
    *out_id = slot.id;
    return TR_OK;
}

static void remove_slot(tr_stage *stage, tr_slot *slot) {
    tr_slot *end = stage->slot + stage->slot_count;
    memmove(slot, slot + 1, (size_t)(end - slot - 1) * sizeof *slot);
    stage->slot_count--;
}

tr_status tr_stage_despawn(tr_stage *stage, tr_entity_id id) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    remove_slot(stage, slot);
    return tr_world_remove_character(stage->world, id);
}

/* Nothing drives the character any more; its servos hold the last targets. */
static void release(tr_slot *slot) {
    slot->performer.runner = (tr_runner){0};
    slot->performer.recovery = (tr_recovery){0};
    slot->performer.next = NULL;
    slot->controller_hash = slot->next_hash = 0;
}

tr_status tr_stage_set_controller(tr_stage *stage, tr_entity_id id,
                                  const tr_controller *controller) {
    tr_slot *slot = find_slot(stage, id);
    const tr_model *model = tr_world_character_model(stage->world, id);
    if (!slot || !model)
        return TR_NOT_FOUND;
    if (!controller) {
        release(slot);
        return TR_OK;
    }
    tr_status status = tr_stage_admit(stage, controller, model);
    if (status)
        return status;
    slot->next_hash = hash_controller(stage, controller, model);
    slot->performer.next = controller;
    slot->performer.faulted = false;
    return TR_OK;
}

tr_status tr_stage_set_limp(tr_stage *stage, tr_entity_id id, bool limp) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    int servo = limp ? TR_SERVO_RAGDOLL : slot->gain_set;
    tr_status status = tr_world_set_servo(stage->world, id, servo);
    if (status == TR_OK)
        slot->performer.limp = limp;
    return status;
}

tr_status tr_stage_set_offset(tr_stage *stage, tr_entity_id id, const double *offset, int size) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    tr_runner *runner = &slot->performer.runner;
    if (!runner->controller)
        return TR_FAILED_PRECONDITION;
    if (size != runner->controller->action.size)
        return TR_INVALID_ARGUMENT;
    for (int i = 0; i < size; i++)
        if (!isfinite(offset[i]))
            return TR_INVALID_ARGUMENT;
    memcpy(runner->offset, offset, (size_t)size * sizeof *offset);
    return TR_OK;
}

tr_status tr_stage_set_fragment(tr_stage *stage, tr_entity_id id, int fragment, bool mirrored) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    tr_runner *runner = &slot->performer.runner;
    if (!runner->controller || (mirrored && !runner->controller->mirrored))
        return TR_FAILED_PRECONDITION;
    if (fragment < 0 || fragment >= runner->controller->fragment_count)
        return TR_OUT_OF_RANGE;
    runner->cue = (tr_cue){true, fragment, mirrored};
    return TR_OK;
}

tr_status tr_stage_steer(tr_stage *stage, tr_entity_id id, const tr_wish *wish) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    if (!tr_wish_is_valid(wish) || (wish->aim == TR_AIM_CHARACTER && wish->character == id))
        return TR_INVALID_ARGUMENT;
    tr_performer *performer = &slot->performer;
    const tr_controller *controller =
        performer->next ? performer->next : performer->runner.controller;
    if (!controller || !tr_planner_suits(controller, wish))
        return TR_FAILED_PRECONDITION;
    performer->runner.wish = *wish;
    return TR_OK;
}

/* --- events --- */

static void tell(tr_stage *stage, tr_stage_event event) {
    if (stage->event_count < TR_STAGE_EVENT_MAX)
        stage->event[stage->event_count++] = event;
    else
        stage->dropped_count++;
}

const tr_stage_event *tr_stage_events(const tr_stage *stage, int *out_count, int *out_dropped) {
    *out_count = stage->event_count;
    *out_dropped = stage->dropped_count;
    return stage->event;
}

static void contain_fault(tr_stage *stage, tr_slot *slot, int64_t tick) {
    release(slot);
    if (!slot->performer.faulted)
        tell(stage, (tr_stage_event){TR_STAGE_FAULT, .tick = tick, .entity = slot->id});
    slot->performer.faulted = true;
}

static bool was_frozen(const tr_fault_list *faults, tr_entity_id id) {
    for (int i = 0; i < faults->count; i++)
        if (faults->id[i] == id)
            return true;
    return false;
}

/* The world lists what is frozen after every step; what is new in the list is told. */
static void tell_faults(tr_stage *stage, int64_t tick) {
    tr_fault_list now;
    now.count = tr_world_faults(stage->world, now.id, TR_FAULT_MAX);
    for (int i = 0; i < now.count; i++) {
        if (was_frozen(&stage->faults, now.id[i]))
            continue;
        tr_slot *slot = find_slot(stage, now.id[i]);
        if (slot)
            contain_fault(stage, slot, tick);
        else
            tell(stage, (tr_stage_event){TR_STAGE_FAULT, .tick = tick, .entity = now.id[i]});
    }
    stage->faults.count = now.count;
    for (int i = 0; i < now.count; i++)
        stage->faults.id[i] = now.id[i];
}

/* Servos that hold on to a pose may throw up who lies: it is up when it stays up. */
static bool is_down(const tr_stage *stage, tr_slot *slot) {
    const double up_s = 0.5;
    tr_performer *performer = &slot->performer;
    bool down = performer->recovery.phase != TR_RECOVERY_NONE ||
                tr_falls_is_down(stage->world, slot->id, performer->fallen);
    if (down || !performer->fallen) {
        performer->up_steps = 0;
        return down;
    }
    bool stays = ++performer->up_steps * tr_world_definition(stage->world)->step_s >= up_s;
    if (stays)
        performer->up_steps = 0;
    return !stays;
}

static void tell_falls(tr_stage *stage, int64_t tick) {
    for (int i = 0; i < stage->slot_count; i++) {
        tr_slot *slot = &stage->slot[i];
        bool down = is_down(stage, slot);
        if (down == slot->performer.fallen)
            continue;
        slot->performer.fallen = down;
        tr_stage_event_kind kind = down ? TR_STAGE_FELL : TR_STAGE_ROSE;
        tell(stage, (tr_stage_event){kind, .tick = tick, .entity = slot->id});
    }
}

static void tell_touches(tr_stage *stage, int64_t tick) {
    int contact_count = 0;
    const tr_contact *contacts = tr_world_contacts(stage->world, &contact_count);
    int count = tr_touches_gather(contacts, contact_count, stage->scratch);
    for (int i = 0; i < count; i++) {
        const tr_touch_contact *pair = &stage->scratch[i];
        bool began = false;
        if (!tr_touches_note(&stage->touches, pair, tick, &began))
            stage->dropped_count++;
        if (began)
            tell(stage, (tr_stage_event){TR_STAGE_TOUCHED, .tick = tick, .entity = pair->entity[0],
                                         .other = pair->entity[1], .body = pair->body[0],
                                         .other_body = pair->body[1],
                                         .magnitude = tr_vec3_length(pair->impulse)});
    }
    tr_touches_expire(&stage->touches, tick);
}

/* --- stepping --- */

/* Lets the controller asked for take over once the fragment in progress is done. */
static tr_status take_over(tr_stage *stage, tr_slot *slot, int64_t tick) {
    tr_performer *performer = &slot->performer;
    const tr_runner *runner = &performer->runner;
    bool lies = performer->recovery.phase == TR_RECOVERY_LIMP ||
                performer->recovery.phase == TR_RECOVERY_GATHER ||
                performer->recovery.phase == TR_RECOVERY_TURN;
    bool between = !runner->controller || runner->ended || runner->step == 0 || lies;
    if (!performer->next || !between)
        return TR_OK;
    const tr_controller *next = performer->next;
    const tr_model *model = tr_world_character_model(stage->world, slot->id);
    tr_state state;
    tr_status status = tr_world_get_state(stage->world, slot->id, &state);
    if (status)
        return status;
    int fragment = 0;
    bool mirrored = false;
    tr_controller_nearest(next, model, &state, &fragment, &mirrored);
    tr_wish wish = runner->wish;
    performer->runner = tr_runner_start(next, fragment, mirrored);
    performer->runner.wish = wish;
    performer->recovery = (tr_recovery){0};
    performer->next = NULL;
    slot->gain_set = tr_model_find_gain_set(model, tr_controller_gain_set(next, fragment));
    slot->controller_hash = slot->next_hash;
    slot->next_hash = 0;
    tell(stage, (tr_stage_event){TR_STAGE_CONTROLLER_BEGAN, .tick = tick, .entity = slot->id});
    return TR_OK;
}

/* In a graph each skill has its own. */
static int gain_set_of(const tr_stage *stage, const tr_slot *slot) {
    const tr_runner *runner = &slot->performer.runner;
    return tr_model_find_gain_set(tr_world_character_model(stage->world, slot->id),
                                  tr_controller_gain_set(runner->controller, runner->fragment));
}

static tr_status perform(tr_stage *stage, tr_slot *slot, int64_t tick) {
    if (slot->performer.limp)
        return TR_OK;
    tr_status status = take_over(stage, slot, tick);
    if (status)
        return status;
    tr_runner *runner = &slot->performer.runner;
    bool had_ended = runner->ended;
    if (runner->controller && runner->controller->graph)
        status = tr_recovery_advance(&slot->performer.recovery, runner, stage->world, slot->id);
    else
        status = tr_runner_advance(runner, stage->world, slot->id);
    if (status)
        return status;
    if (runner->controller && runner->controller->graph)
        slot->gain_set = gain_set_of(stage, slot);
    if (runner->ended && !had_ended)
        tell(stage, (tr_stage_event){TR_STAGE_CONTROLLER_ENDED, .tick = tick, .entity = slot->id});
    return TR_OK;
}

tr_status tr_stage_step(tr_stage *stage) {
    int64_t tick = tr_world_tick(stage->world) + 1;
    stage->event_count = stage->dropped_count = 0;
    for (int i = 0; i < stage->slot_count; i++)
        if (perform(stage, &stage->slot[i], tick))
            contain_fault(stage, &stage->slot[i], tick);

    tr_status status = tr_world_step(stage->world);
    if (status && status != TR_DATA_LOSS)
        return status;
    tell_faults(stage, tick);
    tell_falls(stage, tick);
    tell_touches(stage, tick);
    return TR_OK;
}
