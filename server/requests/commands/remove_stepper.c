/* remove_stepper: a director removes a stepper, so that it no longer holds up its world. The
 * stepper's earlier commands still apply. The event APPLIED reports it to all subscribers. */
#include "server/world/world_loop.h"

static const tr_field fields[] = {TR_NUMBER(Troupe__RemoveStepper, order, 0, TR_STEPPER_ORDER_MAX),
                                  TR_FIELDS_END};

/* The stepper with this order number; 0: the one that the world waits for, the first of those with
 * the lowest frontier. NULL: none. */
static const tr_lockstep_member *find(const tr_lockstep *lockstep, uint32_t order) {
    const tr_lockstep_member *found = NULL;
    for (int i = 0; i < lockstep->count; i++) {
        const tr_lockstep_member *stepper = &lockstep->stepper[i];
        bool wanted =
            order == 0 ? !found || stepper->frontier < found->frontier : stepper->order == order;
        if (wanted)
            found = stepper;
    }
    return found;
}

static tr_status remove_stepper(tr_world_loop *loop, uint32_t order, tr_reply *result) {
    if (loop->mode != TR_MODE_STEPPED)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION, "only a stepped world has steppers");
    const tr_lockstep_member *stepper = find(&loop->lockstep, order);
    if (!stepper && order == 0)
        return tr_fail(&result->error, TR_NOT_FOUND, "order: this world has no steppers");
    if (!stepper)
        return tr_fail(&result->error, TR_NOT_FOUND, "order %u: no stepper of this number", order);
    result->order = stepper->order;
    return tr_lockstep_leave(&loop->lockstep, stepper->session);
}

static void admit(tr_world_loop *loop, tr_command *command) {
    tr_reply result = {0};
    (void)!remove_stepper(loop, command->message->remove_stepper->order, &result);
    tr_world_loop_answer(loop, command, &result);
}

const tr_command_kind tr_command_remove_stepper = {
    .name = "remove_stepper",
    .number = TROUPE__COMMAND__COMMAND_REMOVE_STEPPER,
    .at_once = true,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .fields = fields,
    .admit = admit,
};
