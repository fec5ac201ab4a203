/* Recordings and replays: from messages to plain structs. */
#include "client/c/reply.h"

static tr_client_recording recording_of(const Troupe__Recording *from) {
    if (!from)
        return (tr_client_recording){.name = "", .world = "", .daemon_version = "", .message = ""};
    return (tr_client_recording){.name = from->name,
                                 .state = (tr_client_recording_state)from->state,
                                 .world = from->world,
                                 .daemon_version = from->daemon_version,
                                 .created_unix_s = from->created_unix_s,
                                 .size = from->size_bytes,
                                 .step_s = from->step_s,
                                 .length = from->length,
                                 .ended = tr_reply_status(from->code),
                                 .message = from->message};
}

static void decode_list(tr_reply_box *box, const Troupe__RecordingList *list) {
    tr_client_recording *rows = tr_reply_array(box, list->n_recordings, sizeof *rows);
    for (size_t i = 0; rows && i < list->n_recordings; ++i)
        rows[i] = recording_of(list->recordings[i]);
    box->reply.recordings = rows;
    box->reply.count = rows ? (int)list->n_recordings : 0;
    box->reply.next_page_token = list->next_page_token;
}

static tr_client_divergence divergence_of(const Troupe__Divergence *from) {
    if (!from)
        return (tr_client_divergence){.label = "", .body = -1, .body_name = "", .what = ""};
    return (tr_client_divergence){.found = true,
                                  .position = from->position,
                                  .tick = from->tick,
                                  .same_at = from->same_at,
                                  .body_at = from->body_at,
                                  .entity = from->entity,
                                  .label = from->label,
                                  .body = from->body,
                                  .body_name = from->body_name,
                                  .what = from->what};
}

static const tr_client_replay_event *decode_events(tr_reply_box *box,
                                                   const Troupe__ReplayInfo *info) {
    static Troupe__Event nothing = TROUPE__EVENT__INIT;
    tr_client_replay_event *events = tr_reply_array(box, info->n_events, sizeof *events);
    for (size_t i = 0; events && i < info->n_events; ++i) {
        const Troupe__ReplayEvent *from = info->events[i];
        events[i].position = from->position;
        events[i].event = tr_reply_event(0, from->event ? from->event : &nothing);
    }
    return events;
}

static tr_client_replay_info replay_of(tr_reply_box *box, const Troupe__ReplayInfo *from) {
    tr_client_replay_info info = {.recording = recording_of(from->recording),
                                  .position = from->position,
                                  .length = from->length,
                                  .first_tick = from->first_tick,
                                  .loop = from->loop,
                                  .working = from->working,
                                  .verified = from->verified,
                                  .whole = from->whole,
                                  .divergence = divergence_of(from->divergence),
                                  .events = decode_events(box, from),
                                  .events_left_out = from->events_left_out};
    info.event_count = info.events ? (int)from->n_events : 0;
    return info;
}

void tr_reply_recording(tr_reply_box *box, const Troupe__Response *response) {
    tr_client_reply *reply = &box->reply;
    if (reply->kind == TR_CLIENT_REPLY_RECORDINGS)
        decode_list(box, response->recording_list);
    else if (reply->kind == TR_CLIENT_REPLY_RECORDING)
        reply->recording = recording_of(response->recording);
    else if (reply->kind == TR_CLIENT_REPLY_RECORDING_PART)
        reply->part = (tr_client_recording_part){response->recording_part->data.data,
                                                 response->recording_part->data.len,
                                                 response->recording_part->size_bytes};
    else
        reply->replay = replay_of(box, response->replay_info);
}
