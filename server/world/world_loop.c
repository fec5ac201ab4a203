#include "server/world/world_loop.h"

#include "model/name.h"
#include "server/world/encode.h"
#include "server/world/look.h"
#include "server/world/step_timeout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- life --- */

static tr_status set_stage(tr_world_loop *loop, const tr_world_loop_def *def) {
    tr_status status = tr_stage_create(&def->world, &loop->stage);
    if (status)
        return status;
    tr_stage_set_look_ahead(loop->stage, def->look_ahead);
    status = tr_layout_build(def->layout, tr_stage_world(loop->stage));
    if (!status && def->populate)
        status = def->populate(def->context, loop);
    return status ? status : tr_world_loop_set_reset_point(loop);
}

static tr_status add_step_timeout(tr_world_loop *loop, double limit_s) {
    tr_world_part *timeout = tr_step_timeout_create(limit_s);
    if (!timeout)
        return TR_RESOURCE_EXHAUSTED;
    tr_world_loop_add_part(loop, timeout);
    return TR_OK;
}

tr_status tr_world_loop_create(const tr_world_loop_def *def, int64_t now_ns, tr_world_loop **out) {
    tr_world_loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return TR_RESOURCE_EXHAUSTED;
    loop->id = def->id;
    loop->seed = def->seed;
    loop->mode = def->mode;
    loop->fault_rule = def->fault_rule;
    loop->rate = def->rate;
    loop->paused = def->paused && def->mode != TR_MODE_STEPPED;
    loop->arriving = def->moved_from[0] != '\0';
    loop->commands = def->commands;
    loop->source = def->source;
    loop->lockstep = tr_lockstep_start(def->steppers);
    loop->pace = tr_pace_start(def->world.step_s, def->rate, now_ns);
    if (def->staggered)
        tr_pace_align(&loop->pace, def->phase, now_ns);
    loop->replies.end = &loop->replies.first;
    loop->deliveries.end = &loop->deliveries.first;
    tr_status status = set_stage(loop, def);
    if (!status && def->step_timeout_s > 0)
        status = add_step_timeout(loop, def->step_timeout_s);
    if (!status && loop->source && loop->source->kind->begin)
        status = loop->source->kind->begin(loop->source, loop, now_ns);
    if (status) {
        loop->source = NULL; /* the caller keeps its source */
        tr_world_loop_destroy(loop);
        return status;
    }
    *out = loop;
    return TR_OK;
}

void tr_world_loop_destroy(tr_world_loop *loop) {
    if (!loop)
        return;
    tr_command_destroy_all(loop->queue.first);
    tr_command_destroy_all(loop->steps.first);
    tr_command_destroy_all(loop->looks.first);
    tr_reply_destroy_all(loop->replies.first);
    for (tr_delivery *next, *delivery = loop->deliveries.first; delivery; delivery = next) {
        next = delivery->next;
        delivery->deliver(delivery);
    }
    for (tr_world_part *next, *part = loop->parts; part; part = next) {
        next = part->next;
        (part->kind->destroy ? part->kind->destroy(part) : free(part));
    }
    if (loop->source && loop->source->kind->destroy)
        loop->source->kind->destroy(loop->source);
    tr_event_list_deinit(&loop->events);
    tr_packet_release(loop->reset_point);
    tr_packet_release(loop->evidence);
    tr_stage_destroy(loop->stage);
    free(loop);
}

int64_t tr_world_loop_tick(const tr_world_loop *loop) {
    return tr_world_tick(tr_stage_world_const(loop->stage));
}

double tr_world_loop_step_s(const tr_world_loop *loop) {
    return tr_world_definition(tr_stage_world_const(loop->stage))->step_s;
}

/* On its way between daemons. */
static bool stands_still(const tr_world_loop *loop) {
    return loop->held_by != 0 || loop->arriving;
}

bool tr_world_loop_is_running(const tr_world_loop *loop) {
    return loop->mode != TR_MODE_STEPPED && !loop->paused && !stands_still(loop);
}

tr_world_info tr_world_loop_describe(const tr_world_loop *loop) {
    const tr_world *world = tr_stage_world_const(loop->stage);
    tr_world_info info = {
        .step_s = tr_world_loop_step_s(loop),
        .rate = loop->mode == TR_MODE_REAL_TIME ? loop->rate : 0,
        .time_s = tr_world_time_s(world),
        .paused = loop->paused || stands_still(loop),
        .fault_rule = loop->fault_rule,
        .look_ahead = tr_stage_looks_ahead(loop->stage),
        .tick = tr_world_tick(world),
        .seed = loop->seed,
        .epoch = loop->epoch,
        .character_count = tr_world_characters(world, NULL, 0),
        .object_count = tr_world_objects(world, NULL, 0),
        .stepper_count = loop->lockstep.count,
        .pending_count = loop->queue.count + loop->steps.count,
        .dropped_ticks = loop->pace.dropped_steps,
        .steps_made = loop->steps_made,
        .lateness = loop->lateness,
        .contacts_dropped = loop->contacts_dropped,
        .searches_cut = loop->searches_cut,
        .processor_s = (double)loop->spent_ns * 1e-9,
        .replays = loop->source != NULL,
    };
    for (const tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->describe)
            part->kind->describe(part, &info);
    return info;
}

/* --- what must hold at the end of every step and turn --- */

/* Steppers stand in their order, and the world passes the frontier of none. */
static bool steppers_hold(const tr_world_loop *loop) {
    const tr_lockstep_member *stepper = loop->lockstep.stepper;
    bool hold = true;
    for (int i = 0; i < loop->lockstep.count; i++)
        hold = hold && stepper[i].frontier >= tr_world_loop_tick(loop) &&
               (i == 0 || stepper[i - 1].order < stepper[i].order);
    return hold;
}

/* A label goes with its character. */
static bool labels_hold(const tr_world_loop *loop) {
    bool hold = true;
    for (int i = 0; i < loop->label_count; i++)
        hold = hold &&
               tr_world_character_model(tr_stage_world_const(loop->stage), loop->label[i].entity);
    return hold;
}

static void check(tr_world_loop *loop) {
    const tr_invariant *world = tr_world_invariant(tr_stage_world_const(loop->stage));
    const tr_command_queue *queue = &loop->queue, *steps = &loop->steps;
    int64_t tick = tr_world_loop_tick(loop);
    /* In a replay commands wait for no tick, and steps for positions, which count from its start. */
    TR_MUST(&loop->invariant, loop->source || !queue->first || queue->first->stamp.tick >= tick);
    TR_MUST(&loop->invariant, loop->source || !steps->first || steps->first->stamp.tick >= tick);
    tr_command_queue_must_hold(queue, &loop->invariant);
    tr_command_queue_must_hold(steps, &loop->invariant);
    tr_command_queue_must_hold(&loop->looks, &loop->invariant);
    TR_MUST(&loop->invariant, labels_hold(loop));
    TR_MUST_BE(&loop->invariant, loop->allowance, >=, 0);
    TR_MUST(&loop->invariant, steppers_hold(loop));
    TR_MUST_BE(&loop->invariant, loop->rate, >, 0);
    TR_MUST_BE(&loop->invariant, loop->pace.step_s, ==, tr_world_loop_step_s(loop));
    TR_MUST_BE(&loop->invariant, loop->reported_dropped, <=, loop->pace.dropped_steps);
    TR_MUST(&loop->invariant, loop->reset_point || loop->failure[0] != '\0');
    TR_MUST(&loop->invariant, !*loop->replies.end && !*loop->deliveries.end);
    if (world->what)
        tr_invariant_note(&loop->invariant, world);
    const tr_invariant *broken = &loop->invariant;
    if (!broken->what || loop->failure[0] != '\0')
        return;
    char why[sizeof loop->failure];
    tr_invariant_print(broken, why, sizeof why);
    tr_world_loop_fail(loop, why);
    (void)!tr_world_loop_snapshot(loop, &loop->evidence);
}

/* --- parts --- */

void tr_world_loop_add_part(tr_world_loop *loop, tr_world_part *take_part) {
    tr_world_part **at = &loop->parts;
    while (*at)
        at = &(*at)->next;
    take_part->next = NULL;
    *at = take_part;
}

void tr_world_loop_remove_part(tr_world_loop *loop, tr_world_part *part) {
    tr_world_part **at = &loop->parts;
    while (*at != part)
        at = &(*at)->next;
    *at = part->next;
}

tr_world_part *tr_world_loop_part(const tr_world_loop *loop, const tr_world_part_kind *kind) {
    tr_world_part *part = loop->parts;
    while (part && part->kind != kind)
        part = part->next;
    return part;
}

void tr_world_loop_deliver(tr_world_loop *loop, tr_delivery *delivery) {
    delivery->next = NULL;
    *loop->deliveries.end = delivery;
    loop->deliveries.end = &delivery->next;
}

void tr_world_loop_refresh(tr_world_loop *loop) {
    for (tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->refresh)
            part->kind->refresh(part);
}

int64_t tr_world_loop_end_turn(tr_world_loop *loop, int64_t now_ns, int64_t next_ns) {
    for (tr_world_part *next, *part = loop->parts; part; part = next) {
        next = part->next; /* a part may remove itself */
        if (part->kind->end_turn)
            next_ns = part->kind->end_turn(part, loop, now_ns, next_ns);
    }
    check(loop);
    return next_ns;
}

/* --- labels --- */

static tr_label *find_label(const tr_world_loop *loop, tr_entity_id entity) {
    for (int i = 0; i < loop->label_count; i++)
        if (loop->label[i].entity == entity)
            return (tr_label *)&loop->label[i];
    return NULL;
}

/* The label of a character, added if needed; NULL: no room, which cannot happen with
 * TR_CHARACTER_MAX characters. */
static tr_label *label_of(tr_world_loop *loop, tr_entity_id entity) {
    tr_label *label = find_label(loop, entity);
    if (label || loop->label_count == TR_CHARACTER_MAX)
        return label;
    label = &loop->label[loop->label_count++];
    *label = (tr_label){.entity = entity};
    return label;
}

void tr_world_loop_set_label(tr_world_loop *loop, tr_entity_id entity, const char *text) {
    tr_label *label = text[0] == '\0' ? NULL : label_of(loop, entity);
    if (label)
        tr_name_set(label->text, text);
}

void tr_world_loop_set_owner(tr_world_loop *loop, tr_entity_id entity, uint64_t account) {
    tr_label *label = account == 0 ? NULL : label_of(loop, entity);
    if (label)
        label->owner = account;
}

const char *tr_world_loop_label(const tr_world_loop *loop, tr_entity_id entity) {
    const tr_label *label = find_label(loop, entity);
    return label ? label->text : "";
}

uint64_t tr_world_loop_owner(const tr_world_loop *loop, tr_entity_id entity) {
    const tr_label *label = find_label(loop, entity);
    return label ? label->owner : 0;
}

static const char *name_of(const tr_world_loop *loop, tr_entity_id id) {
    const tr_object_def *object = tr_world_object_def(tr_stage_world_const(loop->stage), id);
    return object ? object->name : tr_world_loop_label(loop, id);
}

/* Sets the first two of id[count] that are called so. */
static void find_called(const tr_world_loop *loop, const char *name, const tr_entity_id *id,
                        int count, tr_entity_id out[2]) {
    int found = 0;
    for (int i = 0; i < count && found < 2; i++)
        if (strcmp(name, name_of(loop, id[i])) == 0)
            out[found++] = id[i];
}

tr_status tr_world_loop_find(const tr_world_loop *loop, const char *name, tr_entity_id *out,
                             tr_error *error) {
    const tr_world *world = tr_stage_world_const(loop->stage);
    tr_entity_id id[TR_CHARACTER_MAX + TR_OBJECT_MAX], called[2] = {0, 0};
    find_called(loop, name, id, tr_world_characters(world, id, TR_CHARACTER_MAX), called);
    if (called[0] == 0)
        find_called(loop, name, id, tr_world_objects(world, id, TR_OBJECT_MAX), called);
    if (called[0] == 0)
        return tr_fail(error, TR_NOT_FOUND, "entity '%.47s': not found", name);
    if (called[1] != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "entity '%.47s': entities %u and %u are called so; expected the id of one",
                       name, called[0], called[1]);
    *out = called[0];
    return TR_OK;
}

void tr_world_loop_drop_label(tr_world_loop *loop, tr_entity_id entity) {
    tr_label *label = find_label(loop, entity);
    if (!label)
        return;
    loop->label_count--;
    memmove(label, label + 1, (size_t)(&loop->label[loop->label_count] - label) * sizeof(tr_label));
}

/* --- answers --- */

void tr_world_loop_tell(tr_world_loop *loop, tr_event event) {
    event.tick = tr_world_loop_tick(loop);
    event.epoch = loop->epoch;
    tr_event_list_add(&loop->events, &event);
}

/* Reports a refused order with the advance that contained it, if that still waits. */
static void note_refusal(tr_world_loop *loop, const tr_command *order, const tr_error *error) {
    tr_command *advance = loop->steps.first;
    while (advance && (advance->stamp.session != order->stamp.session ||
                       advance->stamp.request != order->stamp.request))
        advance = advance->next;
    if (!advance || !advance->refusal)
        return;
    if (advance->refusal->count++ == 0) {
        advance->refusal->index = order->order - 1;
        advance->refusal->error = *error;
    }
}

/* For those who step the world themselves; without memory their next hash differs. */
static void attach_input(const tr_command *command, tr_event *event) {
    if (event->status || command->kind->keeps != TR_KEEP_MESSAGE || !command->message)
        return;
    const size_t size = troupe__command__get_packed_size(command->message);
    event->command = malloc(size);
    if (event->command)
        event->command_size = troupe__command__pack(command->message, event->command);
}

static void tell_applied(tr_world_loop *loop, const tr_command *command, const tr_reply *result) {
    tr_event event = {.kind = TR_EVENT_APPLIED,
                      .entity = result->entity ? result->entity : tr_command_entity(command),
                      .magnitude = result->order,
                      .session = command->stamp.session,
                      .request = command->stamp.request,
                      .status = result->error.status};
    tr_name_set(event.text, command->kind->name);
    if (loop->tells_inputs)
        attach_input(command, &event);
    tr_world_loop_tell(loop, event);
}

static void send_reply(tr_world_loop *loop, tr_command *command, const tr_reply *result) {
    tr_reply *reply = command->reply;
    uint64_t ticket = reply->ticket;
    command->reply = NULL;
    *reply = *result;
    reply->kind = command->kind;
    reply->session = command->stamp.session;
    reply->request = command->stamp.request;
    reply->account = command->account;
    reply->ticket = ticket;
    reply->tick = tr_world_loop_tick(loop);
    reply->next = NULL;
    *loop->replies.end = reply;
    loop->replies.end = &reply->next;
}

void tr_world_loop_answer(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (!command->kind->quiet)
        tell_applied(loop, command, result);
    if (command->order > 0 && result->error.status)
        note_refusal(loop, command, &result->error);
    if (!command->silent) {
        send_reply(loop, command, result);
    } else {
        tr_packet_release(result->data);
        free(result->refusal);
    }
    tr_command_destroy(command);
}

void tr_world_loop_act(tr_world_loop *loop, tr_command *command, tr_command_act *act) {
    tr_reply result = {0};
    result.error.status = act(loop, command, &result);
    if (!result.waits)
        tr_world_loop_answer(loop, command, &result);
}

void tr_world_loop_refuse(tr_world_loop *loop, tr_command *command, const tr_error *error) {
    tr_reply result = {.error = *error};
    tr_world_loop_answer(loop, command, &result);
}

static void abort_all(tr_world_loop *loop, tr_command_queue *queue, const char *why) {
    tr_error error;
    (void)tr_fail(&error, TR_ABORTED, "%s", why);
    for (tr_command *command; (command = tr_command_queue_take(queue));)
        tr_world_loop_refuse(loop, command, &error);
}

void tr_world_loop_abort_pending(tr_world_loop *loop, const char *why) {
    abort_all(loop, &loop->queue, why);
    abort_all(loop, &loop->steps, why);
    loop->allowance = 0;
}

static void tell_end(tr_world_loop *loop) {
    tr_event event = {.kind = TR_EVENT_DESTROYED};
    tr_name_set(event.text, loop->moved_to);
    tr_world_loop_tell(loop, event);
}

void tr_world_loop_fail(tr_world_loop *loop, const char *why) {
    tr_event event = {.kind = TR_EVENT_FAULT};
    snprintf(loop->failure, sizeof loop->failure, "%s", why);
    tr_name_set(event.text, why);
    tr_world_loop_tell(loop, event);
}

void tr_world_loop_close(tr_world_loop *loop) {
    char why[128] = "the world was destroyed";
    if (loop->failure[0] != '\0')
        snprintf(why, sizeof why, "the world was ended: %s", loop->failure);
    else if (loop->moved_to[0] != '\0')
        snprintf(why, sizeof why, "the world has moved to %s", loop->moved_to);
    tr_world_loop_abort_pending(loop, why);
    for (tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->close)
            part->kind->close(part, loop);
    if (loop->source && loop->source->kind->close)
        loop->source->kind->close(loop->source, loop);
    abort_all(loop, &loop->looks, why);
    tell_end(loop);
}

void tr_world_loop_await(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_command_queue_insert(&loop->steps, command);
    result->waits = true;
}

void tr_world_loop_answer_steps(tr_world_loop *loop, int64_t reached) {
    while (loop->steps.first && loop->steps.first->stamp.tick <= reached) {
        tr_command *command = tr_command_queue_take(&loop->steps);
        tr_reply result = {0};
        command->kind->reached(loop, command, &result);
        if (command->refusal && command->refusal->count > 0) {
            result.refusal = command->refusal;
            command->refusal = NULL;
        }
        tr_world_loop_answer(loop, command, &result);
    }
}

/* --- time --- */

/* Makes states due after a change in a paused world, which has no ticks that would send them. */
static void tr_world_loop_show_rest(tr_world_loop *loop) {
    if (loop->paused && loop->allowance == 0)
        tr_world_loop_refresh(loop);
}

tr_status tr_world_loop_may_apply(const tr_world_loop *loop, const tr_command *command,
                                  tr_error *error) {
    tr_status status = TR_OK;
    for (const tr_world_part *part = loop->parts; part && !status; part = part->next)
        if (part->kind->may_apply)
            status = part->kind->may_apply(part, command, error);
    return status;
}

void tr_world_loop_apply(tr_world_loop *loop, tr_command *command, tr_reply *result,
                         int64_t now_ns) {
    loop->now_ns = now_ns;
    tr_status status = command->kind->apply(loop, command, result);
    result->error.status = status;
    if (status)
        result->entity = 0;
    for (tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->applied)
            part->kind->applied(part, loop, command, result);
}

static bool tr_world_loop_may_step(const tr_world_loop *loop) {
    if (stands_still(loop))
        return false;
    if (loop->mode == TR_MODE_STEPPED)
        return tr_lockstep_may_step(&loop->lockstep, tr_world_loop_tick(loop));
    return !loop->paused || loop->allowance > 0;
}

static const char *controller_of(const tr_world_loop *loop, tr_entity_id entity) {
    const tr_performer *performer = tr_stage_performer(loop->stage, entity);
    return performer && performer->runner.controller ? performer->runner.controller->name : "";
}

/* The rule decides; the event reports what was done. A character can leave with an object of its
 * rig. */
static void handle_fault(tr_world_loop *loop, const tr_drivers *drivers, tr_event *event) {
    tr_entity_id owner = tr_stage_rig_owner(loop->stage, event->entity);
    tr_name_set(event->text,
                tr_handle_fault(loop->stage, loop->fault_rule, drivers, event->entity));
    if (!tr_stage_performer(loop->stage, event->entity))
        tr_world_loop_drop_label(loop, event->entity);
    if (owner != 0 && !tr_stage_performer(loop->stage, owner))
        tr_world_loop_drop_label(loop, owner);
}

static void collect_stage_events(tr_world_loop *loop, const tr_drivers *drivers) {
    static const tr_event_kind kind_of[] = {
        [TR_STAGE_FELL] = TR_EVENT_FELL,
        [TR_STAGE_ROSE] = TR_EVENT_ROSE,
        [TR_STAGE_CONTROLLER_ENDED] = TR_EVENT_CONTROLLER_ENDED,
        [TR_STAGE_CONTROLLER_BEGAN] = TR_EVENT_CONTROLLER_BEGAN,
        [TR_STAGE_TOUCHED] = TR_EVENT_TOUCHED,
        [TR_STAGE_FAULT] = TR_EVENT_FAULT,
        [TR_STAGE_ARRIVED] = TR_EVENT_ARRIVED,
        [TR_STAGE_BLOCKED] = TR_EVENT_BLOCKED,
        [TR_STAGE_HOLD_BROKEN] = TR_EVENT_HOLD_BROKEN,
    };
    int count = 0, dropped = 0;
    const tr_stage_event *events = tr_stage_events(loop->stage, &count, &dropped);
    for (int i = 0; i < count; i++) {
        const tr_stage_event *e = &events[i];
        tr_event event = {.kind = kind_of[e->kind], .tick = e->tick, .epoch = loop->epoch};
        event.entity = e->entity, event.other = e->other;
        event.body = e->body, event.other_body = e->other_body;
        event.magnitude = e->magnitude;
        if (e->kind == TR_STAGE_CONTROLLER_BEGAN || e->kind == TR_STAGE_CONTROLLER_ENDED)
            tr_name_set(event.text, controller_of(loop, e->entity));
        if (e->kind == TR_STAGE_FAULT)
            handle_fault(loop, drivers, &event);
        tr_event_list_add(&loop->events, &event);
    }
    loop->events.dropped += dropped;
}

static void tell_lateness(tr_world_loop *loop, int64_t now_ns) {
    loop->lateness_ns = now_ns - tr_pace_deadline_ns(&loop->pace);
    tr_lateness_add(&loop->lateness, loop->lateness_ns);
    int64_t dropped = loop->pace.dropped_steps - loop->reported_dropped;
    if (dropped == 0)
        return;
    tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_LATE, .magnitude = (double)dropped});
    loop->reported_dropped = loop->pace.dropped_steps;
}

static void keep_pace(tr_world_loop *loop, int64_t now_ns) {
    if (tr_world_loop_is_running(loop) && loop->mode == TR_MODE_REAL_TIME) {
        tell_lateness(loop, now_ns);
        tr_pace_step(&loop->pace);
    }
    if (loop->paused)
        loop->allowance--;
}

void tr_world_loop_step(tr_world_loop *loop, tr_step_kind kind, int64_t now_ns) {
    tr_drivers drivers;
    if (kind == TR_STEP_SEEN)
        keep_pace(loop, now_ns);
    int first_event = loop->events.count;
    tr_drivers_note(loop->stage, &drivers);
    loop->steps_made++;
    for (tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->before_step)
            part->kind->before_step(part, loop);
    (void)!tr_stage_step(loop->stage); /* a fault is an event, and the world continues */
    tr_solver_report report = tr_world_solver_report(tr_stage_world_const(loop->stage));
    loop->contacts_dropped += (uint64_t)report.contacts_dropped;
    loop->searches_cut += (uint64_t)report.searches_cut;
    for (tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->stepped)
            part->kind->stepped(part, loop);
    collect_stage_events(loop, &drivers);
    check(loop);
    if (kind == TR_STEP_UNSEEN)
        return;
    for (tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->after_step)
            part->kind->after_step(part, loop, tr_world_loop_tick(loop), first_event);
    tr_world_loop_show_rest(loop);
}

void tr_world_loop_pause(tr_world_loop *loop) {
    if (loop->paused)
        return;
    loop->paused = true;
    loop->allowance = 0;
    tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_PAUSED});
    tr_world_loop_refresh(loop);
}

void tr_world_loop_resume(tr_world_loop *loop, int64_t now_ns) {
    if (!loop->paused)
        return;
    loop->paused = false;
    loop->allowance = 0;
    tr_pace_resume(&loop->pace, loop->rate, now_ns);
    tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_RESUMED});
}

/* Answers all looks with these fields, in their order, with one state. */
static void answer_looks_at(tr_world_loop *loop, uint32_t fields) {
    tr_packet *state = NULL;
    const tr_status status = tr_encode_state(loop, fields, &state);
    for (tr_command **at = &loop->looks.first; *at;) {
        tr_command *look = *at;
        if (tr_look_fields(look) != fields) {
            at = &look->next;
            continue;
        }
        tr_reply result = {.error.status = status, .data = state ? tr_packet_share(state) : NULL};
        *at = look->next;
        loop->looks.count--;
        loop->looks.bytes -= tr_command_size(look);
        tr_world_loop_answer(loop, look, &result);
    }
    tr_packet_release(state);
}

void tr_world_loop_answer_looks(tr_world_loop *loop) {
    while (loop->looks.first)
        answer_looks_at(loop, tr_look_fields(loop->looks.first));
}

int64_t tr_world_loop_next_turn(const tr_world_loop *loop, int64_t now_ns, bool stepped) {
    if (!tr_world_loop_is_running(loop))
        return stepped || tr_world_loop_may_step(loop) ? now_ns : INT64_MAX;
    return loop->mode == TR_MODE_REAL_TIME ? tr_pace_deadline_ns(&loop->pace) : now_ns;
}

bool tr_world_loop_is_due(tr_world_loop *loop, int64_t now_ns) {
    bool timed = loop->mode == TR_MODE_REAL_TIME && tr_world_loop_is_running(loop);
    return tr_world_loop_may_step(loop) && (!timed || tr_pace_due(&loop->pace, now_ns) > 0);
}

static bool may_apply(const tr_world_loop *loop, const tr_command *command) {
    int64_t tick = tr_world_loop_tick(loop);
    if (loop->held_by != 0 || (loop->arriving && !command->kind->fills))
        return false;
    return loop->mode == TR_MODE_STEPPED
               ? tr_lockstep_may_apply(&loop->lockstep, &command->stamp, tick)
               : command->stamp.tick <= tick;
}

int64_t tr_world_loop_advance(tr_world_loop *loop, int64_t now_ns) {
    if (loop->source)
        return loop->source->kind->advance(loop->source, loop, now_ns);
    if (loop->released) /* the time of the hold is not owed */
        tr_pace_resume(&loop->pace, loop->rate, now_ns);
    loop->released = false;
    bool due = tr_world_loop_is_due(loop, now_ns);
    bool applies = due || !tr_world_loop_is_running(loop);
    while (applies && loop->queue.first && may_apply(loop, loop->queue.first)) {
        tr_command *command = tr_command_queue_take(&loop->queue);
        tr_reply result = {0};
        if (!tr_world_loop_may_apply(loop, command, &result.error))
            tr_world_loop_apply(loop, command, &result, now_ns);
        if (result.waits)
            continue;
        tr_world_loop_show_rest(loop);
        tr_world_loop_answer(loop, command, &result);
    }
    /* A pause or resume may have applied. */
    bool stepped = tr_world_loop_may_step(loop) && (due || !tr_world_loop_is_running(loop));
    if (stepped) {
        tr_world_loop_step(loop, TR_STEP_SEEN, now_ns);
        tr_world_loop_answer_steps(loop, tr_world_loop_tick(loop));
    }
    tr_world_loop_answer_looks(loop);
    return tr_world_loop_next_turn(loop, now_ns, stepped);
}
