/* step: lets a stepped world move by some ticks, or a paused one. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/stepper.h"

static const tr_field fields[] = {TR_NUMBER_IF_GIVEN(Troupe__Step, count, 1, TR_STEP_COUNT_MAX),
                                  TR_FIELDS_END};

static int64_t count_of(const tr_command *command) {
    const Troupe__Step *m = command->message->step;
    return m->has_count_case ? m->count : 1;
}

static void admit(tr_world_loop *loop, tr_command *command) {
    tr_world_loop_move_frontier(loop, command, count_of(command), NULL, 0);
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (!loop->paused)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "this world is running: pause it first, or make a stepped one");
    loop->allowance += count_of(command);
    command->stamp.tick = tr_world_loop_tick(loop) + loop->allowance;
    tr_world_loop_await(loop, command);
    result->waits = true;
    return TR_OK;
}

static void replay(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                   int64_t now_ns) {
    (void)now_ns;
    tr_replay_step(source, loop, command, count_of(command));
}

static void reached(tr_world_loop *loop, const tr_command *command, tr_reply *result) {
    (void)command;
    tr_apply_hash(loop, TR_OK, result);
}

const tr_command_kind tr_command_step = {
    .name = "step",
    .number = TROUPE__COMMAND__COMMAND_STEP,
    .at_once = true,
    .quiet = true,
    .right = TR_STEPPED_FROM_PLAYER,
    .for_spectators = true,
    .fields = fields,
    .prepare = tr_stepper_prepare,
    .admit = admit,
    .apply = apply,
    .reached = reached,
    .replay = replay,
};
