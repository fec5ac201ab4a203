#include "server/world/move.h"

#include "model/name.h"
#include "server/world/hosted_world.h"

#include <string.h>

/* --- on the world's thread --- */

/* The time that it stood still is not owed. */
static tr_status admit_release(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)result;
    if (loop->held_by == command->stamp.session)
        loop->held_by = 0, loop->released = true;
    return TR_OK;
}

static tr_status admit_start(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)command, (void)result;
    loop->arriving = false;
    loop->released = true;
    if (tr_world_loop_is_running(loop))
        tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_RESUMED});
    return TR_OK;
}

static const tr_command_kind release_kind = {
    .name = "release", .at_once = true, .always_fits = true, .quiet = true, .admit = admit_release};
static const tr_command_kind start_kind = {
    .name = "start", .at_once = true, .always_fits = true, .quiet = true, .admit = admit_start};

/* --- on the event loop --- */

static tr_command *command_of(const tr_command_kind *kind, uint64_t session) {
    tr_command *command = tr_command_create(kind);
    if (command) {
        command->stamp.session = session;
        command->silent = true;
    }
    return command;
}

tr_command *tr_move_release_create(uint64_t session) {
    return command_of(&release_kind, session);
}

tr_command *tr_move_start_create(void) {
    return command_of(&start_kind, 0);
}

tr_status tr_move_hold(tr_hosted *hosted, const tr_hold_def *def, tr_error *error) {
    tr_move *move = tr_hosted_move(hosted);
    if (move->holder != 0 || move->arriving)
        return tr_fail(error, TR_UNAVAILABLE, "the world is moving %s another daemon already",
                       move->arriving ? "here from" : "to");
    tr_command *release = tr_move_release_create(def->session);
    if (!release)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    move->holder = def->session;
    move->ends_ms = def->ends_ms;
    move->release = release;
    tr_name_set(move->hold, def->name);
    return TR_OK;
}

void tr_move_release(tr_hosted *hosted, uint64_t session) {
    tr_move *move = tr_hosted_move(hosted);
    if (move->holder == 0 || move->holder != session)
        return;
    if (tr_hosted_post(hosted, move->release)) /* never: it always fits */
        tr_command_destroy(move->release);
    move->release = NULL;
    move->holder = move->ends_ms = 0;
}

tr_status tr_move_may_leave(tr_hosted *hosted, uint64_t session, tr_error *error) {
    if (tr_hosted_move(hosted)->holder == session)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "moved_to: this session does not hold the world, or its hold has ended; "
                   "expected a Snapshot with hold before, at most its hold_s ago");
}

tr_status tr_move_start(tr_hosted *hosted, const char *from, tr_error *error) {
    tr_move *move = tr_hosted_move(hosted);
    if (strcmp(move->from, from) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "moved_from '%.47s': the world is from '%s'; expected that", from,
                       move->from);
    if (!move->arriving)
        return TR_OK;
    tr_command *start = tr_move_start_create();
    if (!start || tr_hosted_post(hosted, start)) {
        tr_command_destroy(start);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    move->arriving = false;
    return TR_OK;
}
