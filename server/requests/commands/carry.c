/* carry: carries a kinematic object, a platform or a lift, along a straight line. */
#include "client/command/decode_object.h"
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {TR_ENTITY(Troupe__Carry, entity),
                                  TR_MESSAGE(Troupe__Carry, travel, tr_travel_fields),
                                  TR_FIELDS_END};

static tr_status check(tr_command *command, const tr_command_table *table, tr_error *error) {
    (void)table;
    return command->message->carry->travel ? TR_OK : tr_field_refuse(error, "travel", "one");
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Carry *m = command->message->carry;
    tr_status status = tr_object_carry(tr_apply_world(loop), m->entity, m->travel);
    if (status == TR_NOT_FOUND)
        return tr_apply_no_entity(result, m->entity, "object");
    if (status == TR_FAILED_PRECONDITION)
        return tr_fail(&result->error, status,
                       "entity %u: it is not kinematic: spawn it with `kinematic`", m->entity);
    return tr_apply_status(result, status, "carry");
}

const tr_command_kind tr_command_carry = {
    .name = "carry",
    .number = TROUPE__COMMAND__COMMAND_CARRY,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .fields = fields,
    .check = check,
    .entity = offsetof(Troupe__Carry, entity),
    .apply = apply,
};
