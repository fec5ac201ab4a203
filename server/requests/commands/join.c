/* join: the client becomes a stepper of a stepped world. */
#include "server/requests/commands/stepper.h"
#include "server/world/world_loop.h"

static const tr_field fields[] = {TR_NUMBER(Troupe__Join, order, 0, TR_STEPPER_ORDER_MAX),
                                  TR_FIELDS_END};

static void admit(tr_world_loop *loop, tr_command *command) {
    tr_reply result = {0};
    (void)!tr_world_loop_join(loop, command->stamp.session, command->message->join->order,
                              &result.order, &result.error);
    tr_world_loop_answer(loop, command, &result);
}

const tr_command_kind tr_command_join = {
    .name = "join",
    .number = TROUPE__COMMAND__COMMAND_JOIN,
    .at_once = true,
    .right = TR_STEPPED_FROM_PLAYER,
    .fields = fields,
    .prepare = tr_stepper_prepare,
    .admit = admit,
};
