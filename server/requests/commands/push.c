/* push: applies a force to a body of a character, or to an object, for a time. */
#include "client/command/decode_character.h"
#include "server/requests/commands/apply.h"

/* Do poses move it? From the moment when a puppet is given to it, and not while it is limp. */
static bool is_posed(const tr_world_loop *loop, tr_entity_id id) {
    const tr_performer *performer = tr_stage_performer(loop->stage, id);
    const tr_controller *controller = performer ? performer->runner.controller : NULL;
    return controller && !performer->limp && tr_driver_reach_of(controller->driver).kinematic;
}

/* May this be pushed? */
static tr_status check_target(tr_world_loop *loop, tr_entity_id entity, tr_reply *result) {
    if (tr_world_object_def(tr_apply_world(loop), entity))
        return TR_OK;
    if (!tr_world_character_model(tr_apply_world(loop), entity))
        return tr_apply_no_entity(result, entity, "character or object");
    if (is_posed(loop, entity))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "'%s' moves this character by poses, so that forces do not; expected a "
                       "controller that is not kinematic",
                       tr_stage_performer(loop->stage, entity)->runner.controller->name);
    return TR_OK;
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Push *m = command->message->push;
    const tr_model *model = tr_world_character_model(tr_apply_world(loop), m->entity);
    tr_status status = check_target(loop, m->entity, result);
    if (status)
        return status;
    const tr_push push = tr_push_decode(m, model, tr_world_loop_step_s(loop));
    if (push.body < 0)
        return tr_fail(&result->error, TR_NOT_FOUND, "body '%s': the model '%s' has no such body",
                       m->body, model->name);
    return tr_apply_status(result, tr_world_push(tr_apply_world(loop), &push), "push");
}

const tr_command_kind tr_command_push = {
    .name = "push",
    .number = TROUPE__COMMAND__COMMAND_PUSH,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .fields = tr_push_fields,
    .entity = offsetof(Troupe__Push, entity),
    .apply = apply,
};
