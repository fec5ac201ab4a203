/* set_parameters: sets named parameters of a character's controller. */
#include "client/command/decode_character.h"
#include "server/requests/commands/apply.h"

static const tr_field values[] = {
    TR_NAME_NEEDED(Troupe__ParameterValues, name),
    TR_NUMBERS(Troupe__ParameterValues, values, TR_DRIVER_VALUE_MAX, -1e12, 1e12), TR_FIELDS_END};

static const tr_field fields[] = {
    TR_ENTITY(Troupe__SetParameters, entity),
    TR_LIST(Troupe__SetParameters, parameters, 1, TR_DRIVER_PARAMETER_MAX, values, NULL),
    TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_parameters_set(loop->stage, command->message->set_parameters, &result->error);
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
