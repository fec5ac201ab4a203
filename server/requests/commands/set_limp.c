/* set_limp: switches a character's servos off, or on again. */
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {TR_ENTITY(Troupe__SetLimp, entity), TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetLimp *m = command->message->set_limp;
    tr_status status = tr_stage_set_limp(loop->stage, m->entity, m->limp);
    return status == TR_NOT_FOUND ? tr_apply_no_entity(result, m->entity, "character")
                                  : tr_apply_status(result, status, "limp");
}

const tr_command_kind tr_command_set_limp = {
    .name = "set_limp",
    .number = TROUPE__COMMAND__COMMAND_SET_LIMP,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .for_teams = true,
    .fields = fields,
    .entity = offsetof(Troupe__SetLimp, entity),
    .apply = apply,
};
