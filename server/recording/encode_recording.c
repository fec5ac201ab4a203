#include "server/recording/encode_recording.h"

#include <stdlib.h>

void tr_encode_recording(const tr_recording_entry *entry, Troupe__Recording *out) {
    static const Troupe__RecordingState state[] = {
        [TR_RECORDING_ENDED] = TROUPE__RECORDING_STATE__RECORDING_STATE_ENDED,
        [TR_RECORDING_RUNNING] = TROUPE__RECORDING_STATE__RECORDING_STATE_RUNNING,
        [TR_RECORDING_CUT] = TROUPE__RECORDING_STATE__RECORDING_STATE_CUT,
    };
    troupe__recording__init(out);
    out->name = tr_wire_text(entry->name);
    out->state = state[entry->state];
    out->world = tr_wire_text(entry->world);
    out->daemon_version = tr_wire_text(entry->daemon);
    out->created_unix_s = entry->created_unix;
    out->size_bytes = entry->size;
    out->step_s = entry->step_s;
    out->length = entry->length;
    out->code = (Troupe__StatusCode)-entry->ended;
    out->message = tr_wire_text(entry->ended_text);
}

static void encode_divergence(const tr_divergence *d, Troupe__Divergence *out) {
    troupe__divergence__init(out);
    out->position = d->position;
    out->tick = d->tick;
    out->same_at = d->same_at;
    out->body_at = d->body_at;
    out->entity = d->entity;
    out->label = tr_wire_text(d->label);
    out->body = d->body;
    out->body_name = tr_wire_text(d->body_name);
    out->what = tr_wire_text(d->what);
}

typedef struct event_row {
    Troupe__ReplayEvent message;
    Troupe__Event event;
} event_row;

static void encode_events(const tr_recording_info *told, size_t count, event_row *rows,
                          Troupe__ReplayEvent **pointers) {
    for (size_t i = 0; i < count; i++) {
        troupe__replay_event__init(&rows[i].message);
        tr_encode_event(&told->event[i].event, &rows[i].event);
        rows[i].message.position = told->event[i].position;
        rows[i].message.event = &rows[i].event;
        pointers[i] = &rows[i].message;
    }
}

static tr_status encode_info(const tr_replay_answer *answer, Troupe__ReplayInfo *info,
                             tr_packet **out) {
    const tr_recording_info *told = tr_recording_describe(answer->recording);
    Troupe__Recording recording;
    Troupe__Divergence divergence;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    tr_recording_entry gone = {.state = told->whole ? TR_RECORDING_ENDED : TR_RECORDING_CUT};
    tr_encode_recording(answer->entry != NULL ? answer->entry : &gone, &recording);
    recording.name = tr_wire_text(answer->name);
    info->recording = &recording;
    info->position = answer->info.position;
    info->length = told->length;
    info->first_tick = told->first_tick;
    info->loop = answer->info.loop;
    info->working = answer->info.working;
    info->verified = answer->info.verified;
    info->whole = told->whole;
    if (answer->info.divergence.found) {
        encode_divergence(&answer->info.divergence, &divergence);
        info->divergence = &divergence;
    }
    response.request_id = answer->request;
    response.result_case = TROUPE__RESPONSE__RESULT_REPLAY_INFO;
    response.replay_info = info;
    return tr_encode_response(&response, out);
}

tr_status tr_encode_replay(const tr_replay_answer *answer, tr_packet **out) {
    const tr_recording_info *told = tr_recording_describe(answer->recording);
    size_t all = (size_t)told->event_count;
    size_t count = all < TR_REPLAY_EVENTS_MAX ? all : TR_REPLAY_EVENTS_MAX;
    event_row *rows = calloc(count + 1, sizeof *rows);
    Troupe__ReplayEvent **pointers = calloc(count + 1, sizeof(void *));
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (rows != NULL && pointers != NULL) {
        Troupe__ReplayInfo info = TROUPE__REPLAY_INFO__INIT;
        encode_events(told, count, rows, pointers);
        info.n_events = count;
        info.events = pointers;
        info.events_left_out = all - count + (uint64_t)told->event_dropped;
        status = encode_info(answer, &info, out);
    }
    free(pointers);
    free(rows);
    return status;
}
