/* reset: the world returns to its reset point. */
#include "server/requests/commands/apply.h"

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_world_loop_reset(loop, loop->now_ns);
    tr_apply_hash(loop, status, result);
    return tr_apply_status(result, status, "reset");
}

const tr_command_kind tr_command_reset = {
    .name = "reset",
    .number = TROUPE__COMMAND__COMMAND_RESET,
    .keeps = TR_KEEP_STATE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .apply = apply,
};
