/* throw: gives an object a velocity, and perhaps another position. */
#include "client/command/decode_object.h"
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {TR_ENTITY(Troupe__Throw, entity),
                                  TR_VECTOR(Troupe__Throw, pos, 10000),
                                  TR_VECTOR(Troupe__Throw, vel, TR_SPEED_MAX),
                                  TR_VECTOR(Troupe__Throw, omega, TR_SPEED_MAX), TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_object_throw(tr_apply_world(loop), command->message->throw_, &result->error);
}

const tr_command_kind tr_command_throw = {
    .name = "throw",
    .number = TROUPE__COMMAND__COMMAND_THROW,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .fields = fields,
    .entity = offsetof(Troupe__Throw, entity),
    .apply = apply,
};
