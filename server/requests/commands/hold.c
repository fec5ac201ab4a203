/* hold: a body of a character takes an object, or lets it go. */
#include "client/command/decode_object.h"
#include "server/requests/commands/apply.h"

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_object_hold(tr_apply_world(loop), command->message->hold, &result->error);
}

const tr_command_kind tr_command_hold = {
    .name = "hold",
    .number = TROUPE__COMMAND__COMMAND_HOLD,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .fields = tr_hold_fields,
    .entity = offsetof(Troupe__Hold, entity),
    .apply = apply,
};
