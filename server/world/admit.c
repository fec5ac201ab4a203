/* Commands as they come: which wait for their tick, which act at once, which are refused. */
#include "server/world/play.h"

#include "server/match/referee.h"

static uint64_t order_of(tr_play *play, uint64_t session) {
    if (play->mode != TR_MODE_STEPPED)
        return session;
    const tr_stepper *stepper = tr_lockstep_find(&play->lockstep, session);
    return stepper != NULL ? stepper->order : TR_ORDER_UNJOINED + session;
}

static bool has_room(const tr_play *play, int count, size_t size) {
    return play->queue.count + play->steps.count + count <= TR_COMMANDS_PENDING_MAX &&
           play->queue.bytes + size <= TR_COMMANDS_PENDING_BYTES_MAX;
}

static tr_status stamp(tr_play *play, tr_command *command, tr_error *error) {
    const tr_stepper *stepper = tr_lockstep_find(&play->lockstep, command->stamp.session);
    int64_t earliest = stepper != NULL ? stepper->frontier : tr_play_tick(play);
    command->stamp.order = order_of(play, command->stamp.session);
    command->stamp.tick = command->at_tick == 0 ? earliest : command->at_tick;
    if (command->stamp.tick < earliest || command->stamp.tick > earliest + TR_AT_TICK_AHEAD_MAX)
        return tr_fail(error, TR_OUT_OF_RANGE, "at_tick %lld: expected %lld to %lld, or 0",
                       (long long)command->at_tick, (long long)earliest,
                       (long long)earliest + TR_AT_TICK_AHEAD_MAX);
    if (!has_room(play, 1, tr_command_size(command)))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "too many commands wait in this world");
    return TR_OK;
}

static tr_status join(tr_play *play, uint64_t session, uint32_t order, uint32_t *out_order,
                      tr_error *error) {
    if (play->mode != TR_MODE_STEPPED)
        return tr_fail(error, TR_FAILED_PRECONDITION, "only a stepped world has steppers");
    tr_status status =
        tr_lockstep_join(&play->lockstep, session, order, tr_play_tick(play), out_order);
    if (status == TR_ALREADY_EXISTS)
        return tr_fail(error, status, "order %u is taken, or this client has joined", order);
    if (status == TR_OUT_OF_RANGE)
        return tr_fail(error, status, "order %u: expected 0 to %d", order, TR_STEPPER_ORDER_MAX);
    return status == TR_OK
               ? TR_OK
               : tr_fail(error, status, "%d clients have joined already", TR_STEPPERS_MAX);
}

static void admit_join(tr_play *play, tr_command *command) {
    tr_reply result = {0};
    (void)join(play, command->stamp.session, command->as.join_order, &result.order, &result.error);
    tr_play_answer(play, command, &result);
}

static void admit_leave(tr_play *play, tr_command *command) {
    tr_reply result = {0};
    if (tr_lockstep_leave(&play->lockstep, command->stamp.session) != TR_OK)
        (void)tr_fail(&result.error, TR_NOT_FOUND, "this client has not joined");
    tr_play_answer(play, command, &result);
}

/* The session is gone: what it asked for still applies, but nobody waits for it any more. */
static void admit_part(tr_play *play, tr_command *command) {
    (void)!tr_lockstep_leave(&play->lockstep, command->stamp.session);
    command->silent = true;
    tr_reply result = {0};
    tr_play_answer(play, command, &result);
}

/* Orders of an advance wait as commands do, with its stamp. */
static void queue_orders(tr_play *play, tr_command *advance) {
    tr_command *next = advance->as.advance.orders;
    advance->as.advance.orders = NULL;
    for (tr_command *order; (order = next) != NULL;) {
        next = order->next;
        order->stamp = advance->stamp;
        tr_command_queue_insert(&play->queue, order);
    }
}

/* A stepper's frontier moves when the request comes; only the answer waits for the world. */
static void admit_frontier(tr_play *play, tr_command *command) {
    tr_error error = {0};
    uint32_t order = 0;
    uint64_t session = command->stamp.session;
    bool advances = command->kind == TR_COMMAND_ADVANCE;
    int count = advances ? command->as.advance.order_count + 1 : 1;
    if (tr_lockstep_find(&play->lockstep, session) == NULL &&
        join(play, session, 0, &order, &error) != TR_OK) {
        tr_play_refuse(play, command, &error);
        return;
    }
    if (!has_room(play, count, tr_command_size(command))) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "too many requests wait in this world");
        tr_play_refuse(play, command, &error);
        return;
    }
    tr_stepper *stepper = tr_lockstep_find(&play->lockstep, session);
    command->stamp.order = stepper->order;
    command->stamp.tick = stepper->frontier;
    if (advances)
        queue_orders(play, command);
    stepper->frontier += advances ? command->as.advance.count : command->as.step_count;
    command->stamp.tick = stepper->frontier;
    tr_play_await(play, command);
}

static void admit_in_order(tr_play *play, tr_command *command) {
    tr_error error = {0};
    if (stamp(play, command, &error) != TR_OK)
        tr_play_refuse(play, command, &error);
    else
        tr_command_queue_insert(&play->queue, command);
}

static void refuse_without_replay(tr_play *play, tr_command *command) {
    tr_error error;
    (void)tr_fail(&error, TR_FAILED_PRECONDITION, "this world lives: only a replay takes a %s",
                  tr_command_name(command->kind));
    tr_play_refuse(play, command, &error);
}

static bool is_for_replays(tr_command_kind kind) {
    return kind == TR_COMMAND_SEEK || kind == TR_COMMAND_SET_LOOP || kind == TR_COMMAND_VERIFY;
}

static bool is_for_steppers(tr_command_kind kind) {
    return kind == TR_COMMAND_STEP || kind == TR_COMMAND_ADVANCE;
}

/* Entities are never another's under the same id within one epoch, and a new epoch aborts what
 * waits: so what is refused here is enough. A match's characters are nobody's: who has joined with
 * the number of their team commands them, as the referee makes sure of. */
static bool may_touch(tr_play *play, const tr_command *command) {
    tr_entity_id entity = tr_command_entity(command);
    if (!command->own_only || entity == 0 || tr_play_owner(play, entity) == command->account)
        return true;
    return play->referee != NULL &&
           tr_referee_commands(play->referee, order_of(play, command->stamp.session), entity);
}

/* NULL: it may; else the command that it may not, an order of an advance perhaps. */
static const tr_command *find_foreign(tr_play *play, const tr_command *command) {
    if (!may_touch(play, command))
        return command;
    const tr_command *order =
        command->kind == TR_COMMAND_ADVANCE ? command->as.advance.orders : NULL;
    while (order != NULL && may_touch(play, order))
        order = order->next;
    return order;
}

static void refuse_advance(tr_play *play, tr_command *command) {
    tr_error error;
    (void)tr_fail(&error, TR_FAILED_PRECONDITION,
                  "this world moves by itself: only a stepped one is advanced");
    tr_play_refuse(play, command, &error);
}

void tr_play_admit(tr_play *play, tr_command *command) {
    const tr_command *foreign = find_foreign(play, command);
    if (foreign != NULL) {
        tr_error error;
        (void)tr_fail(&error, TR_PERMISSION_DENIED, "entity %u: not one of your characters",
                      tr_command_entity(foreign));
        tr_play_refuse(play, command, &error);
        return;
    }
    if (play->replay != NULL)
        tr_replay_admit(play, command);
    else if (is_for_replays(command->kind))
        refuse_without_replay(play, command);
    else if (command->kind == TR_COMMAND_JOIN)
        admit_join(play, command);
    else if (command->kind == TR_COMMAND_LEAVE)
        admit_leave(play, command);
    else if (command->kind == TR_COMMAND_PART)
        admit_part(play, command);
    else if (command->kind == TR_COMMAND_GET_STATE)
        tr_command_queue_insert(&play->looks, command);
    else if (is_for_steppers(command->kind) && play->mode == TR_MODE_STEPPED)
        admit_frontier(play, command);
    else if (command->kind == TR_COMMAND_ADVANCE)
        refuse_advance(play, command);
    else
        admit_in_order(play, command);
}
