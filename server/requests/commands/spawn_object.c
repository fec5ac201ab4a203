/* spawn_object: puts a free or kinematic object of up to eight shapes into the world. */
#include "client/command/decode_object.h"
#include "server/requests/commands/apply.h"

static tr_status check(tr_command *command, const tr_command_table *table, tr_error *error) {
    (void)table;
    return tr_object_check(command->message->spawn_object, "", error);
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const tr_object_start start = tr_object_decode(command->message->spawn_object);
    tr_status status = tr_object_check_start(tr_apply_world(loop), &start, &result->error);
    if (status)
        return status;
    status = tr_object_begin(&start, tr_apply_world(loop), &result->entity);
    if (status)
        return tr_apply_status_of_limit(result, status, "object", TR_OBJECT_MAX);
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

const tr_command_kind tr_command_spawn_object = {
    .name = "spawn_object",
    .number = TROUPE__COMMAND__COMMAND_SPAWN_OBJECT,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .fields = tr_object_fields,
    .check = check,
    .apply = apply,
};
