/* set_offset: sets the parameter "action_offset" of a character's controller; older than
 * parameters. */
#include "server/requests/commands/apply.h"

#include "control/parts/playback.h"

static const tr_field fields[] = {TR_ENTITY(Troupe__SetOffset, entity),
                                  TR_NUMBERS(Troupe__SetOffset, offset, TR_ACTION_MAX, -10, 10),
                                  TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetOffset *m = command->message->set_offset;
    const tr_performer *performer = tr_stage_performer(loop->stage, m->entity);
    if (!performer)
        return tr_apply_no_entity(result, m->entity, "character");
    if (!performer->runner.controller)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION, "the character has no controller");
    return tr_stage_set_parameter(loop->stage, m->entity, TR_ACTION_OFFSET, m->offset,
                                  (int)m->n_offset, &result->error);
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
