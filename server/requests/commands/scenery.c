/* Scenery of a world: a box, a patch of ground, a height field or a mesh, until it is removed. */
#include "client/command/decode_scenery.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"

static const tr_field add_scenery_fields[] = {
    {TR_FIELD(Troupe__AddScenery, scenery, TR_FIELD_MESSAGE), .fields = tr_scenery_fields,
     .check = tr_scenery_check},
    TR_FIELDS_END};

static tr_status check_add_scenery(tr_command *command, const tr_command_table *table,
                                   tr_error *error) {
    (void)table;
    return command->message->add_scenery->scenery ? TR_OK
                                                  : tr_field_refuse(error, "scenery", "one");
}

/* Does the world have room for the surface? */
static tr_status check_room(const tr_world *world, const Troupe__Scenery *m, tr_error *error) {
    uint32_t id[TR_SCENERY_MAX];
    size_t bytes = tr_scenery_message_bytes(m);
    int count = tr_world_scenery(world, id, TR_SCENERY_MAX);
    for (int i = 0; i < count; i++)
        bytes += tr_scenery_bytes(tr_world_scenery_def(world, id[i]));
    if (bytes <= TR_SURFACE_BYTES_MAX || tr_scenery_message_bytes(m) == 0)
        return TR_OK;
    return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                   "scenery: the height fields and meshes of a world would take %zu bytes: at most "
                   "%d; remove some or use fewer samples",
                   bytes, TR_SURFACE_BYTES_MAX);
}

static tr_status add(tr_world *world, const Troupe__Scenery *m, tr_reply *result) {
    tr_scenery_def def;
    tr_status status = check_room(world, m, &result->error);
    if (status)
        return status;
    status = tr_scenery_decode(m, &def);
    if (status == TR_INVALID_ARGUMENT)
        return tr_fail(&result->error, status, "scenery.mesh: expected a triangle with an area");
    if (status)
        return tr_apply_status(result, status, "scenery");
    status = tr_world_add_scenery(world, &def, &result->scenery);
    tr_surface_release(def.surface);
    return status ? tr_apply_status_of_limit(result, status, "scenery", TR_SCENERY_MAX) : TR_OK;
}

static tr_status apply_add_scenery(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_status status = add(tr_apply_world(loop), command->message->add_scenery->scenery, result);
    if (status)
        return status;
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

TR_COMMAND_ROW(ADD_SCENERY, add_scenery, .keeps = TR_KEEP_MESSAGE,
               .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .fields = add_scenery_fields,
               .check = check_add_scenery, .apply = apply_add_scenery)

static tr_status apply_remove_scenery(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    uint32_t id = command->message->remove_scenery->scenery;
    if (tr_world_remove_scenery(tr_apply_world(loop), id))
        return tr_fail(&result->error, TR_NOT_FOUND, "scenery %u: no such piece in this world", id);
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

TR_COMMAND_ROW(REMOVE_SCENERY, remove_scenery, .keeps = TR_KEEP_MESSAGE,
               .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .apply = apply_remove_scenery)
