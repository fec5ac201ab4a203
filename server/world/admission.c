/* Admission of a command that reaches a world: it waits for its tick, acts, moves a frontier, or is
 * refused. */
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

/* Stamps the command with the tick that it waits for, if it may wait. */
static tr_status stamp(tr_world_loop *loop, tr_command *command, tr_error *error) {
    if (!command->kind->apply)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "this world is not a replay, which alone takes this command");
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

/* Checks that the sender is a stepper, and has room for a step and its orders. */
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

/* The frontier moves when the request arrives; only the answer waits for the world. */
tr_status tr_world_loop_move_frontier(tr_world_loop *loop, tr_command *command, int64_t count,
                                      tr_command **orders, int order_count, tr_reply *result) {
    tr_status status = may_move(loop, command, order_count, &result->error);
    if (status)
        return status;
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
    tr_world_loop_await(loop, command, result);
    return TR_OK;
}

/* --- names --- */

static tr_status find_entity(const tr_world_loop *loop, tr_command *command, tr_error *error) {
    const char *name = command->message ? command->message->entity_name : "";
    tr_entity_id entity = 0;
    tr_status status = name[0] ? tr_world_loop_find(loop, name, &entity, error) : TR_OK;
    if (entity != 0)
        tr_command_set_entity(command, entity);
    return status;
}

/* --- owners of characters --- */

/* Checking here is enough: within one epoch an entity id never passes to another owner, and a new
 * epoch aborts waiting commands. Characters of a match have no owner: the client that joined with
 * their team's number commands them, which the referee checks. */
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

/* The command, or its first order, that the sender may not send; NULL: none. */
static const tr_command *find_foreign(tr_world_loop *loop, const tr_command *command) {
    if (!may_touch(loop, command))
        return command;
    const tr_command *order = command->kind->orders ? command->kind->orders(command) : NULL;
    while (order && may_touch(loop, order))
        order = order->next;
    return order;
}

/* TR_PERMISSION_DENIED: the command or one of its orders acts on a character of another owner. */
static tr_status check_owner(tr_world_loop *loop, const tr_command *command, tr_error *error) {
    const tr_command *foreign = find_foreign(loop, command);
    return foreign ? tr_fail(error, TR_PERMISSION_DENIED, "entity %u: not one of your characters",
                             tr_command_entity(foreign))
                   : TR_OK;
}

/* Kinds that clients cannot send, such as looks and departures, are always admitted. */
static tr_status check_held(const tr_world_loop *loop, const tr_command *command, tr_error *error) {
    if (command->kind->number == 0 ||
        (loop->held_by == 0 && (!loop->arriving || command->kind->fills)))
        return TR_OK;
    return tr_fail(error, TR_UNAVAILABLE,
                   loop->arriving ? "the world arrives from another daemon, and has not started"
                                  : "the world is moving to another daemon");
}

void tr_world_loop_admit(tr_world_loop *loop, tr_command *command) {
    const tr_command_kind *kind = command->kind;
    bool acts = kind->admit && (kind->acts_now ? kind->acts_now(command)
                                               : !kind->apply || loop->mode == TR_MODE_STEPPED);
    tr_error error = {0};
    tr_status status = check_held(loop, command, &error);
    if (!status)
        status = find_entity(loop, command, &error);
    if (!status)
        status = check_owner(loop, command, &error);
    bool waits = !status && !loop->source && !acts;
    if (waits)
        status = stamp(loop, command, &error);
    if (status)
        tr_world_loop_refuse(loop, command, &error);
    else if (waits)
        tr_command_queue_insert(&loop->queue, command);
    else if (loop->source)
        loop->source->kind->admit(loop->source, loop, command);
    else
        tr_world_loop_act(loop, command, kind->admit);
}
