/* set_offset: adds numbers to the actions of a character's controller. */
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {TR_ENTITY(Troupe__SetOffset, entity),
                                  TR_NUMBERS(Troupe__SetOffset, offset, TR_ACTION_MAX, -10, 10),
                                  TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result, int64_t now_ns) {
    static const double none[TR_ACTION_MAX] = {0};
    const Troupe__SetOffset *m = command->message->set_offset;
    const tr_performer *performer = tr_stage_performer(loop->stage, m->entity);
    (void)now_ns;
    if (!performer)
        return tr_apply_no_entity(result, m->entity, "character");
    const tr_controller *controller = performer->runner.controller;
    if (!controller)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION, "no controller is in charge");
    if (m->n_offset != 0 && m->n_offset != (size_t)controller->action.size)
        return tr_fail(&result->error, TR_INVALID_ARGUMENT, "offset: %zu numbers; '%s' takes %d",
                       m->n_offset, controller->name, controller->action.size);
    return tr_apply_status(result,
                           tr_stage_set_offset(loop->stage, m->entity,
                                               m->n_offset == 0 ? none : m->offset,
                                               controller->action.size),
                           "offset");
}

const tr_command_kind tr_command_set_offset = {
    .name = "set_offset",
    .number = TROUPE__COMMAND__COMMAND_SET_OFFSET,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .for_teams = true,
    .fields = fields,
    .entity = offsetof(Troupe__SetOffset, entity),
    .apply = apply,
};
