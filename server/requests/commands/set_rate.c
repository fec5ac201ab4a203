/* set_rate: sets how many seconds a real-time world simulates per second. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {TR_NUMBER(Troupe__SetRate, rate, 0.01, 100), TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (loop->mode != TR_MODE_REAL_TIME)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "this world is not a real-time world, which alone has a rate");
    loop->rate = command->message->set_rate->rate;
    tr_pace_resume(&loop->pace, loop->rate, loop->now_ns);
    return TR_OK;
}

const tr_command_kind tr_command_set_rate = {
    .name = "set_rate",
    .number = TROUPE__COMMAND__COMMAND_SET_RATE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .for_spectators = true,
    .fields = fields,
    .apply = apply,
    .replay = tr_replay_apply,
};
