#include "server/recording/recorder_part.h"

#include "model/name.h"
#include "server/recording/recorder.h"

#include <stdlib.h>
#include <string.h>

enum { FLUSH_EVERY_NS = 500000000 };

typedef struct recorder_part {
    tr_world_part part; /* first */
    tr_recorder_part_def def;
    tr_recorder *recorder;
    int64_t flushed_ns;
} recorder_part;

static const tr_world_part_kind kind;

static recorder_part *find(const tr_world_loop *loop) {
    return (recorder_part *)tr_world_loop_part(loop, &kind);
}

void tr_recorded_destroy(tr_recorded *recorded) {
    if (!recorded)
        return;
    tr_packet_release(recorded->bytes);
    free(recorded);
}

static void destroy(tr_world_part *part) {
    recorder_part *self = (recorder_part *)part;
    tr_recorder_destroy(self->recorder);
    free(self);
}

/* --- start and stop --- */

static tr_status start(recorder_part *self, tr_world_loop *loop) {
    tr_packet *picture = NULL;
    tr_recorder_def def = {.world = self->def.world,
                           .created_unix = self->def.created_unix,
                           .seed = loop->seed,
                           .cast = &loop->cast,
                           .check_every = self->def.check_every,
                           .key_every = self->def.key_every};
    tr_status status = tr_world_loop_picture(loop, &picture);
    if (!status)
        status = tr_recorder_start(&def, loop->stage, picture, &self->recorder);
    tr_packet_release(picture);
    return status;
}

tr_status tr_recorder_part_start(tr_world_loop *loop, const tr_recorder_part_def *def,
                                 tr_error *error) {
    if (find(loop))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "this world is being recorded: stop that recording first");
    recorder_part *self = calloc(1, sizeof *self);
    if (!self)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    self->part.kind = &kind;
    self->def = *def;
    tr_status status = start(self, loop);
    if (status) {
        free(self);
        return tr_fail_if(error, status, "recording");
    }
    tr_world_loop_add_part(loop, &self->part);
    return TR_OK;
}

tr_status tr_recorder_part_stop(tr_world_loop *loop, tr_status status, const char *why,
                                tr_error *error) {
    recorder_part *self = find(loop);
    if (!self || tr_recorder_look(self->recorder).ended)
        return tr_fail(error, TR_FAILED_PRECONDITION, "this world is not being recorded");
    tr_recorder_end(self->recorder, status, why);
    return TR_OK;
}

/* --- events of the world loop --- */

/* Records the present state, instead of the command that led to it. */
static void record_state(recorder_part *self, tr_world_loop *loop) {
    tr_packet *picture = NULL;
    tr_status status = tr_world_loop_picture(loop, &picture);
    if (status)
        tr_recorder_end(self->recorder, status, "out of memory");
    else
        tr_recorder_jump(self->recorder, loop->stage, picture);
    tr_packet_release(picture);
}

static void record_message(recorder_part *self, tr_world_loop *loop, const tr_command *command,
                           tr_entity_id entity) {
    tr_packet *message = tr_command_pack(command);
    if (message)
        tr_recorder_command(self->recorder, command->kind->name, message, entity);
    else
        record_state(self, loop);
    tr_packet_release(message);
}

/* A failed command has changed nothing, unless memory ran out halfway; in that case the state is
 * recorded instead. */
static void applied(tr_world_part *part, tr_world_loop *loop, const tr_command *command,
                    const tr_reply *result) {
    recorder_part *self = (recorder_part *)part;
    tr_status status = result->error.status;
    tr_command_keep keeps = command->kind->keeps;
    if ((keeps == TR_KEEP_STATE && !status) ||
        (keeps == TR_KEEP_MESSAGE && status == TR_RESOURCE_EXHAUSTED))
        record_state(self, loop);
    else if (keeps == TR_KEEP_MESSAGE && !status)
        record_message(self, loop, command, result->entity);
}

static void after_step(tr_world_part *part, tr_world_loop *loop, int64_t tick, int first_event) {
    (void)tick;
    recorder_part *self = (recorder_part *)part;
    tr_recorder_step(self->recorder, loop->stage);
    tr_recorder_must_hold(self->recorder, &loop->invariant);
    for (int i = first_event; i < loop->events.count; i++)
        tr_recorder_event(self->recorder, &loop->events.event[i]);
    if (!tr_recorder_look(self->recorder).key_due)
        return;
    tr_packet *picture = NULL;
    if (!tr_world_loop_picture(loop, &picture))
        tr_recorder_key(self->recorder, picture);
    tr_packet_release(picture);
}

static void close_recorder(tr_world_part *part, tr_world_loop *loop) {
    (void)loop;
    tr_recorder_end(((recorder_part *)part)->recorder, TR_OK, "the world was destroyed");
}

static void describe(const tr_world_part *part, tr_world_info *out) {
    out->recording = ((const recorder_part *)part)->def.id;
}

/* --- hand-over to the event loop --- */

static void tell_failure(tr_world_loop *loop, const tr_recorded *recorded) {
    tr_event event = {.kind = TR_EVENT_RECORDING_ENDED, .status = recorded->status};
    tr_name_set(event.text, recorded->why);
    tr_world_loop_tell(loop, event);
}

static void note_end(const recorder_part *self, tr_world_loop *loop, tr_recorded *out) {
    const tr_recorder_progress progress = tr_recorder_look(self->recorder);
    out->ended = true;
    out->length = progress.position;
    out->status = progress.status;
    memcpy(out->why, progress.reason, strnlen(progress.reason, sizeof out->why - 1));
    if (out->status)
        tell_failure(loop, out);
}

static tr_recorded *take(recorder_part *self, tr_world_loop *loop) {
    tr_packet *bytes = tr_recorder_take(self->recorder);
    bool ended = tr_recorder_look(self->recorder).ended;
    if (!bytes && !ended)
        return NULL;
    tr_recorded *recorded = calloc(1, sizeof *recorded);
    if (!recorded) { /* later records would not follow from the earlier ones */
        tr_packet_release(bytes);
        tr_recorder_end(self->recorder, TR_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    recorded->delivery.deliver = self->def.deliver;
    recorded->context = self->def.context;
    recorded->id = self->def.id;
    recorded->bytes = bytes;
    if (ended) {
        note_end(self, loop, recorded);
        tr_world_loop_remove_part(loop, &self->part);
        destroy(&self->part);
    }
    return recorded;
}

tr_recorded *tr_recorder_part_take(tr_world_loop *loop) {
    recorder_part *self = find(loop);
    return self ? take(self, loop) : NULL;
}

/* Makes the recorded bytes ready to be taken, if the last flush is long enough ago. */
static int64_t flush(recorder_part *self, int64_t now_ns, int64_t next_ns) {
    int64_t due_ns = self->flushed_ns + FLUSH_EVERY_NS;
    if (!tr_recorder_look(self->recorder).unready)
        return next_ns;
    if (now_ns < due_ns)
        return due_ns < next_ns ? due_ns : next_ns;
    tr_recorder_flush(self->recorder);
    self->flushed_ns = now_ns;
    return next_ns;
}

static int64_t end_turn(tr_world_part *part, tr_world_loop *loop, int64_t now_ns, int64_t next_ns) {
    recorder_part *self = (recorder_part *)part;
    next_ns = flush(self, now_ns, next_ns);
    tr_recorded *recorded = self->def.deliver ? take(self, loop) : NULL;
    if (recorded)
        tr_world_loop_deliver(loop, &recorded->delivery);
    return next_ns;
}

static const tr_world_part_kind kind = {.name = "recorder",
                                        .after_step = after_step,
                                        .applied = applied,
                                        .end_turn = end_turn,
                                        .describe = describe,
                                        .close = close_recorder,
                                        .destroy = destroy};
