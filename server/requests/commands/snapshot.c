/* snapshot: encodes the whole world as bytes, with the waiting commands. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"

/* A waiting restore will replace this world's state. */
static bool awaits_restore(const tr_world_loop *loop) {
    for (const tr_command *waiting = loop->queue.first; waiting; waiting = waiting->next)
        if (waiting->kind->number == TROUPE__COMMAND__COMMAND_RESTORE)
            return true;
    return false;
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result, int64_t now_ns) {
    (void)command, (void)now_ns;
    if (awaits_restore(loop))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "a restore waits for its tick and will replace this state");
    tr_status status = tr_world_loop_snapshot(loop, &result->data);
    tr_apply_hash(loop, status, result);
    return tr_apply_status(result, status, "snapshot");
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
    .apply = apply,
    .replay = replay,
};
