/* An advance of a stepped world: orders, a step and a look in one request. */
#include "client/c/command.h"

#include <stdlib.h>

enum { PARTS = 5 }; /* of what one character or object can be ordered */

/* The messages of one tr_client_order, as many as it has parts. */
typedef struct order_messages {
    int count;
    Troupe__Order order[PARTS];
    Troupe__SetController controller;
    Troupe__SetFragment fragment;
    Troupe__SetOffset offset;
    Troupe__Steer steer;
    Troupe__Push push;
    Troupe__Vec3 target, point, force;
} order_messages;

static Troupe__Order *add(order_messages *m, Troupe__Order__CommandCase which) {
    Troupe__Order *order = &m->order[m->count++];
    *order = (Troupe__Order)TROUPE__ORDER__INIT;
    order->command_case = which;
    return order;
}

static void fill_controls(const tr_client_order *from, order_messages *m) {
    if (from->controller) {
        m->controller = (Troupe__SetController)TROUPE__SET_CONTROLLER__INIT;
        m->controller.entity = from->entity;
        m->controller.controller = tr_request_text(from->controller);
        add(m, TROUPE__ORDER__COMMAND_SET_CONTROLLER)->set_controller = &m->controller;
    }
    if (from->choose) {
        m->fragment = (Troupe__SetFragment)TROUPE__SET_FRAGMENT__INIT;
        m->fragment.entity = from->entity;
        m->fragment.fragment = from->fragment;
        m->fragment.mirrored = from->mirrored;
        add(m, TROUPE__ORDER__COMMAND_SET_FRAGMENT)->set_fragment = &m->fragment;
    }
    if (from->offset) {
        m->offset = tr_set_offset_message(from->entity, from->offset, from->offset_size);
        add(m, TROUPE__ORDER__COMMAND_SET_OFFSET)->set_offset = &m->offset;
    }
}

static void fill(const tr_client_order *from, order_messages *m) {
    fill_controls(from, m);
    if (from->steer) {
        m->steer = tr_steer_message(from->steer, &m->target);
        m->steer.entity = from->entity;
        add(m, TROUPE__ORDER__COMMAND_STEER)->steer = &m->steer;
    }
    if (from->push) {
        m->push = tr_push_message(from->push, &m->point, &m->force);
        m->push.entity = from->entity;
        add(m, TROUPE__ORDER__COMMAND_PUSH)->push = &m->push;
    }
}

static uint64_t send_orders(tr_client *client, uint32_t world, const tr_client_advance_def *def,
                            order_messages *messages, Troupe__Order **pointers) {
    size_t count = 0;
    for (int i = 0; i < def->order_count; ++i) {
        fill(&def->orders[i], &messages[i]);
        for (int part = 0; part < messages[i].count; ++part)
            pointers[count++] = &messages[i].order[part];
    }
    Troupe__Advance advance = TROUPE__ADVANCE__INIT;
    advance.count = def->ticks;
    advance.fields = def->fields;
    advance.n_orders = count;
    advance.orders = pointers;
    tr_client_at at = {world, 0};
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_ADVANCE);
    command.advance = &advance;
    return tr_command_send(client, &command);
}

uint64_t tr_client_advance(tr_client *client, uint32_t world, const tr_client_advance_def *def) {
    if (def->order_count < 0 || def->order_count > TR_ADVANCE_ORDERS_MAX)
        return tr_request_refuse(client, TR_INVALID_ARGUMENT, "order_count: expected 0 to 256");
    size_t count = (size_t)def->order_count;
    order_messages *messages = calloc(count + 1, sizeof *messages);
    Troupe__Order **pointers = calloc(PARTS * count + 1, sizeof(void *));
    uint64_t request = messages && pointers ? send_orders(client, world, def, messages, pointers)
                                            : tr_request_refuse(client, TR_RESOURCE_EXHAUSTED,
                                                                "no memory for the orders");
    free(messages);
    free(pointers);
    return request;
}
