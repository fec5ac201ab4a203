/* Lockstep: lets several clients move one stepped world, always in the same order.
 *
 * A stepper has joined with an order number and owns a frontier: the tick up to which it lets the
 * world move. Rules:
 *
 *   1. The world steps from tick T to T + 1 when there is a stepper and every stepper's frontier is
 *      beyond T.
 *   2. A command without at_tick belongs to the tick of its stepper's frontier.
 *   3. A command of order k may apply at tick T once every stepper of a lower order has a frontier
 *      beyond T, so that no earlier stepper can still send a command for T. So within one tick the
 *      steppers take turns in the order of their numbers.
 *   4. Clients that have not joined come after all steppers.
 *   5. A world that was made for n steppers (n > 1) does neither until n have joined.
 *
 * Plain data, no clock. */
#pragma once

#include "proto/limits.h"
#include "proto/status.h"
#include "server/world/command.h"

typedef struct tr_lockstep_member {
    uint64_t session;
    uint32_t order; /* 1 to TR_STEPPER_ORDER_MAX */
    int64_t frontier;
} tr_lockstep_member;

typedef struct tr_lockstep {
    int expected;
    bool gathered; /* the expected number has joined once */
    int count;
    tr_lockstep_member stepper[TR_STEPPERS_MAX]; /* [count], in order */
} tr_lockstep;

tr_lockstep tr_lockstep_start(int expected);

/* Adds a stepper with its frontier at `tick`; order 0: the lowest free order. TR_ALREADY_EXISTS:
 * the order is taken, or the session has joined; TR_OUT_OF_RANGE; TR_RESOURCE_EXHAUSTED: there are
 * TR_STEPPERS_MAX. */
tr_status tr_lockstep_join(tr_lockstep *lockstep, uint64_t session, uint32_t order, int64_t tick,
                           uint32_t *out_order) TR_NODISCARD;

/* TR_NOT_FOUND: it has not joined. */
tr_status tr_lockstep_leave(tr_lockstep *lockstep, uint64_t session) TR_NODISCARD;

/* NULL: it has not joined. Valid until the next join or leave. */
tr_lockstep_member *tr_lockstep_find(tr_lockstep *lockstep, uint64_t session);

/* Rules 3, 4 and 5. */
bool tr_lockstep_may_apply(const tr_lockstep *lockstep, const tr_stamp *stamp, int64_t tick);

/* Rules 1 and 5. */
bool tr_lockstep_may_step(const tr_lockstep *lockstep, int64_t tick);

/* Moves all frontiers to `tick`, after a reset. */
void tr_lockstep_rewind(tr_lockstep *lockstep, int64_t tick);
