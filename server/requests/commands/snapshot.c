/* snapshot: encodes the whole world as bytes, with the waiting commands; perhaps the last before
 * the world moves away. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"
#include "server/requests/dispatch.h"

/* A waiting restore will replace this world's state. */
static bool awaits_restore(const tr_world_loop *loop) {
    for (const tr_command *waiting = loop->queue.first; waiting; waiting = waiting->next)
        if (waiting->kind->number == TROUPE__COMMAND__COMMAND_RESTORE)
            return true;
    return false;
}

static tr_status take(tr_world_loop *loop, tr_reply *result) {
    if (awaits_restore(loop))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "a restore waits for its tick and will replace this state");
    tr_status status = tr_world_loop_snapshot(loop, &result->data);
    tr_apply_hash(loop, status, result);
    return tr_apply_status(result, status, "snapshot");
}

static bool holds(const tr_command *command) {
    return command->message->snapshot->hold;
}

/* A hold waits in a made-up snapshot alone. */
static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result, int64_t now_ns) {
    (void)now_ns;
    return holds(command) ? tr_fail(&result->error, TR_FAILED_PRECONDITION, "a hold cannot wait")
                          : take(loop, result);
}

/* A world is held when the command arrives: steppers may wait for each other, and the departure of
 * the session that holds it must come later. */
static void admit(tr_world_loop *loop, tr_command *command) {
    tr_reply result = {0};
    if (!tr_world_loop_may_apply(loop, command, &result.error))
        result.error.status = take(loop, &result);
    if (!result.error.status)
        loop->held_by = command->stamp.session;
    tr_world_loop_answer(loop, command, &result);
}

/* The world must be released when the session ends. A replay has nothing to move, and the world of
 * a match cannot move. */
static tr_status prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                         tr_error *error) {
    const char *match = tr_matches_in_world(request->server->matches, tr_hosted_id(hosted));
    if (!holds(command))
        return TR_OK;
    if (tr_command_at_tick(command) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "at_tick %lld: expected 0 with hold, which acts on arrival",
                       (long long)tr_command_at_tick(command));
    if (match)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "the world belongs to the match '%s', which cannot move", match);
    if (tr_hosted_describe(hosted).replays)
        return tr_fail(error, TR_FAILED_PRECONDITION, "hold: expected a world that is no replay");
    return tr_session_will_part(request->session, tr_hosted_id(hosted))
               ? tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory")
               : TR_OK;
}

/* The state that the replay shows, to continue from in another world. */
static void replay(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                   int64_t now_ns) {
    tr_reply result = {0};
    (void)source, (void)now_ns;
    result.error.status = tr_world_loop_picture(loop, &result.data);
    tr_world_loop_answer(loop, command, &result);
}

const tr_command_kind tr_command_snapshot = {
    .name = "snapshot",
    .number = TROUPE__COMMAND__COMMAND_SNAPSHOT,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .for_spectators = true,
    .prepare = prepare,
    .admit = admit,
    .acts_now = holds,
    .apply = apply,
    .replay = replay,
};
