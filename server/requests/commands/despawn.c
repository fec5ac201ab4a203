/* despawn: takes a character with its rig, or an object, out of the world. */
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {TR_ENTITY(Troupe__Despawn, entity), TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_entity_id entity = command->message->despawn->entity;
    tr_entity_id owner = tr_stage_rig_owner(loop->stage, entity);
    if (owner != 0)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "entity %u belongs to character %u, and leaves with it", entity, owner);
    tr_status status = tr_stage_despawn(loop->stage, entity);
    if (!status)
        tr_world_loop_drop_label(loop, entity);
    else if (tr_world_object_def(tr_apply_world(loop), entity))
        status = tr_world_remove_object(tr_apply_world(loop), entity);
    if (status == TR_NOT_FOUND)
        return tr_apply_no_entity(result, entity, "character or object");
    if (!status)
        status = tr_world_loop_keep_reset_point(loop);
    return tr_apply_status(result, status, "despawn");
}

const tr_command_kind tr_command_despawn = {
    .name = "despawn",
    .number = TROUPE__COMMAND__COMMAND_DESPAWN,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .fields = fields,
    .entity = offsetof(Troupe__Despawn, entity),
    .apply = apply,
};
