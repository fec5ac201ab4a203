/* push: applies a force to a body of a character, or to an object, for a time. */
#include "server/requests/commands/apply.h"

#include <math.h>

static const tr_field fields[] = {TR_ENTITY(Troupe__Push, entity),
                                  TR_NAME(Troupe__Push, body),
                                  TR_VECTOR(Troupe__Push, point, 10),
                                  TR_VECTOR(Troupe__Push, force, TR_PUSH_NEWTON_MAX),
                                  TR_NUMBER(Troupe__Push, duration_s, 0, TR_PUSH_SECONDS_MAX),
                                  TR_FIELDS_END};

/* Do poses move it? From the moment when a puppet is given to it, and not while it is limp. */
static bool is_posed(const tr_world_loop *loop, tr_entity_id id) {
    const tr_performer *performer = tr_stage_performer(loop->stage, id);
    const tr_controller *controller = performer ? performer->runner.controller : NULL;
    return controller && !performer->limp && tr_driver_reach_of(controller->driver).kinematic;
}

/* Finds the body with this name; without a name the trunk, or the root. */
static tr_status find_body(tr_world_loop *loop, const Troupe__Push *m, int *out_body,
                           tr_reply *result) {
    *out_body = 0;
    if (tr_world_object_def(tr_apply_world(loop), m->entity))
        return TR_OK;
    const tr_model *model = tr_world_character_model(tr_apply_world(loop), m->entity);
    if (!model)
        return tr_apply_no_entity(result, m->entity, "character or object");
    if (is_posed(loop, m->entity))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "'%s' moves this character by poses, so that forces do not; expected a "
                       "controller that is not kinematic",
                       tr_stage_performer(loop->stage, m->entity)->runner.controller->name);
    int body = m->body[0] != '\0' ? tr_model_find_body(model, m->body) : model->trunk;
    if (body < 0 && m->body[0] != '\0')
        return tr_fail(&result->error, TR_NOT_FOUND, "body '%s': the model '%s' has no such body",
                       m->body, model->name);
    *out_body = body < 0 ? 0 : body;
    return TR_OK;
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Push *m = command->message->push;
    int body = 0;
    tr_status status = find_body(loop, m, &body, result);
    if (status)
        return status;
    int steps = (int)lround(m->duration_s / tr_world_loop_step_s(loop));
    tr_push push = {.entity = m->entity,
                    .body = body,
                    .point = tr_vec3_of(m->point),
                    .force = tr_vec3_of(m->force),
                    .steps = steps < 1 ? 1 : steps};
    return tr_apply_status(result, tr_world_push(tr_apply_world(loop), &push), "push");
}

const tr_command_kind tr_command_push = {
    .name = "push",
    .number = TROUPE__COMMAND__COMMAND_PUSH,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .fields = fields,
    .entity = offsetof(Troupe__Push, entity),
    .apply = apply,
};
