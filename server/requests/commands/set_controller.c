/* set_controller: gives a character another controller, or none. */
#include "server/requests/commands/apply.h"

typedef struct set_controller {
    const tr_controller *controller; /* NULL: none */
} set_controller;

static const tr_field fields[] = {TR_ENTITY(Troupe__SetController, entity),
                                  TR_NAME(Troupe__SetController, controller), TR_FIELDS_END};

static tr_status names(const tr_command *command, tr_library_needs *needs) {
    return tr_library_need_controller(needs, command->message->set_controller->controller);
}

static tr_status bind_names(tr_command *command, const tr_cast *cast, tr_error *error) {
    set_controller *data = (set_controller *)command->data;
    return tr_cast_bind_controller(cast, command->message->set_controller->controller,
                                   &data->controller, error);
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_entity_id entity = command->message->set_controller->entity;
    const tr_controller *controller = ((const set_controller *)command->data)->controller;
    const tr_model *model = tr_world_character_model(tr_apply_world(loop), entity);
    if (!model)
        return tr_apply_no_entity(result, entity, "character");
    tr_status status = tr_apply_check_fit(loop, controller, model, result);
    if (status)
        return status;
    const tr_performer *performer = tr_stage_performer(loop->stage, entity);
    if (performer && controller && !tr_rig_pieces_fit(&performer->runner.rig, controller->rig))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "controller '%s' needs the objects of its rig; spawn a character with it",
                       controller->name);
    status = tr_cast_add_controller(&loop->cast, controller);
    if (!status)
        status = tr_stage_set_controller(loop->stage, entity, controller);
    return tr_apply_status(result, status, "controller");
}

const tr_command_kind tr_command_set_controller = {
    .name = "set_controller",
    .number = TROUPE__COMMAND__COMMAND_SET_CONTROLLER,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .for_teams = true,
    .fields = fields,
    .entity = offsetof(Troupe__SetController, entity),
    .data_size = sizeof(set_controller),
    .names = names,
    .bind = bind_names,
    .apply = apply,
};
