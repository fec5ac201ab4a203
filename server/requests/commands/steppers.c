/* Commands of the steppers of a stepped world: to join and leave, to step it, and to remove another
 * stepper. */
#include "server/requests/commands/stepper.h"

#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"

tr_status tr_stepper_prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                             tr_error *error) {
    (void)command;
    if (tr_hosted_mode(hosted) != TR_MODE_STEPPED)
        return TR_OK;
    tr_status status = tr_session_will_part(request->session, tr_hosted_id(hosted));
    return status ? tr_fail(error, status, "out of memory") : TR_OK;
}

/* --- join and leave --- */

static const tr_field join_fields[] = {TR_NUMBER(Troupe__Join, order, 0, TR_STEPPER_ORDER_MAX),
                                       TR_FIELDS_END};

static tr_status admit_join(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_world_loop_join(loop, command->stamp.session, command->message->join->order,
                              &result->order, &result->error);
}

TR_COMMAND_ROW(JOIN, join, .at_once = true, .right = TR_STEPPED_FROM_PLAYER, .fields = join_fields,
               .prepare = tr_stepper_prepare, .admit = admit_join)

static tr_status admit_leave(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (!tr_lockstep_leave(&loop->lockstep, command->stamp.session))
        return TR_OK;
    return tr_fail(&result->error, TR_NOT_FOUND, "this client has not joined");
}

TR_COMMAND_ROW(LEAVE, leave, .at_once = true, .right = TR_STEPPED_FROM_PLAYER, .admit = admit_leave)

/* --- step: lets a stepped world move by some ticks, or a paused one --- */

static const tr_field step_fields[] = {
    TR_NUMBER_IF_GIVEN(Troupe__Step, count, 1, TR_STEP_COUNT_MAX), TR_FIELDS_END};

static int64_t count_of(const tr_command *command) {
    const Troupe__Step *m = command->message->step;
    return m->has_count_case ? m->count : 1;
}

static tr_status admit_step(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_world_loop_move_frontier(loop, command, count_of(command), NULL, 0, result);
}

static tr_status apply_step(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (!loop->paused)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "this world is running: pause it first, or make a stepped one");
    loop->allowance += count_of(command);
    command->stamp.tick = tr_world_loop_tick(loop) + loop->allowance;
    tr_world_loop_await(loop, command, result);
    return TR_OK;
}

static tr_status replay_step(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_replay_step(loop, command, count_of(command), result);
}

static void reached_step(tr_world_loop *loop, const tr_command *command, tr_reply *result) {
    (void)command;
    tr_apply_hash(loop, TR_OK, result);
}

TR_COMMAND_ROW(STEP, step, .at_once = true, .quiet = true, .right = TR_STEPPED_FROM_PLAYER,
               .for_spectators = true, .fields = step_fields, .prepare = tr_stepper_prepare,
               .admit = admit_step, .apply = apply_step, .reached = reached_step,
               .replay = replay_step)

/* --- remove_stepper: a director removes one that holds up its world ---
 *
 * The stepper's earlier commands still apply. The event APPLIED reports it to all subscribers. */

static const tr_field remove_stepper_fields[] = {
    TR_NUMBER(Troupe__RemoveStepper, order, 0, TR_STEPPER_ORDER_MAX), TR_FIELDS_END};

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

static tr_status admit_remove_stepper(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const uint32_t order = command->message->remove_stepper->order;
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

TR_COMMAND_ROW(REMOVE_STEPPER, remove_stepper, .at_once = true,
               .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .fields = remove_stepper_fields,
               .admit = admit_remove_stepper)
