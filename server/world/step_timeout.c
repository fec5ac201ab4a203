#include "server/world/step_timeout.h"

#include "model/name.h"
#include "server/world/world_loop.h"

#include <stdlib.h>

typedef struct step_timeout {
    tr_world_part part; /* first */
    int64_t limit_ns;
    bool waiting; /* true: the limit runs for the steppers that hold up `tick` */
    int64_t tick, since_ns;
} step_timeout;

static bool holds_up(const tr_lockstep_member *stepper, int64_t tick) {
    return stepper->frontier <= tick;
}

/* Does a client wait that does not itself hold the world up? A client that waits for a step has
 * moved its frontier. */
static bool is_waited_for(tr_world_loop *loop, int64_t tick) {
    if (loop->steps.first)
        return true;
    for (const tr_command *command = loop->queue.first; command && command->stamp.tick <= tick;
         command = command->next) {
        const tr_lockstep_member *sender =
            tr_lockstep_find(&loop->lockstep, command->stamp.session);
        if (!sender || !holds_up(sender, tick))
            return true;
    }
    return false;
}

static bool is_held_up(tr_world_loop *loop, int64_t tick) {
    return loop->held_by == 0 && loop->lockstep.gathered && loop->lockstep.count > 0 &&
           !tr_lockstep_may_step(&loop->lockstep, tick) && is_waited_for(loop, tick);
}

static void remove_stepper(tr_world_loop *loop, const tr_lockstep_member *stepper) {
    tr_event event = {
        .kind = TR_EVENT_STEPPER_REMOVED, .magnitude = stepper->order, .session = stepper->session};
    tr_name_set(event.text, "step timeout");
    tr_world_loop_tell(loop, event);
    (void)!tr_lockstep_leave(&loop->lockstep, stepper->session);
}

static int64_t end_turn(tr_world_part *part, tr_world_loop *loop, int64_t now_ns, int64_t next_ns) {
    step_timeout *self = (step_timeout *)part;
    int64_t tick = tr_world_loop_tick(loop);
    bool held_up = is_held_up(loop, tick);
    if (!held_up || !self->waiting || tick != self->tick)
        self->since_ns = now_ns;
    self->waiting = held_up;
    self->tick = tick;
    int64_t end_ns = self->since_ns + self->limit_ns;
    if (!held_up || now_ns < end_ns)
        return held_up && end_ns < next_ns ? end_ns : next_ns;
    for (int i = loop->lockstep.count - 1; i >= 0; i--)
        if (holds_up(&loop->lockstep.stepper[i], tick))
            remove_stepper(loop, &loop->lockstep.stepper[i]);
    return now_ns;
}

static void describe(const tr_world_part *part, tr_world_info *out) {
    out->step_timeout_s = (double)((const step_timeout *)part)->limit_ns * 1e-9;
}

static const tr_world_part_kind kind = {
    .name = "step timeout", .end_turn = end_turn, .describe = describe};

tr_world_part *tr_step_timeout_create(double limit_s) {
    step_timeout *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->part.kind = &kind;
    self->limit_ns = (int64_t)(limit_s * 1e9);
    return &self->part;
}
