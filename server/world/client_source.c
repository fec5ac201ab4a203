/* The clients of a world as the source of its commands: which commands wait for their tick, which act
 * as they come, which are refused; and a turn of a world that they command. */
#include "server/world/command_source.h"

#include "server/world/world_loop.h"

/* --- a command that waits for its tick --- */

static uint64_t order_of(tr_world_loop *loop, uint64_t session) {
    if (loop->mode != TR_MODE_STEPPED)
        return session;
    const tr_lockstep_member *stepper = tr_lockstep_find(&loop->lockstep, session);
    return stepper ? stepper->order : TR_ORDER_UNJOINED + session;
}

static bool has_room(const tr_world_loop *loop, int count, size_t size) {
    return loop->queue.count + loop->steps.count + count <= TR_COMMANDS_PENDING_MAX &&
           loop->queue.bytes + size <= TR_COMMANDS_PENDING_BYTES_MAX;
}

static tr_status stamp(tr_world_loop *loop, tr_command *command, tr_error *error) {
    const tr_lockstep_member *stepper = tr_lockstep_find(&loop->lockstep, command->stamp.session);
    int64_t earliest = stepper ? stepper->frontier : tr_world_loop_tick(loop);
    int64_t wanted = tr_command_at_tick(command);
    command->stamp.order = order_of(loop, command->stamp.session);
    command->stamp.tick = wanted == 0 ? earliest : wanted;
    if (command->stamp.tick < earliest || command->stamp.tick > earliest + TR_AT_TICK_AHEAD_MAX)
        return tr_fail(error, TR_OUT_OF_RANGE, "at_tick %lld: expected %lld to %lld, or 0",
                       (long long)wanted, (long long)earliest,
                       (long long)earliest + TR_AT_TICK_AHEAD_MAX);
    if (!has_room(loop, 1, tr_command_size(command)))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "too many commands wait in this world");
    return TR_OK;
}

void tr_world_loop_enqueue(tr_world_loop *loop, tr_command *command) {
    tr_error error = {0};
    if (stamp(loop, command, &error))
        tr_world_loop_refuse(loop, command, &error);
    else
        tr_command_queue_insert(&loop->queue, command);
}

/* --- steppers --- */

tr_status tr_world_loop_join(tr_world_loop *loop, uint64_t session, uint32_t order,
                             uint32_t *out_order, tr_error *error) {
    if (loop->mode != TR_MODE_STEPPED)
        return tr_fail(error, TR_FAILED_PRECONDITION, "only a stepped world has steppers");
    tr_status status =
        tr_lockstep_join(&loop->lockstep, session, order, tr_world_loop_tick(loop), out_order);
    if (status == TR_ALREADY_EXISTS)
        return tr_fail(error, status, "order %u is taken, or this client has joined", order);
    if (status == TR_OUT_OF_RANGE)
        return tr_fail(error, status, "order %u: expected 0 to %d", order, TR_STEPPER_ORDER_MAX);
    return status ? tr_fail(error, status, "%d clients have joined already", TR_STEPPERS_MAX)
                  : TR_OK;
}

/* The sender is a stepper, and has room for a step and its orders. */
static tr_status may_move(tr_world_loop *loop, const tr_command *command, int order_count,
                          tr_error *error) {
    uint32_t order = 0;
    tr_status status = TR_OK;
    if (!tr_lockstep_find(&loop->lockstep, command->stamp.session))
        status = tr_world_loop_join(loop, command->stamp.session, 0, &order, error);
    if (!status && !has_room(loop, order_count + 1, tr_command_size(command)))
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "too many requests wait in this world");
    return status;
}

/* The frontier moves when the request comes; only the answer waits for the world. */
void tr_world_loop_move_frontier(tr_world_loop *loop, tr_command *command, int64_t count,
                                 tr_command **orders, int order_count) {
    tr_error error = {0};
    if (may_move(loop, command, order_count, &error)) {
        tr_world_loop_refuse(loop, command, &error);
        return;
    }
    tr_lockstep_member *stepper = tr_lockstep_find(&loop->lockstep, command->stamp.session);
    command->stamp.order = stepper->order;
    command->stamp.tick = stepper->frontier;
    for (tr_command *next, *order = orders ? *orders : NULL; order; order = next) {
        next = order->next;
        order->stamp = command->stamp;
        tr_command_queue_insert(&loop->queue, order);
    }
    if (orders)
        *orders = NULL;
    stepper->frontier += count;
    command->stamp.tick = stepper->frontier;
    tr_world_loop_await(loop, command);
}

/* --- whose characters --- */

/* Entities are never another's under the same id within one epoch, and a new epoch aborts what
 * waits: so what is refused here is enough. A match's characters are nobody's: the client that joined
 * with the number of their team commands them, as the referee makes sure of. */
static bool may_touch(tr_world_loop *loop, const tr_command *command) {
    tr_entity_id entity = tr_command_entity(command);
    if (!command->own_only || entity == 0 || tr_world_loop_owner(loop, entity) == command->account)
        return true;
    uint64_t order = order_of(loop, command->stamp.session);
    for (const tr_world_part *part = loop->parts; part; part = part->next)
        if (part->kind->commands && part->kind->commands(part, order, entity))
            return true;
    return false;
}

/* The command, or the first of its orders, that it may not send; NULL: none. */
static const tr_command *find_foreign(tr_world_loop *loop, const tr_command *command) {
    if (!may_touch(loop, command))
        return command;
    const tr_command *order = command->kind->orders ? command->kind->orders(command) : NULL;
    while (order && may_touch(loop, order))
        order = order->next;
    return order;
}

void tr_world_loop_admit(tr_world_loop *loop, tr_command *command) {
    const tr_command *foreign = find_foreign(loop, command);
    if (foreign) {
        tr_error error;
        (void)tr_fail(&error, TR_PERMISSION_DENIED, "entity %u: not one of your characters",
                      tr_command_entity(foreign));
        tr_world_loop_refuse(loop, command, &error);
        return;
    }
    loop->source->kind->admit(loop->source, loop, command);
}

/* --- the source --- */

static void refuse_without_replay(tr_world_loop *loop, tr_command *command) {
    tr_error error;
    (void)tr_fail(&error, TR_FAILED_PRECONDITION, "not a replay: only a replay takes a %s",
                  command->kind->name);
    tr_world_loop_refuse(loop, command, &error);
}

static void admit(tr_command_source *source, tr_world_loop *loop, tr_command *command) {
    (void)source;
    if (command->kind->admit)
        command->kind->admit(loop, command);
    else if (command->kind->apply)
        tr_world_loop_enqueue(loop, command);
    else
        refuse_without_replay(loop, command);
}

static bool may_apply(const tr_world_loop *loop, const tr_command *command) {
    int64_t tick = tr_world_loop_tick(loop);
    return loop->mode == TR_MODE_STEPPED
               ? tr_lockstep_may_apply(&loop->lockstep, &command->stamp, tick)
               : command->stamp.tick <= tick;
}

static void apply_ready(tr_world_loop *loop, int64_t now_ns) {
    while (loop->queue.first && may_apply(loop, loop->queue.first)) {
        tr_command *command = tr_command_queue_take(&loop->queue);
        tr_reply result = {0};
        tr_world_loop_apply(loop, command, &result, now_ns);
        if (result.waits)
            continue;
        tr_world_loop_show_rest(loop);
        tr_world_loop_answer(loop, command, &result);
    }
}

static int64_t advance(tr_command_source *source, tr_world_loop *loop, int64_t now_ns) {
    (void)source;
    bool due = tr_world_loop_is_due(loop, now_ns), running = tr_world_loop_is_running(loop);
    if (due || !running)
        apply_ready(loop, now_ns);
    running = tr_world_loop_is_running(loop); /* a pause or resume may have applied */
    bool stepped = tr_world_loop_may_step(loop) && (due || !running);
    if (stepped) {
        tr_world_loop_step(loop, now_ns);
        tr_world_loop_answer_steps(loop, tr_world_loop_tick(loop));
    }
    tr_world_loop_answer_looks(loop);
    return tr_world_loop_next_turn(loop, now_ns, stepped);
}

static const tr_command_source_kind kind = {.admit = admit, .advance = advance};

tr_command_source tr_clients_source = {.kind = &kind};
