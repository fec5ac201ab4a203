/* set_fragment: moves a character's controller to another of its entries: a chain's or a
 * graph's fragments. */
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {
    TR_ENTITY(Troupe__SetFragment, entity),
    TR_NUMBER(Troupe__SetFragment, fragment, 0, TR_DRIVER_ENTRY_MAX - 1), TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetFragment *m = command->message->set_fragment;
    const tr_performer *performer = tr_stage_performer(loop->stage, m->entity);
    if (!performer)
        return tr_apply_no_entity(result, m->entity, "character");
    const tr_controller *controller = performer->runner.controller;
    tr_status status = tr_stage_set_entry(loop->stage, m->entity, (int)m->fragment, m->mirrored);
    if (status == TR_OUT_OF_RANGE)
        return tr_fail(&result->error, status, "fragment %u: '%s' has %d", m->fragment,
                       controller->name, tr_controller_outline(controller).entry_count);
    if (status == TR_FAILED_PRECONDITION && controller)
        return tr_fail(&result->error, status, "mirrored: '%s' has no mirrored half",
                       controller->name);
    if (status == TR_FAILED_PRECONDITION)
        return tr_fail(&result->error, status, "the character has no controller");
    return tr_apply_status(result, status, "fragment");
}

const tr_command_kind tr_command_set_fragment = {
    .name = "set_fragment",
    .number = TROUPE__COMMAND__COMMAND_SET_FRAGMENT,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .for_teams = true,
    .fields = fields,
    .entity = offsetof(Troupe__SetFragment, entity),
    .apply = apply,
};
