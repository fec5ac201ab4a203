/* Recordings of a play: what is told to the recorder, and when. */
#include "server/world/play.h"

#include "server/catalogue/name.h"

#include <stdlib.h>
#include <string.h>

tr_status tr_play_start_recording(tr_play *play, const tr_start_recording *order, tr_error *error) {
    if (play->recorder != NULL)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "this world is being recorded: stop that recording first");
    tr_packet *picture = NULL;
    tr_recorder_def def = {.world = order->world,
                           .created_unix = order->created_unix,
                           .seed = play->seed,
                           .cast = &play->cast,
                           .check_every = order->check_every,
                           .key_every = order->key_every};
    tr_status status = tr_play_picture(play, &picture);
    if (status == TR_OK)
        status = tr_recorder_start(&def, play->stage, picture, &play->recorder);
    tr_packet_release(picture);
    if (status != TR_OK)
        return tr_fail(error, status, "recording: %s", tr_status_text(status));
    play->recording = order->id;
    return TR_OK;
}

tr_status tr_play_stop_recording(tr_play *play, const tr_stop_recording *order, tr_error *error) {
    if (play->recorder == NULL || tr_recorder_has_ended(play->recorder))
        return tr_fail(error, TR_FAILED_PRECONDITION, "this world is not being recorded");
    tr_recorder_end(play->recorder, order->status, order->status == TR_OK ? "stopped" : order->why);
    return TR_OK;
}

void tr_play_end_recording(tr_play *play, tr_status status, const char *why) {
    if (play->recorder != NULL)
        tr_recorder_end(play->recorder, status, why);
}

/* The state as it is now, in place of how it came to be. */
static void record_jump(tr_play *play) {
    tr_packet *picture = NULL;
    tr_status status = tr_play_picture(play, &picture);
    if (status == TR_OK)
        tr_recorder_jump(play->recorder, play->stage, picture);
    else
        tr_recorder_end(play->recorder, status, "out of memory");
    tr_packet_release(picture);
}

/* A command that failed has changed nothing, unless memory ran out half way: then the state is
 * written instead. */
void tr_play_record_command(tr_play *play, const tr_command *command, const tr_reply *result) {
    if (play->recorder == NULL)
        return;
    tr_status status = result->error.status;
    bool jumped = command->kind == TR_COMMAND_RESET || command->kind == TR_COMMAND_RESTORE;
    bool kept = tr_command_is_recorded(command->kind);
    if ((jumped && status == TR_OK) || (kept && status == TR_RESOURCE_EXHAUSTED) ||
        (kept && status == TR_OK && command->wire == NULL))
        record_jump(play);
    else if (kept && status == TR_OK)
        tr_recorder_command(play->recorder, tr_command_name(command->kind), command->wire,
                            result->entity);
}

/* Events from `first_event` on are those of the step. */
void tr_play_record_step(tr_play *play, int first_event) {
    if (play->recorder == NULL)
        return;
    tr_recorder_step(play->recorder, play->stage);
    for (int i = first_event; i < play->events.count; i++)
        tr_recorder_event(play->recorder, &play->events.event[i]);
    if (!tr_recorder_wants_key(play->recorder))
        return;
    tr_packet *picture = NULL;
    if (tr_play_picture(play, &picture) == TR_OK)
        tr_recorder_key(play->recorder, picture);
    tr_packet_release(picture);
}

int64_t tr_play_flush_recording(tr_play *play, int64_t now_ns, int64_t next_ns) {
    const int64_t every_ns = 500000000;
    if (play->recorder == NULL || !tr_recorder_wants_flush(play->recorder))
        return next_ns;
    int64_t due_ns = play->flushed_ns + every_ns;
    if (now_ns < due_ns)
        return due_ns < next_ns ? due_ns : next_ns;
    tr_recorder_flush(play->recorder);
    play->flushed_ns = now_ns;
    return next_ns;
}

static void tell_end(tr_play *play, const tr_recorded *recorded) {
    tr_event event = {.kind = TR_EVENT_RECORDING_ENDED,
                      .tick = tr_play_tick(play),
                      .epoch = play->epoch,
                      .status = recorded->status};
    tr_name_set(event.text, recorded->why);
    tr_event_list_add(&play->events, &event);
}

tr_recorded *tr_play_take_recorded(tr_play *play) {
    tr_recorder *recorder = play->recorder;
    if (recorder == NULL)
        return NULL;
    tr_packet *bytes = tr_recorder_take(recorder);
    bool ended = tr_recorder_has_ended(recorder);
    if (bytes == NULL && !ended)
        return NULL;
    tr_recorded *recorded = calloc(1, sizeof *recorded);
    if (recorded == NULL) { /* what comes next would not follow */
        tr_packet_release(bytes);
        tr_recorder_end(recorder, TR_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    recorded->id = play->recording;
    recorded->bytes = bytes;
    recorded->ended = ended;
    recorded->length = tr_recorder_position(recorder);
    recorded->status = tr_recorder_status(recorder);
    const char *why = tr_recorder_reason(recorder);
    memcpy(recorded->why, why, strnlen(why, sizeof recorded->why - 1));
    if (ended) {
        if (recorded->status != TR_OK)
            tell_end(play, recorded);
        tr_recorder_destroy(recorder);
        play->recorder = NULL;
    }
    return recorded;
}
