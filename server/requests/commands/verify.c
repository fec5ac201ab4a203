/* verify: a replay simulates its recording and names the first step that differs. */
#include "server/recording/replay.h"

const tr_command_kind tr_command_verify = {
    .name = "verify",
    .number = TROUPE__COMMAND__COMMAND_VERIFY,
    .at_once = true,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .replay = tr_replay_verify,
};
