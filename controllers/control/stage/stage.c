#include "control/graph/planner.h"
#include "control/parts/above_ground.h"
#include "control/parts/falls.h"
#include "control/scheduler/scheduler.h"
#include "control/stage/stage_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEG = 180 / TR_PI;

tr_status tr_stage_create(const tr_world_def *def, tr_stage **out) {
    tr_stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_world_create(def, &stage->world);
    return TR_GIVE(status, stage, free, out);
}

void tr_stage_destroy(tr_stage *stage) {
    if (!stage)
        return;
    tr_world_destroy(stage->world);
    free(stage->slot);
    free(stage);
}

void tr_stage_set_look_ahead(tr_stage *stage, bool look_ahead) {
    stage->looks_ahead = look_ahead;
}

bool tr_stage_looks_ahead(const tr_stage *stage) {
    return stage->looks_ahead;
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

/* The hash of a controller that drives, or is requested for, some character; NULL: no such one. */
static const uint64_t *find_hash(const tr_stage *stage, const tr_controller *controller) {
    for (int i = 0; i < stage->slot_count; i++) {
        const tr_slot *slot = &stage->slot[i];
        if (slot->performer.runner.controller == controller)
            return &slot->controller_hash;
        if (slot->performer.next == controller)
            return &slot->next_hash;
    }
    return NULL;
}

tr_status tr_stage_admit(const tr_stage *stage, const tr_controller *controller,
                         const tr_model *model) {
    /* Characters mostly share their controllers, and a check costs more than many steps: one that is
     * on the stage has passed it. */
    bool passed = controller->model_hash == model->hash && find_hash(stage, controller);
    tr_status status = passed ? TR_OK : tr_controller_check(controller, model, NULL);
    if (status)
        return status;
    /* A controller learned with another step would drive with other gains. */
    double step_s = tr_world_definition(stage->world)->step_s;
    return fabs(controller->step_s - step_s) < 1e-9 ? TR_OK : TR_FAILED_PRECONDITION;
}

static uint64_t hash_controller(const tr_stage *stage, const tr_controller *controller,
                                const tr_model *model) {
    const uint64_t *known = find_hash(stage, controller);
    return known ? *known : tr_controller_hash(controller, model);
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
    /* An entry beyond the last is reported apart, because the caller can ask for fewer. */
    bool known = def->entry >= 0 && def->entry < tr_controller_outline(def->controller).entry_count;
    return known ? TR_OK : TR_OUT_OF_RANGE;
}

static tr_state spawn_state(const tr_spawn_def *def) {
    tr_state state;
    tr_driver_entry entry;
    /* Without a controller the character stands at rest. */
    if (!def->controller) {
        tr_pose rest = tr_pose_rest(def->model);
        state = tr_state_at_rest(def->model, &rest);
    } else if (def->entry == 0) {
        state = def->controller->spawn;
    } else {
        const tr_driver *driver = &def->controller->driver;
        driver->kind->entry(driver->content, def->entry, &entry);
        state = *entry.start;
    }
    return tr_state_place(&state, def->heading_rad, def->pos);
}

/* Performers are large, and most worlds have few. */
static tr_status make_room(tr_stage *stage) {
    if (stage->slot_count < stage->slot_capacity)
        return TR_OK;
    int capacity = stage->slot_capacity ? 2 * stage->slot_capacity : 1;
    tr_slot *grown = realloc(stage->slot, (size_t)capacity * sizeof *grown);
    if (!grown)
        return TR_RESOURCE_EXHAUSTED;
    stage->slot = grown;
    stage->slot_capacity = capacity;
    return TR_OK;
}

/* Adds the character with its rig, or neither. */
static tr_status enter_world(tr_stage *stage, const tr_spawn_def *def, tr_entity_id *out_id,
                             tr_rig_pieces *out_rig) {
    const tr_rig *rig = def->controller ? def->controller->rig : NULL;
    const tr_rig_place place = {def->heading_rad, def->pos};
    tr_state state = spawn_state(def);
    tr_entity_id id = 0;
    tr_status status = tr_world_add_character(stage->world, def->model, &state, &id);
    if (status)
        return status;
    /* The rig is pinned to the character, which must be there first. */
    status = tr_rig_spawn(rig, stage->world, id, &place, out_rig);
    if (status) {
        (void)!tr_world_remove_character(stage->world, id);
        return status;
    }
    *out_id = id;
    return TR_OK;
}

/* Begins a controller; the rig is the character's and stays. */
static void start_runner(tr_slot *slot, const tr_controller *controller, int entry, bool mirrored) {
    tr_rig_pieces rig = slot->performer.runner.rig;
    tr_runner_start(&slot->performer.runner, controller, entry, mirrored);
    slot->performer.runner.rig = rig;
}

tr_status tr_stage_spawn(tr_stage *stage, const tr_spawn_def *def, tr_entity_id *out_id) {
    tr_rig_pieces rig = {0};
    tr_entity_id id = 0;
    tr_status status = check_spawn(stage, def);
    if (!status)
        status = make_room(stage);
    if (!status)
        status = enter_world(stage, def, &id, &rig);
    if (status)
        return status;
    /* Nothing can fail from here on. */
    tr_slot *slot = &stage->slot[stage->slot_count];
    memset(slot, 0, sizeof *slot);
    slot->id = id;
    slot->performer.runner.rig = rig;
    if (def->controller) {
        slot->controller_hash = hash_controller(stage, def->controller, def->model);
        start_runner(slot, def->controller, def->entry, false);
    }
    stage->slot_count++;
    *out_id = id;
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
    tr_rig_despawn(&slot->performer.runner.rig, stage->world);
    remove_slot(stage, slot);
    return tr_world_remove_character(stage->world, id);
}

tr_entity_id tr_stage_rig_owner(const tr_stage *stage, tr_entity_id object) {
    for (int i = 0; i < stage->slot_count; i++) {
        const tr_rig_pieces *rig = &stage->slot[i].performer.runner.rig;
        for (int k = 0; k < rig->count; k++)
            if (rig->object[k] == object)
                return stage->slot[i].id;
    }
    return 0;
}

tr_status tr_stage_put_rig(tr_stage *stage, tr_entity_id id, const tr_controller *controller) {
    tr_state state;
    const tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    const tr_rig_pieces *pieces = &slot->performer.runner.rig;
    if (!controller || !controller->rig)
        return TR_OK;
    if (!tr_rig_pieces_fit(pieces, controller->rig))
        return TR_FAILED_PRECONDITION;
    tr_status status = tr_world_get_state(stage->world, id, &state);
    if (status)
        return status;
    /* The rig is put where the character stands now. */
    tr_rig_place place = tr_rig_place_under(&state);
    return tr_rig_put(controller->rig, pieces, stage->world, id, &place);
}

/* Nothing drives the character any more; its servos hold the last targets. */
static void release(tr_stage *stage, tr_slot *slot) {
    start_runner(slot, NULL, 0, false);
    slot->performer.next = NULL;
    slot->performer.intent = (tr_intent_state){0};
    slot->controller_hash = slot->next_hash = 0;
    /* A puppet becomes a body that falls. */
    if (tr_world_is_kinematic(stage->world, slot->id))
        (void)!tr_world_set_kinematic(stage->world, slot->id, false);
}

tr_status tr_stage_set_controller(tr_stage *stage, tr_entity_id id,
                                  const tr_controller *controller) {
    tr_slot *slot = find_slot(stage, id);
    const tr_model *model = tr_world_character_model(stage->world, id);
    if (!slot || !model)
        return TR_NOT_FOUND;
    if (!controller) {
        release(stage, slot);
        return TR_OK;
    }
    tr_status status = tr_stage_admit(stage, controller, model);
    if (!status && !tr_rig_pieces_fit(&slot->performer.runner.rig, controller->rig))
        status = TR_FAILED_PRECONDITION;
    if (status)
        return status;
    /* It takes over as soon as no entry is in progress. */
    slot->next_hash = hash_controller(stage, controller, model);
    slot->performer.next = controller;
    slot->performer.faulted = false;
    return TR_OK;
}

tr_status tr_stage_set_limp(tr_stage *stage, tr_entity_id id, bool limp) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    /* Servos return to the gains of the last entry. */
    int servo = limp ? TR_SERVO_RAGDOLL : slot->gain_set < 0 ? 0 : slot->gain_set;
    tr_status status = tr_world_set_servo(stage->world, id, servo);
    if (!status)
        slot->performer.limp = limp;
    return status;
}

tr_status tr_stage_set_parameter(tr_stage *stage, tr_entity_id id, const char *name,
                                 const double *values, int count, tr_error *error) {
    tr_slot *slot = find_slot(stage, id);
    return slot ? tr_runner_set_parameter(&slot->performer.runner, name, values, count, error)
                : tr_fail(error, TR_NOT_FOUND, "entity %u: no such character", id);
}

tr_status tr_stage_set_entry(tr_stage *stage, tr_entity_id id, int entry, bool mirrored) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    tr_runner *runner = &slot->performer.runner;
    if (!runner->controller)
        return TR_FAILED_PRECONDITION;
    tr_driver_outline outline = tr_controller_outline(runner->controller);
    if (mirrored && !outline.mirrored)
        return TR_FAILED_PRECONDITION;
    if (entry < 0 || entry >= outline.entry_count)
        return TR_OUT_OF_RANGE;
    /* The entry begins when the one in progress has ended. */
    runner->cue = (tr_cue){true, entry, mirrored};
    return TR_OK;
}

/* Is the ground level enough for a skill of a graph, and for those on all ways to it? */
static tr_status check_slope(const tr_stage *stage, const tr_slot *slot,
                             const tr_controller *controller, const char *skill, tr_error *error) {
    const tr_control_graph *graph = tr_driver_content(controller->driver, &tr_graph_kind);
    const tr_vec3 normal = tr_world_local_ground(stage->world, slot->id).normal;
    const tr_runner *runner = &slot->performer.runner;
    const int goal = graph ? tr_control_graph_find(graph, skill) : -1;
    const double slope_deg = acos(normal.z) * DEG;
    bool steep[TR_GRAPH_NODE_MAX];
    tr_doing doing;
    if (goal < 0)
        return TR_OK;
    if (tr_control_graph_is_too_steep(graph, skill, normal))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "skill '%s': the ground slopes by %.1f degrees here; expected at most %.1f",
                       skill, slope_deg, graph->node[goal].steepest_rad * DEG);
    /* A scheduler chooses by its network, not by the ways of the graph that it holds. */
    if (runner->controller != controller || tr_scheduler_of(controller))
        return TR_OK;
    tr_control_graph_find_steep(graph, normal, steep);
    tr_runner_look(runner, &doing);
    if (doing.skill != goal && !tr_planner_leads(graph, doing.skill, goal, steep) &&
        tr_planner_leads(graph, doing.skill, goal, NULL))
        return tr_fail(
            error, TR_FAILED_PRECONDITION,
            "skill '%s': the ground slopes by %.1f degrees here, and all ways to it pass "
            "skills that expect less",
            skill, slope_deg);
    return TR_OK;
}

/* Can what drives the character, or will drive it, follow the target? A word for a skill becomes its
 * name. */
static tr_status check_target(const tr_stage *stage, const tr_slot *slot,
                              tr_steering_target *target, tr_error *error) {
    const tr_performer *performer = &slot->performer;
    const tr_controller *controller =
        performer->next ? performer->next : performer->runner.controller;
    char why[TR_ERROR_MESSAGE_MAX];
    /* A character cannot follow itself. */
    if (target->aim == TR_AIM_CHARACTER && target->character == slot->id)
        return tr_fail(error, TR_INVALID_ARGUMENT, "toward: expected another character");
    if (!controller)
        return tr_fail(error, TR_FAILED_PRECONDITION, "the character has no controller");
    (void)tr_driver_find_skill(controller->driver, target->skill, target->skill);
    if (tr_driver_follows(controller->driver, target))
        return check_slope(stage, slot, controller, target->skill, error);
    tr_driver_explain_refusal(controller->driver, target, why, sizeof why);
    return tr_fail(error, TR_FAILED_PRECONDITION, "'%s' %s", controller->name, why);
}

tr_status tr_stage_set_target(tr_stage *stage, tr_entity_id id, const tr_steering_target *target) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return TR_NOT_FOUND;
    tr_steering_target found = *target;
    tr_status status = tr_steering_target_is_valid(target) ? check_target(stage, slot, &found, NULL)
                                                           : TR_INVALID_ARGUMENT;
    if (status)
        return status;
    /* A direct target ends what the player asked for before. */
    slot->performer.intent = (tr_intent_state){0};
    slot->performer.runner.target = found;
    return TR_OK;
}

tr_status tr_stage_steer(tr_stage *stage, tr_entity_id id, const tr_intent *intent,
                         tr_error *error) {
    tr_slot *slot = find_slot(stage, id);
    if (!slot)
        return tr_fail(error, TR_NOT_FOUND, "entity %u: no such character", id);
    if (!tr_intent_is_valid(intent))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "steer: expected finite numbers and a speed of 0 to 20 m/s");
    tr_performer *performer = &slot->performer;
    tr_intent found = *intent;
    tr_status status = check_target(stage, slot, &found.wish, error);
    if (status)
        return status;
    tr_intent_begin(&performer->intent, &found, &performer->runner, stage->world, id);
    return TR_OK;
}

/* --- events --- */

static void report(tr_stage *stage, tr_stage_event event) {
    if (stage->event_count < TR_STAGE_EVENT_MAX)
        stage->event[stage->event_count++] = event;
    /* A flood of events is counted, not kept. */
    else
        stage->dropped_count++;
}

const tr_stage_event *tr_stage_events(const tr_stage *stage, int *out_count, int *out_dropped) {
    *out_count = stage->event_count;
    *out_dropped = stage->dropped_count;
    return stage->event;
}

static void handle_fault(tr_stage *stage, tr_slot *slot, int64_t tick) {
    release(stage, slot);
    if (!slot->performer.faulted)
        report(stage, (tr_stage_event){TR_STAGE_FAULT, .tick = tick, .entity = slot->id});
    slot->performer.faulted = true;
}

static bool was_frozen(const tr_fault_list *faults, tr_entity_id id) {
    for (int i = 0; i < faults->count; i++)
        if (faults->id[i] == id)
            return true;
    return false;
}

/* After every step the world lists the frozen entities; those that are new in the list are
 * reported. */
static void report_faults(tr_stage *stage, int64_t tick) {
    tr_fault_list now;
    now.count = tr_world_faults(stage->world, now.id, TR_FAULT_MAX);
    for (int i = 0; i < now.count; i++) {
        if (was_frozen(&stage->faults, now.id[i]))
            continue;
        tr_slot *slot = find_slot(stage, now.id[i]);
        /* A character loses its controller; an object is only reported. */
        if (slot)
            handle_fault(stage, slot, tick);
        else
            report(stage, (tr_stage_event){TR_STAGE_FAULT, .tick = tick, .entity = now.id[i]});
    }
    stage->faults.count = now.count;
    for (int i = 0; i < now.count; i++)
        stage->faults.id[i] = now.id[i];
}

/* Servos can bounce a lying character upright: it counts as up only a little later. */
static bool is_down(const tr_stage *stage, tr_slot *slot) {
    const double up_s = 0.2;
    tr_performer *performer = &slot->performer;
    tr_doing doing;
    tr_runner_look(&performer->runner, &doing);
    bool down = doing.down || tr_falls_is_down(stage->world, slot->id, performer->fallen);
    /* A standing character is down at once. */
    if (down || !performer->fallen) {
        performer->up_steps = 0;
        return down;
    }
    bool stays = ++performer->up_steps * tr_world_definition(stage->world)->step_s >= up_s;
    if (stays)
        performer->up_steps = 0;
    return !stays;
}

static void report_falls(tr_stage *stage, int64_t tick) {
    for (int i = 0; i < stage->slot_count; i++) {
        tr_slot *slot = &stage->slot[i];
        bool down = is_down(stage, slot);
        if (down == slot->performer.fallen)
            continue;
        slot->performer.fallen = down;
        tr_stage_event_kind kind = down ? TR_STAGE_FELL : TR_STAGE_ROSE;
        report(stage, (tr_stage_event){kind, .tick = tick, .entity = slot->id});
    }
}

static void report_touches(tr_stage *stage, int64_t tick) {
    int contact_count = 0;
    const tr_contact *contacts = tr_world_contacts(stage->world, &contact_count);
    int count = tr_touches_gather(contacts, contact_count, stage->scratch);
    for (int i = 0; i < count; i++) {
        const tr_touch_contact *pair = &stage->scratch[i];
        bool began = false;
        /* A table that is full loses touches, which counts as dropped events. */
        if (!tr_touches_note(&stage->touches, pair, tick, &began))
            stage->dropped_count++;
        if (began)
            report(stage, (tr_stage_event){TR_STAGE_TOUCHED, .tick = tick,
                                           .entity = pair->entity[0], .other = pair->entity[1],
                                           .body = pair->body[0], .other_body = pair->body[1],
                                           .magnitude = tr_vec3_length(pair->impulse)});
    }
    tr_touches_expire(&stage->touches, tick);
}

static void report_broken_holds(tr_stage *stage, int64_t tick) {
    int count = 0;
    const tr_broken_pin *pins = tr_world_broken_pins(stage->world, &count);
    for (int i = 0; i < count; i++)
        report(stage,
               (tr_stage_event){TR_STAGE_HOLD_BROKEN, .tick = tick, .entity = pins[i].entity[0],
                                .other = pins[i].entity[1], .body = pins[i].body[0],
                                .other_body = pins[i].body[1], .magnitude = pins[i].force_n});
}

/* --- stepping --- */

/* The requested controller takes over when no entry is in progress. */
static tr_status take_over(tr_stage *stage, tr_slot *slot, int64_t tick) {
    tr_performer *performer = &slot->performer;
    const tr_controller *next = performer->next;
    tr_steering_target target = performer->runner.target;
    tr_doing doing;
    tr_state state;
    int entry = 0;
    bool mirrored = false;
    tr_runner_look(&performer->runner, &doing);
    if (!doing.between)
        return TR_OK;
    tr_status status = tr_world_get_state(stage->world, slot->id, &state);
    if (status)
        return status;
    /* It begins with the entry that starts most like the character is now. */
    tr_ground ground = tr_world_local_ground(stage->world, slot->id);
    tr_state above = tr_state_above_ground(&state, &ground);
    tr_controller_nearest(next, tr_world_character_model(stage->world, slot->id), &above, &entry,
                          &mirrored);
    start_runner(slot, next, entry, mirrored);
    performer->runner.target = target;
    tr_intent_continue(&performer->intent, &performer->runner, stage->world, slot->id);
    performer->next = NULL;
    slot->controller_hash = slot->next_hash;
    slot->next_hash = 0;
    report(stage, (tr_stage_event){TR_STAGE_CONTROLLER_BEGAN, .tick = tick, .entity = slot->id});
    return TR_OK;
}

/* Lets the character follow its intent, and reports what has happened to that. */
static void follow_intent(tr_stage *stage, tr_slot *slot, int64_t tick) {
    tr_intent_state *intent = &slot->performer.intent;
    const bool was_blocked = intent->mode == TR_INTENT_BLOCKED;
    if (tr_intent_follow(intent, &slot->performer.runner, stage->world, slot->id,
                         stage->looks_ahead))
        report(stage, (tr_stage_event){TR_STAGE_ARRIVED, .tick = tick, .entity = slot->id});
    if (!was_blocked && intent->mode == TR_INTENT_BLOCKED)
        report(stage, (tr_stage_event){TR_STAGE_BLOCKED, .tick = tick, .entity = slot->id});
}

static tr_status perform(tr_stage *stage, tr_slot *slot, int64_t tick) {
    if (slot->performer.limp)
        return TR_OK;
    tr_status status = slot->performer.next ? take_over(stage, slot, tick) : TR_OK;
    tr_runner *runner = &slot->performer.runner;
    if (status || !runner->controller)
        return status;
    tr_drive drive;
    tr_doing before, after;
    tr_runner_look(runner, &before);
    /* A player's wish becomes a target where the driver decides. */
    if (before.between)
        follow_intent(stage, slot, tick);
    status = tr_runner_advance(runner, stage->world, slot->id, &drive);
    if (status)
        return status;
    if (drive.mode == TR_DRIVE_TARGETS)
        slot->gain_set = drive.gain_set;
    tr_runner_look(runner, &after);
    if (after.ended && !before.ended)
        report(stage,
               (tr_stage_event){TR_STAGE_CONTROLLER_ENDED, .tick = tick, .entity = slot->id});
    return TR_OK;
}

tr_status tr_stage_step(tr_stage *stage) {
    /* Events are of the state after the step. */
    int64_t tick = tr_world_tick(stage->world) + 1;
    stage->event_count = stage->dropped_count = 0;
    /* A driver that fails is taken off its character; the others continue. */
    for (int i = 0; i < stage->slot_count; i++)
        if (perform(stage, &stage->slot[i], tick))
            handle_fault(stage, &stage->slot[i], tick);

    tr_status status = tr_world_step(stage->world);
    /* TR_DATA_LOSS only says that something is frozen, which is reported below. */
    if (status && status != TR_DATA_LOSS)
        return status;
    report_faults(stage, tick);
    report_falls(stage, tick);
    report_touches(stage, tick);
    report_broken_holds(stage, tick);
    return TR_OK;
}
