/* set_loop: makes a replay restart at its end, or stop there. */
#include "server/recording/replay.h"

static void replay(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                   int64_t now_ns) {
    tr_reply result = {0};
    (void)now_ns;
    tr_replay_set_loop(source, command->message->set_loop->loop);
    tr_world_loop_answer(loop, command, &result);
}

const tr_command_kind tr_command_set_loop = {
    .name = "set_loop",
    .number = TROUPE__COMMAND__COMMAND_SET_LOOP,
    .at_once = true,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .replay = replay,
};
