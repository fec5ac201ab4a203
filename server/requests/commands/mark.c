/* mark: makes the present state of the world its reset point. */
#include "server/requests/commands/apply.h"

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_world_loop_set_reset_point(loop);
    loop->reset_point_is_set |= !status;
    return tr_apply_status(result, status, "mark");
}

const tr_command_kind tr_command_mark = {
    .name = "mark",
    .number = TROUPE__COMMAND__COMMAND_MARK,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .apply = apply,
};
