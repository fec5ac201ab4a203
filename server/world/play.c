#include "server/world/play.h"

#include "server/catalogue/name.h"
#include "server/match/referee.h"
#include "server/world/encode.h"

#include <stdlib.h>
#include <string.h>

/* --- life --- */

static tr_status set_stage(tr_play *play, const tr_play_def *def) {
    tr_status status = tr_stage_create(&def->world, &play->stage);
    for (int i = 0; i < def->scenery_count && status == TR_OK; i++)
        status = tr_world_add_scenery(tr_stage_world(play->stage), &def->scenery[i], NULL);
    if (status == TR_OK && def->referee != NULL)
        status = tr_referee_create(def->referee, &play->referee);
    if (status == TR_OK && play->referee != NULL)
        tr_referee_begin(play->referee, play);
    return status == TR_OK ? tr_play_take_mark(play) : status;
}

tr_status tr_play_create(const tr_play_def *def, int64_t now_ns, tr_play **out) {
    tr_play *play = calloc(1, sizeof *play);
    if (play == NULL)
        return TR_RESOURCE_EXHAUSTED;
    play->id = def->id;
    play->seed = def->seed;
    play->mode = def->mode;
    play->fault_rule = def->fault_rule;
    play->rate = def->rate;
    play->paused = def->paused && def->mode != TR_MODE_STEPPED;
    play->lockstep = tr_lockstep_start(def->steppers);
    play->pace = tr_pace_start(def->world.step_s, def->rate, now_ns);
    if (def->staggered)
        tr_pace_align(&play->pace, def->phase, now_ns);
    play->replies.end = &play->replies.first;
    tr_status status = set_stage(play, def);
    play->replay = def->replay;
    if (status == TR_OK && play->replay != NULL)
        status = tr_replay_begin(play, now_ns);
    if (status != TR_OK) {
        play->replay = NULL; /* stays the caller's */
        tr_play_destroy(play);
        return status;
    }
    *out = play;
    return TR_OK;
}

void tr_play_destroy(tr_play *play) {
    if (play == NULL)
        return;
    tr_command_destroy_all(play->queue.first);
    tr_command_destroy_all(play->steps.first);
    tr_command_destroy_all(play->looks.first);
    for (tr_reply *next, *reply = play->replies.first; reply != NULL; reply = next) {
        next = reply->next;
        tr_reply_destroy(reply);
    }
    tr_event_list_deinit(&play->events);
    tr_packet_release(play->mark);
    tr_referee_destroy(play->referee);
    tr_recorder_destroy(play->recorder);
    tr_replay_destroy(play->replay);
    tr_stage_destroy(play->stage);
    free(play);
}

int64_t tr_play_tick(const tr_play *play) {
    return tr_world_tick(tr_stage_world_const(play->stage));
}

static double step_s(const tr_play *play) {
    return tr_world_definition(tr_stage_world_const(play->stage))->step_s;
}

static bool is_running(const tr_play *play) {
    return play->mode != TR_MODE_STEPPED && !play->paused;
}

tr_play_info tr_play_describe(const tr_play *play) {
    const tr_world *world = tr_stage_world_const(play->stage);
    return (tr_play_info){
        .step_s = step_s(play),
        .rate = play->mode == TR_MODE_REAL_TIME ? play->rate : 0,
        .time_s = tr_world_time_s(world),
        .paused = play->paused,
        .fault_rule = play->fault_rule,
        .tick = tr_world_tick(world),
        .seed = play->seed,
        .epoch = play->epoch,
        .character_count = tr_world_characters(world, NULL, 0),
        .object_count = tr_world_objects(world, NULL, 0),
        .stepper_count = play->lockstep.count,
        .pending_count = play->queue.count + play->steps.count,
        .dropped_ticks = play->pace.dropped_steps,
        .steps_made = play->steps_made,
        .lateness = play->lateness,
        .recording = play->recorder != NULL ? play->recording : 0,
        .replay = tr_replay_describe(play),
    };
}

const char *tr_play_label(const tr_play *play, tr_entity_id entity) {
    for (int i = 0; i < play->label_count; i++)
        if (play->label[i].entity == entity)
            return play->label[i].text;
    return "";
}

/* --- answers --- */

void tr_play_tell(tr_play *play, tr_event_kind kind) {
    tr_event event = {.kind = kind, .tick = tr_play_tick(play), .epoch = play->epoch};
    tr_event_list_add(&play->events, &event);
}

/* An order that was refused is told with the advance that brought it, if that still waits. */
static void note_refusal(tr_play *play, const tr_command *order, const tr_error *error) {
    tr_command *advance = play->steps.first;
    while (advance != NULL && (advance->stamp.session != order->stamp.session ||
                               advance->stamp.request != order->stamp.request))
        advance = advance->next;
    if (advance == NULL)
        return;
    tr_refusal *refusal = advance->as.advance.refusal;
    if (refusal->count++ == 0) {
        refusal->index = order->order - 1;
        refusal->error = *error;
    }
}

static void tell_applied(tr_play *play, const tr_command *command, const tr_reply *result) {
    tr_event event = {.kind = TR_EVENT_APPLIED,
                      .tick = tr_play_tick(play),
                      .epoch = play->epoch,
                      .entity = result->entity,
                      .session = command->stamp.session,
                      .request = command->stamp.request,
                      .status = result->error.status};
    tr_name_set(event.text, tr_command_name(command->kind));
    tr_event_list_add(&play->events, &event);
}

void tr_play_answer(tr_play *play, tr_command *command, tr_reply *result) {
    bool asked_for_change =
        command->kind != TR_COMMAND_GET_STATE && command->kind != TR_COMMAND_PART;
    if (asked_for_change && command->kind != TR_COMMAND_STEP && command->kind != TR_COMMAND_ADVANCE)
        tell_applied(play, command, result);
    if (command->order > 0 && result->error.status != TR_OK)
        note_refusal(play, command, &result->error);
    if (!command->silent) {
        tr_reply *reply = command->reply;
        command->reply = NULL;
        *reply = *result;
        reply->session = command->stamp.session;
        reply->request = command->stamp.request;
        reply->account = command->account;
        reply->kind = command->kind;
        reply->tick = tr_play_tick(play);
        if (command->kind == TR_COMMAND_START_RECORDING && result->error.status != TR_OK)
            reply->hash = command->as.start_recording.id;
        reply->next = NULL;
        *play->replies.end = reply;
        play->replies.end = &reply->next;
    } else {
        tr_packet_release(result->data);
    }
    tr_command_destroy(command);
}

void tr_play_refuse(tr_play *play, tr_command *command, const tr_error *error) {
    tr_reply result = {.error = *error};
    tr_play_answer(play, command, &result);
}

static void abort_all(tr_play *play, tr_command_queue *queue, const char *why) {
    tr_error error;
    (void)tr_fail(&error, TR_ABORTED, "%s", why);
    for (tr_command *command; (command = tr_command_queue_take(queue)) != NULL;)
        tr_play_refuse(play, command, &error);
}

void tr_play_abort_pending(tr_play *play, const char *why) {
    abort_all(play, &play->queue, why);
    abort_all(play, &play->steps, why);
    play->allowance = 0;
}

void tr_play_close(tr_play *play) {
    tr_play_abort_pending(play, "the world was destroyed");
    tr_play_end_recording(play, TR_OK, "the world was destroyed");
    tr_replay_close(play);
    abort_all(play, &play->looks, "the world was destroyed");
    tr_play_tell(play, TR_EVENT_DESTROYED);
}

void tr_play_await(tr_play *play, tr_command *command) {
    tr_command_queue_insert(&play->steps, command);
}

/* The world has come where an advance wanted it: what the orders came to, and the state. */
static void answer_advance(tr_play *play, tr_command *command) {
    tr_advance *advance = &command->as.advance;
    tr_reply result = {0};
    tr_status status = tr_encode_state(play, advance->fields, &result.data);
    if (status != TR_OK)
        (void)tr_fail(&result.error, status, "state: %s", tr_status_text(status));
    if (advance->refusal != NULL && advance->refusal->count > 0 && !command->silent) {
        result.refusal = advance->refusal;
        advance->refusal = NULL;
    }
    tr_play_answer(play, command, &result);
}

static void answer_steps(tr_play *play) {
    int64_t tick = tr_play_tick(play);
    while (play->steps.first != NULL && play->steps.first->stamp.tick <= tick) {
        tr_command *command = tr_command_queue_take(&play->steps);
        if (command->kind == TR_COMMAND_ADVANCE) {
            answer_advance(play, command);
            continue;
        }
        tr_reply result = {.hash = tr_stage_hash(play->stage)};
        tr_play_answer(play, command, &result);
    }
}

/* However many look, a state is encoded once for each set of fields: they share it. */
void tr_play_answer_looks(tr_play *play) {
    if (play->looks.first == NULL)
        return;
    tr_packet *encoded[TR_STATE_FIELDS_ALL + 1] = {NULL};
    for (tr_command *look; (look = tr_command_queue_take(&play->looks)) != NULL;) {
        tr_reply result = {0};
        tr_packet **state = &encoded[look->as.state_fields & TR_STATE_FIELDS_ALL];
        if (*state == NULL)
            result.error.status = tr_encode_state(play, look->as.state_fields, state);
        if (*state != NULL)
            result.data = tr_packet_share(*state);
        tr_play_answer(play, look, &result);
    }
    for (int i = 0; i <= TR_STATE_FIELDS_ALL; i++)
        tr_packet_release(encoded[i]);
}

/* --- time --- */

static bool may_apply(const tr_play *play, const tr_command *command) {
    int64_t tick = tr_play_tick(play);
    return play->mode == TR_MODE_STEPPED
               ? tr_lockstep_may_apply(&play->lockstep, &command->stamp, tick)
               : command->stamp.tick <= tick;
}

/* A paused world has no ticks at which states would come: what changes in it is shown at once. */
static void show_rest(tr_play *play) {
    if (play->paused && play->allowance == 0)
        tr_publisher_refresh(&play->publisher);
}

static void apply_ready(tr_play *play, int64_t now_ns) {
    while (play->queue.first != NULL && may_apply(play, play->queue.first)) {
        tr_command *command = tr_command_queue_take(&play->queue);
        tr_reply result = {0};
        if (command->kind == TR_COMMAND_STEP && play->paused) {
            play->allowance += command->as.step_count;
            command->stamp.tick = tr_play_tick(play) + play->allowance;
            tr_play_await(play, command);
            continue;
        }
        tr_play_apply(play, command, &result, now_ns);
        tr_play_record_command(play, command, &result);
        show_rest(play);
        tr_play_answer(play, command, &result);
    }
}

/* Apart from the clock. */
static bool may_step(const tr_play *play) {
    if (play->mode == TR_MODE_STEPPED)
        return tr_lockstep_may_step(&play->lockstep, tr_play_tick(play));
    return !play->paused || play->allowance > 0;
}

static const char *controller_of(const tr_play *play, tr_entity_id entity) {
    const tr_performer *performer = tr_stage_performer(play->stage, entity);
    return performer != NULL && performer->runner.controller != NULL
               ? performer->runner.controller->name
               : "";
}

/* The rule decides, the event tells what was done. */
static void contain(tr_play *play, const tr_drivers *drivers, tr_event *event) {
    tr_name_set(event->text, tr_contain(play->stage, play->fault_rule, drivers, event->entity));
    if (tr_stage_performer(play->stage, event->entity) == NULL)
        tr_play_drop_label(play, event->entity);
}

static void collect_stage_events(tr_play *play, const tr_drivers *drivers) {
    static const tr_event_kind kind_of[] = {
        [TR_STAGE_FELL] = TR_EVENT_FELL,
        [TR_STAGE_ROSE] = TR_EVENT_ROSE,
        [TR_STAGE_CONTROLLER_ENDED] = TR_EVENT_CONTROLLER_ENDED,
        [TR_STAGE_CONTROLLER_BEGAN] = TR_EVENT_CONTROLLER_BEGAN,
        [TR_STAGE_TOUCHED] = TR_EVENT_TOUCHED,
        [TR_STAGE_FAULT] = TR_EVENT_FAULT,
    };
    int count = 0, dropped = 0;
    const tr_stage_event *events = tr_stage_events(play->stage, &count, &dropped);
    for (int i = 0; i < count; i++) {
        const tr_stage_event *e = &events[i];
        tr_event event = {.kind = kind_of[e->kind], .tick = e->tick, .epoch = play->epoch};
        event.entity = e->entity, event.other = e->other;
        event.body = e->body, event.other_body = e->other_body;
        event.magnitude = e->magnitude;
        if (e->kind == TR_STAGE_CONTROLLER_BEGAN || e->kind == TR_STAGE_CONTROLLER_ENDED)
            tr_name_set(event.text, controller_of(play, e->entity));
        if (e->kind == TR_STAGE_FAULT)
            contain(play, drivers, &event);
        tr_event_list_add(&play->events, &event);
    }
    play->events.dropped += dropped;
}

static void tell_lateness(tr_play *play, int64_t now_ns) {
    play->lateness_ns = now_ns - tr_pace_deadline_ns(&play->pace);
    tr_lateness_add(&play->lateness, play->lateness_ns);
    int64_t dropped = play->pace.dropped_steps - play->told_dropped;
    if (dropped == 0)
        return;
    tr_event event = {.kind = TR_EVENT_LATE,
                      .tick = tr_play_tick(play),
                      .epoch = play->epoch,
                      .magnitude = (double)dropped};
    tr_event_list_add(&play->events, &event);
    play->told_dropped = play->pace.dropped_steps;
}

/* A bout that has ended is left to be looked at; a stepped world waits for its steppers anyway. */
static void judge(tr_play *play) {
    tr_referee_after_step(play->referee);
    if (tr_referee_has_ended(play->referee) && play->mode != TR_MODE_STEPPED)
        play->paused = true;
}

void tr_play_simulate(tr_play *play) {
    /* What broke is contained and told as an event: the world goes on. */
    tr_drivers drivers;
    tr_drivers_note(play->stage, &drivers);
    play->steps_made++;
    if (play->referee != NULL)
        tr_referee_before_step(play->referee);
    (void)!tr_stage_step(play->stage);
    if (play->referee != NULL)
        judge(play);
    collect_stage_events(play, &drivers);
}

void tr_play_step(tr_play *play, int64_t now_ns) {
    if (is_running(play) && play->mode == TR_MODE_REAL_TIME) {
        tell_lateness(play, now_ns);
        tr_pace_step(&play->pace);
    }
    if (play->paused)
        play->allowance--;
    int first_event = play->events.count;
    tr_play_simulate(play);
    tr_play_record_step(play, first_event);
    tr_publisher_tick(&play->publisher, tr_play_tick(play));
    show_rest(play);
}

int64_t tr_play_next_turn(const tr_play *play, int64_t now_ns, bool stepped) {
    if (!is_running(play))
        return stepped || may_step(play) ? now_ns : INT64_MAX;
    return play->mode == TR_MODE_REAL_TIME ? tr_pace_deadline_ns(&play->pace) : now_ns;
}

bool tr_play_is_due(tr_play *play, int64_t now_ns) {
    bool timed = play->mode == TR_MODE_REAL_TIME && is_running(play);
    return may_step(play) && (!timed || tr_pace_due(&play->pace, now_ns) > 0);
}

int64_t tr_play_advance(tr_play *play, int64_t now_ns) {
    if (play->replay != NULL)
        return tr_replay_advance(play, now_ns);
    bool due = tr_play_is_due(play, now_ns);
    if (due || !is_running(play))
        apply_ready(play, now_ns);
    bool stepped = may_step(play) && (due || !is_running(play));
    if (stepped) {
        tr_play_step(play, now_ns);
        answer_steps(play);
    }
    tr_play_answer_looks(play);
    return tr_play_next_turn(play, now_ns, stepped);
}
