/* An advance of a stepped world: orders, a step and a request for the state in one request. */
#include "client/c/command.h"

enum { PARTS = 5 }; /* commands that one tr_client_order can hold */

/* The orders of an advance, with what they point to. */
typedef struct order_list {
    tr_mapping_memory memory;
    size_t count;
    Troupe__Order **order;
} order_list;

/* Adds an order with this message; NULL: no memory for it. */
static void add(order_list *list, void *body) {
    Troupe__Order *order = tr_mapping_take(&list->memory, 1, sizeof *order);
    if (!order || !body)
        return;
    troupe__order__init(order);
    tr_message_choose(&order->base, body);
    list->order[list->count++] = order;
}

static const tr_mapping controller_mapping =
    TR_MAPPING(tr_client_order, SetController, set_controller, TR_COPY(entity, controller));

static const tr_mapping fragment_mapping =
    TR_MAPPING(tr_client_order, SetFragment, set_fragment, TR_COPY(entity, fragment, mirrored));

static const tr_mapping offset_mapping = TR_MAPPING(
    tr_client_order, SetOffset, set_offset, TR_COPY(entity), TR_COPY_ARRAY(offset_size, offset));

static void add_parts(order_list *list, const tr_client_order *from) {
    tr_mapping_memory *memory = &list->memory;
    if (from->controller)
        add(list, tr_mapping_write(&controller_mapping, from, memory));
    if (from->choose)
        add(list, tr_mapping_write(&fragment_mapping, from, memory));
    if (from->offset)
        add(list, tr_mapping_write(&offset_mapping, from, memory));
    if (from->steer) {
        tr_client_steer_def steer = *from->steer;
        steer.entity = from->entity;
        add(list, tr_mapping_write(&tr_steer_mapping, &steer, memory));
    }
    if (from->push) {
        tr_client_push_def push = *from->push;
        push.entity = from->entity;
        add(list, tr_mapping_write(&tr_push_mapping, &push, memory));
    }
}

uint64_t tr_client_advance(tr_client *client, uint32_t world, const tr_client_advance_def *def) {
    if (def->order_count < 0 || def->order_count > TR_ADVANCE_ORDERS_MAX)
        return tr_exchange_refuse(client, TR_INVALID_ARGUMENT, "order_count: expected 0 to 256");
    order_list list = {.memory = {0}};
    list.order = tr_mapping_take(&list.memory, PARTS * (size_t)def->order_count, sizeof(void *));
    for (int i = 0; i < def->order_count && !list.memory.failed; i++)
        add_parts(&list, &def->orders[i]);
    uint64_t request =
        list.memory.failed
            ? tr_exchange_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the orders")
            : TR_COMMAND(client, TR_NOW(world), Advance, advance,
                         .has_count_case = def->ticks != 0 ? TROUPE__ADVANCE__HAS_COUNT_COUNT : 0,
                         .count = def->ticks, .fields = def->fields, .n_orders = list.count,
                         .orders = list.order);
    tr_mapping_free(&list.memory);
    return request;
}
