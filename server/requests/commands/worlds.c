/* Commands on the time of a world and its reset point, and on the position of a replay. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"

/* --- its time --- */

#define ON_TIME(NAME, symbol, ...)                                                                 \
    TR_COMMAND_ROW(NAME, symbol, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .for_spectators = true,   \
                   .apply = apply_##symbol, __VA_ARGS__)

/* Stepped worlds do not have these. */
static tr_status refuse_stepped(const tr_world_loop *loop, tr_reply *result) {
    if (loop->mode != TR_MODE_STEPPED)
        return TR_OK;
    return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                   "a stepped world moves only as far as its steppers let it");
}

static tr_status apply_pause(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = refuse_stepped(loop, result);
    if (!status)
        tr_world_loop_pause(loop);
    return status;
}

ON_TIME(PAUSE, pause, .replay = tr_replay_apply)

static tr_status apply_resume(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = refuse_stepped(loop, result);
    if (!status)
        tr_world_loop_resume(loop, loop->now_ns);
    return status;
}

ON_TIME(RESUME, resume, .replay = tr_replay_resume)

static const tr_field set_rate_fields[] = {TR_NUMBER(Troupe__SetRate, rate, 0.01, 100),
                                           TR_FIELDS_END};

static tr_status apply_set_rate(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (loop->mode != TR_MODE_REAL_TIME)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "this world is not a real-time world, which alone has a rate");
    loop->rate = command->message->set_rate->rate;
    tr_pace_resume(&loop->pace, loop->rate, loop->now_ns);
    return TR_OK;
}

ON_TIME(SET_RATE, set_rate, .fields = set_rate_fields, .replay = tr_replay_apply)

/* --- its reset point --- */

static tr_status apply_mark(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_world_loop_set_reset_point(loop);
    loop->reset_point_is_set |= !status;
    return tr_apply_status(result, status, "mark");
}

TR_COMMAND_ROW(MARK, mark, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .apply = apply_mark)

static tr_status apply_reset(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_world_loop_reset(loop, loop->now_ns);
    tr_apply_hash(loop, status, result);
    return tr_apply_status(result, status, "reset");
}

TR_COMMAND_ROW(RESET, reset, .keeps = TR_KEEP_STATE, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
               .apply = apply_reset)

/* --- a replay --- */

#define ON_REPLAY(NAME, symbol, function)                                                          \
    TR_COMMAND_ROW(NAME, symbol, .at_once = true, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),          \
                   .replay = (function))

ON_REPLAY(SEEK, seek, tr_replay_seek)
ON_REPLAY(SET_LOOP, set_loop, tr_replay_set_loop)

/* Simulates the recording, and names the first step that differs. */
ON_REPLAY(VERIFY, verify, tr_replay_verify)
