#include "server/world/publisher.h"

#include "server/world/world_loop.h"

#include <stdlib.h>

_Static_assert(TR_STATE_CLASS_MAX <= 32, "one bit a class");

/* A state of the class is due. */
static void owe(tr_publisher *publisher, int slot) {
    publisher->slot[slot].sequence++;
    publisher->owed |= 1u << slot;
}

void tr_publisher_assign(tr_publisher *publisher, const tr_state_class *classes) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        bool renewed = classes[i].generation != publisher->slot[i].class.generation;
        bool joined = classes[i].refresh != publisher->slot[i].class.refresh;
        if (renewed) {
            publisher->owed &= ~(1u << i);
            publisher->slot[i].sequence = 0;
        }
        publisher->slot[i].class = classes[i];
        if (classes[i].generation != 0 && (renewed || joined))
            owe(publisher, i);
    }
}

bool tr_publisher_wants(const tr_publisher *publisher, uint32_t field) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        if (publisher->slot[i].class.generation != 0 && publisher->slot[i].class.fields & field)
            return true;
    return false;
}

/* --- as a part of a world loop --- */

static void after_step(tr_world_part *part, tr_world_loop *loop, int64_t tick, int first_event) {
    (void)loop;
    (void)first_event;
    tr_publisher *publisher = (tr_publisher *)part;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        const tr_state_class *class = &publisher->slot[i].class;
        if (class->generation != 0 && class->every_ticks != 0 && tick % class->every_ticks == 0)
            owe(publisher, i);
    }
}

/* A state is due in every class, whatever the tick: after a reset. */
static void refresh(tr_world_part *part) {
    tr_publisher *publisher = (tr_publisher *)part;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        if (publisher->slot[i].class.generation != 0)
            owe(publisher, i);
}

static const tr_world_part_kind kind = {
    .name = "publisher", .after_step = after_step, .refresh = refresh};

tr_publisher *tr_publisher_create(void) {
    tr_publisher *publisher = calloc(1, sizeof *publisher);
    if (publisher)
        publisher->part.kind = &kind;
    return publisher;
}
