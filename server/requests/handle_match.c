/* Handlers of matches: start, watch, unwatch, cancel, record a bout. Lists and removal are queries. */
#include "server/requests/dispatch.h"

#include "proto/message.h"
#include "server/match/bout_recordings.h"
#include "server/match/match_decode.h"
#include "server/match/matches.h"

#include <stdlib.h>

/* A match whose names are being fetched from the catalogue; its session is paused. */
typedef struct waiting_match {
    tr_server *server;
    tr_asker asker;
    tr_packet *definition;
    tr_match_def def;
} waiting_match;

static void release(waiting_match *waiting) {
    tr_packet_release(waiting->definition);
    tr_layout_release(waiting->def.world.layout);
    free(waiting);
}

static void start(waiting_match *waiting, const tr_session *session) {
    tr_match_start what = {waiting->asker, tr_session_member(session), &waiting->def,
                           waiting->definition};
    tr_matches_start(waiting->server->matches, &what);
    release(waiting);
}

static void on_fetched(void *context, const tr_error *error) {
    waiting_match *waiting = context;
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->asker.session);
    if (!session) {
        release(waiting); /* its session ended before the match began */
        return;
    }
    if (!error->status) {
        start(waiting, session);
    } else {
        tr_session_refuse(session, waiting->asker.request, error);
        release(waiting);
    }
    tr_session_resume(session);
}

/* Starts the match if its names are in the library; otherwise the session waits until they are. */
static void fetch_and_start(tr_request *request, waiting_match *waiting) {
    tr_library *library = waiting->server->library;
    tr_library_needs *needs = calloc(1, sizeof *needs);
    tr_status status = needs ? tr_match_needs(&waiting->def, needs) : TR_RESOURCE_EXHAUSTED;
    if (!status && tr_library_has(library, needs)) {
        free(needs);
        start(waiting, request->session);
        return;
    }
    if (!status)
        status = tr_library_fetch(library, needs, on_fetched, waiting);
    free(needs);
    if (!status) {
        tr_session_pause(request->session);
        return;
    }
    release(waiting);
    tr_request_refuse(request, status,
                      "the catalogue is busy, or there are too many names; try again");
}

void tr_handle_start_match(tr_request *request) {
    const Troupe__Match *match = request->message->start_match->match;
    tr_error error = {0};
    if (!match) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "match: expected a definition");
        return;
    }
    waiting_match *waiting = calloc(1, sizeof *waiting);
    tr_packet *definition = tr_packet_create(troupe__match__get_packed_size(match));
    tr_status status = waiting && definition
                           ? tr_decode_match(match, &waiting->def, &error)
                           : tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (status) {
        tr_packet_release(definition);
        free(waiting);
        tr_session_refuse(request->session, request->id, &error);
        return;
    }
    troupe__match__pack(match, definition->bytes);
    waiting->server = request->server;
    waiting->asker = tr_request_asker(request);
    waiting->definition = definition;
    fetch_and_start(request, waiting);
}

void tr_handle_watch_match(tr_request *request) {
    tr_matches_watch(request->server->matches, request->message->watch_match->name,
                     tr_request_asker(request));
}

void tr_handle_unwatch_match(tr_request *request) {
    tr_matches_unwatch(request->server->matches, request->message->unwatch_match->name,
                       tr_request_asker(request));
}

void tr_handle_cancel_match(tr_request *request) {
    tr_matches_cancel(request->server->matches, request->message->cancel_match->name,
                      tr_request_asker(request));
}

void tr_handle_record_bout(tr_request *request) {
    const Troupe__RecordBout *m = request->message->record_bout;
    tr_bout_recording_order order = {.asker = tr_request_asker(request),
                                     .match = m->match,
                                     .recording = m->recording,
                                     .position = m->position};
    tr_bout_recordings_make(request->server->bout_recordings, &order);
}
