/* set_parameters: sets named parameters of a character's controller. */
#include "server/requests/commands/apply.h"

static const tr_field values[] = {
    TR_NAME_NEEDED(Troupe__ParameterValues, name),
    TR_NUMBERS(Troupe__ParameterValues, values, TR_DRIVER_VALUE_MAX, -1e12, 1e12), TR_FIELDS_END};

static const tr_field fields[] = {
    TR_ENTITY(Troupe__SetParameters, entity),
    TR_LIST(Troupe__SetParameters, parameters, 1, TR_DRIVER_PARAMETER_MAX, values, NULL),
    TR_FIELDS_END};

/* Checks that all values would be accepted. */
static tr_status try_all(const tr_runner *runner, const Troupe__SetParameters *m, tr_error *error) {
    tr_runner copy = *runner;
    tr_status status = TR_OK;
    for (size_t i = 0; i < m->n_parameters && !status; i++)
        status = tr_runner_set_parameter(&copy, m->parameters[i]->name, m->parameters[i]->values,
                                         (int)m->parameters[i]->n_values, error);
    return status;
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetParameters *m = command->message->set_parameters;
    const tr_performer *performer = tr_stage_performer(loop->stage, m->entity);
    if (!performer)
        return tr_apply_no_entity(result, m->entity, "character");
    tr_status status = try_all(&performer->runner, m, &result->error);
    for (size_t i = 0; i < m->n_parameters && !status; i++)
        status = tr_stage_set_parameter(loop->stage, m->entity, m->parameters[i]->name,
                                        m->parameters[i]->values, (int)m->parameters[i]->n_values,
                                        &result->error);
    return status;
}

const tr_command_kind tr_command_set_parameters = {
    .name = "set_parameters",
    .number = TROUPE__COMMAND__COMMAND_SET_PARAMETERS,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .for_teams = true,
    .fields = fields,
    .entity = offsetof(Troupe__SetParameters, entity),
    .apply = apply,
};
