/* Commands as clients send them, for tests of worlds: made of their messages, checked, and bound to a
 * cast. Each aborts the test when the command is refused. `session` and `request` are the caller's to
 * set in the stamp; at_tick in the message. */
#pragma once

#include "server/requests/commands/commands.h"
#include "server/world/world_loop.h"

/* The message is packed, and stays the caller's. cast: NULL for commands that name nothing. */
tr_command *order_of(const Troupe__Command *message, const tr_cast *cast);

/* A command whose message has no fields that matter. number: Troupe__Command__CommandCase. */
tr_command *order_bare(unsigned number);

/* label, controller: NULL for none. */
tr_command *order_spawn(const tr_cast *cast, const char *model, const char *controller,
                        const char *label, double x);
tr_command *order_push(tr_entity_id entity, double force_y, double duration_s);
tr_command *order_step(int64_t count);
tr_command *order_join(uint32_t order);
tr_command *order_seek(int64_t position);
tr_command *order_set_loop(bool loop);

/* Ticks after pushes for 0.05 s, [push_count]. */
typedef struct order_pushed {
    tr_entity_id entity;
    double force_y;
} order_pushed;
tr_command *order_advance(int64_t count, const order_pushed *pushes, int push_count);
