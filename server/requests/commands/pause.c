/* pause: stops a real-time or fast world. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_apply_refuse_stepped(loop, result);
    if (!status)
        tr_world_loop_pause(loop);
    return status;
}

const tr_command_kind tr_command_pause = {
    .name = "pause",
    .number = TROUPE__COMMAND__COMMAND_PAUSE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .for_spectators = true,
    .apply = apply,
    .replay = tr_replay_apply,
};
