/* leave: the client is no longer a stepper of a stepped world. */
#include "server/world/world_loop.h"

static void admit(tr_world_loop *loop, tr_command *command) {
    tr_reply result = {0};
    if (tr_lockstep_leave(&loop->lockstep, command->stamp.session))
        (void)tr_fail(&result.error, TR_NOT_FOUND, "this client has not joined");
    tr_world_loop_answer(loop, command, &result);
}

const tr_command_kind tr_command_leave = {
    .name = "leave",
    .number = TROUPE__COMMAND__COMMAND_LEAVE,
    .at_once = true,
    .right = TR_STEPPED_FROM_PLAYER,
    .admit = admit,
};
