/* snapshot: encodes the whole world as bytes, with the waiting commands; perhaps the last before
 * the world moves away. */
#include "server/recording/replay.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"
#include "server/requests/dispatch.h"

#include "model/name.h"

#include <stdio.h>

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

static const tr_field fields[] = {
    TR_NUMBER_IF_GIVEN(Troupe__Snapshot, hold_s, 0.1, TR_HOLD_SECONDS_MAX), TR_FIELDS_END};

static bool holds(const tr_command *command) {
    return command->message->snapshot->hold;
}

/* A hold waits in a made-up snapshot alone. */
static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return holds(command) ? tr_fail(&result->error, TR_FAILED_PRECONDITION, "a hold cannot wait")
                          : take(loop, result);
}

/* A world is held when the command arrives: steppers may wait for each other, and the command that
 * releases it must come later. */
static tr_status admit(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_status status = tr_world_loop_may_apply(loop, command, &result->error);
    if (!status)
        status = take(loop, result);
    if (status)
        return status;
    loop->held_by = command->stamp.session;
    result->paused = loop->paused;
    tr_name_set(result->moved_from, ((const tr_hold_def *)command->data)->name);
    return TR_OK;
}

/* The name of the hold: the run of the daemon, the world, and the request that asks for it. */
static tr_status hold(const tr_request *request, tr_hosted *hosted, tr_command *command,
                      tr_error *error) {
    const Troupe__Snapshot *asked = command->message->snapshot;
    tr_hold_def *def = (tr_hold_def *)command->data;
    def->session = tr_session_id(request->session);
    snprintf(def->name, sizeof def->name, "%016llx-%x-%llx-%x",
             (unsigned long long)tr_sessions_instance(request->server->sessions),
             tr_hosted_id(hosted), (unsigned long long)def->session, (unsigned)request->id);
    command->reply->ticket = tr_hosted_id(hosted);
    return tr_worlds_hold(request->server->worlds, hosted, def,
                          asked->has_hold_s_case ? asked->hold_s : TR_HOLD_SECONDS, error);
}

/* A replay has nothing to move, and the world of a match cannot move. */
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
    return hold(request, hosted, command, error);
}

/* The world was not held after all. */
static void release(tr_server *server, uint64_t world, uint64_t session) {
    tr_hosted *hosted = tr_worlds_find(server->worlds, (uint32_t)world);
    if (hosted)
        tr_move_release(hosted, session);
}

static void abandon(tr_server *server, const tr_command *command) {
    if (holds(command))
        release(server, command->reply->ticket, command->stamp.session);
}

static void answered(tr_server *server, const tr_reply *reply) {
    if (reply->error.status && reply->ticket != 0)
        release(server, reply->ticket, reply->session);
}

/* The state that the replay shows, to continue from in another world. */
static tr_status replay(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command;
    return tr_world_loop_picture(loop, &result->data);
}

TR_COMMAND_ROW(SNAPSHOT, snapshot, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .for_spectators = true,
               .fields = fields, .data_size = sizeof(tr_hold_def), .prepare = prepare,
               .abandon = abandon, .answered = answered, .admit = admit, .acts_now = holds,
               .apply = apply, .replay = replay)
