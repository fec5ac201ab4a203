#include "server/world/step_limit.h"

#include "server/world/task_pool.h"
#include "server/world/world_loop.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct step_limit {
    tr_world_part part; /* first */
    int64_t limit_ns;
    int64_t spent_ns; /* by the thread before the turn */
    int64_t began_ns; /* the present step */
} step_limit;

static void before_step(tr_world_part *part, tr_world_loop *loop) {
    (void)loop;
    ((step_limit *)part)->began_ns = tr_task_pool_now_ns();
}

/* To read the processor time of a thread takes long beside a short step, so only one that lasted long
 * is looked at. Commands of the same turn count too. */
static void stepped(tr_world_part *part, tr_world_loop *loop) {
    const step_limit *self = (const step_limit *)part;
    char why[sizeof loop->failure];
    if (tr_task_pool_now_ns() - self->began_ns <= self->limit_ns)
        return;
    int64_t spent_ns = tr_task_pool_spent_ns() - self->spent_ns;
    if (spent_ns <= self->limit_ns)
        return;
    snprintf(why, sizeof why, "a step took %d ms, more than %d ms", (int)(spent_ns / 1000000),
             (int)(self->limit_ns / 1000000));
    tr_world_loop_fail(loop, why);
}

static const tr_world_part_kind kind = {
    .name = "step limit", .before_step = before_step, .stepped = stepped};

tr_world_part *tr_step_limit_create(double limit_s) {
    step_limit *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->part.kind = &kind;
    self->limit_ns = (int64_t)(limit_s * 1e9);
    return &self->part;
}

void tr_step_limit_begin_turn(tr_world_part *part, int64_t spent_ns) {
    ((step_limit *)part)->spent_ns = spent_ns;
}
