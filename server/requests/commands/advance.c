/* advance: orders, a step and the state after it, in one command of a stepper. */
#include "server/requests/commands/commands.h"
#include "server/requests/commands/stepper.h"
#include "server/world/encode.h"

#include <stdlib.h>

typedef struct advance {
    int order_count;
    tr_command *orders; /* in order, until they are admitted; owned */
} advance;

static advance *advance_of(const tr_command *command) {
    return (advance *)command->data;
}

/* --- its orders --- */

static const tr_field fields[] = {
    TR_NUMBER_IF_GIVEN(Troupe__Advance, count, 1, TR_STEP_COUNT_MAX),
    TR_CHOICE(Troupe__Advance, fields, TR_STATE_FIELDS_ALL, "bits of StateField"),
    TR_LIST(Troupe__Advance, orders, 0, TR_ADVANCE_ORDERS_MAX, NULL, NULL), TR_FIELDS_END};

/* An order is a command whose choices have the same numbers, and are all pointers. */
_Static_assert((int)TROUPE__ORDER__COMMAND_PUSH == (int)TROUPE__COMMAND__COMMAND_PUSH,
               "one numbering");

/* Makes a Command from an order; the order's message moves into it. */
static Troupe__Command *message_of(uint32_t world, Troupe__Order *order) {
    Troupe__Command *message = malloc(sizeof *message);
    if (!message)
        return NULL;
    troupe__command__init(message);
    message->world = world;
    message->command_case = (Troupe__Command__CommandCase)order->command_case;
    message->push = order->push;
    order->command_case = TROUPE__ORDER__COMMAND__NOT_SET;
    order->push = NULL;
    return message;
}

static tr_status check(tr_command *command, const tr_command_table *table, tr_error *error) {
    const Troupe__Advance *m = command->message->advance;
    advance *a = advance_of(command);
    tr_command **end = &a->orders;
    if (m->n_orders > 0 && !(command->refusal = calloc(1, sizeof *command->refusal)))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    for (size_t i = 0; i < m->n_orders; i++) {
        Troupe__Command *message = message_of(command->message->world, m->orders[i]);
        tr_status status = message ? tr_command_decode(table, message, end, error)
                                   : tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
        if (status)
            return status;
        (*end)->order = ++a->order_count;
        (*end)->silent = true;
        end = &(*end)->next;
    }
    return TR_OK;
}

static tr_status names(const tr_command *command, tr_library_needs *needs) {
    tr_status status = TR_OK;
    for (const tr_command *o = advance_of(command)->orders; o && !status; o = o->next)
        if (o->kind->names)
            status = o->kind->names(o, needs);
    return status;
}

static tr_status bind_names(tr_command *command, const tr_cast *cast, tr_error *error) {
    tr_status status = TR_OK;
    for (tr_command *o = advance_of(command)->orders; o && !status; o = o->next)
        status = tr_command_bind(o, cast, error);
    return status;
}

static const tr_command *orders(const tr_command *command) {
    return advance_of(command)->orders;
}

static size_t memory(const tr_command *command) {
    size_t size = 0;
    for (const tr_command *o = orders(command); o; o = o->next)
        size += tr_command_size(o);
    return size;
}

static void destroy(tr_command *command) {
    tr_command_destroy_all(advance_of(command)->orders);
}

/* --- in the world --- */

static tr_status admit(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    advance *a = advance_of(command);
    const Troupe__Advance *m = command->message->advance;
    if (loop->mode != TR_MODE_STEPPED)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "only a stepped world can be advanced, and this one is not stepped");
    return tr_world_loop_move_frontier(loop, command, m->has_count_case ? m->count : 1, &a->orders,
                                       a->order_count, result);
}

static void reached(tr_world_loop *loop, const tr_command *command, tr_reply *result) {
    tr_status status = tr_encode_state(loop, command->message->advance->fields, &result->data);
    if (status)
        (void)tr_fail_if(&result->error, status, "state");
}

static tr_status encode(const tr_reply *reply, tr_packet **out) {
    Troupe__CommandResult result = tr_command_result(reply);
    Troupe__Refused refused = TROUPE__REFUSED__INIT;
    if (reply->refusal) {
        refused.count = (uint32_t)reply->refusal->count;
        refused.order = (uint32_t)reply->refusal->index;
        refused.code = (Troupe__StatusCode)-reply->refusal->error.status;
        refused.message = tr_wire_text(reply->refusal->error.message);
        result.refused = &refused;
    }
    return tr_encode_result_with_state(reply, &result, out);
}

TR_COMMAND_ROW(ADVANCE, advance, .at_once = true, .quiet = true,
               .right = TR_STEPPED_FROM_PLAYER, /* orders are checked by their own rows */
               .fields = fields, .data_size = sizeof(advance), .check = check, .names = names,
               .bind = bind_names, .prepare = tr_stepper_prepare, .encode = encode, .admit = admit,
               .reached = reached, .orders = orders, .memory = memory, .destroy = destroy)
