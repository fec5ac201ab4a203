/* resume: ends a pause. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_apply_refuse_stepped(loop, result);
    if (!status)
        tr_world_loop_resume(loop, loop->now_ns);
    return status;
}

const tr_command_kind tr_command_resume = {
    .name = "resume",
    .number = TROUPE__COMMAND__COMMAND_RESUME,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .for_spectators = true,
    .apply = apply,
    .replay = tr_replay_resume,
};
