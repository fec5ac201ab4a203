/* seek: moves a replay to another position of its recording. */
#include "server/recording/replay.h"

static void replay(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                   int64_t now_ns) {
    tr_replay_seek(source, loop, command, command->message->seek->position, now_ns);
}

const tr_command_kind tr_command_seek = {
    .name = "seek",
    .number = TROUPE__COMMAND__COMMAND_SEEK,
    .at_once = true,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .replay = replay,
};
