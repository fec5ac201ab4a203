/* remove_scenery: removes a piece of scenery from the world. */
#include "server/requests/commands/apply.h"

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    uint32_t id = command->message->remove_scenery->scenery;
    if (tr_world_remove_scenery(tr_apply_world(loop), id))
        return tr_fail(&result->error, TR_NOT_FOUND, "scenery %u: no such piece in this world", id);
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

const tr_command_kind tr_command_remove_scenery = {
    .name = "remove_scenery",
    .number = TROUPE__COMMAND__COMMAND_REMOVE_SCENERY,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .apply = apply,
};
