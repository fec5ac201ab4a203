/* From a frame to its handler. */
#pragma once

#include "server/requests/server.h"

/* A request passed to a handler. The handler answers through the session, now or later; to keep the
 * message for later it takes it (sets `message` to NULL) and destroys it with
 * tr_message_destroy. */
typedef struct tr_request {
    tr_server *server;
    tr_session *session;
    uint64_t id;
    Troupe__ClientMessage *message;
    /* request_row.h; NULL: a request that this daemon does not know */
    const struct tr_request_row *row;
} tr_request;

/* Decodes a frame and calls its handler. A frame that does not decode ends the session. session: a
 * tr_session whose daemon is a tr_server; as tr_sessions_def.frame. */
void tr_dispatch(void *session, const uint8_t *data, size_t size);

/* Answers with a failure; `format` as printf. */
void tr_request_refuse(const tr_request *request, tr_status status, const char *format, ...)
    TR_PRINTF(3, 4);

/* For answers that come later, or from elsewhere. */
tr_asker tr_request_asker(const tr_request *request);

/* Finds the world with this id, or answers NOT_FOUND and returns NULL. */
tr_hosted *tr_request_world(const tr_request *request, uint32_t id);

/* Answer with a message of the result's type, with the message of a struct, or with an empty
 * response. */
void tr_request_respond(const tr_request *request, Troupe__Response__ResultCase result,
                        void *message);
void tr_request_show(const tr_request *request, Troupe__Response__ResultCase result,
                     const tr_mapping *mapping, const void *from);
void tr_request_done(const tr_request *request);

/* Answers with the WorldInfo of a world. handle_world.c */
void tr_request_respond_world(const tr_request *request, tr_hosted *hosted);

/* --- handlers, by the file they are in; listed in request_row.c --- */

/* handle_session.c */
void tr_handle_hello(tr_request *request);
void tr_handle_authenticate(tr_request *request);
void tr_handle_ping(tr_request *request);

/* handle_catalogue.c: every query of the catalogue */
void tr_handle_query(tr_request *request);

/* handle_world.c */
void tr_handle_create_world(tr_request *request);
void tr_handle_list_worlds(tr_request *request);
void tr_handle_get_world(tr_request *request);
void tr_handle_destroy_world(tr_request *request);
void tr_handle_claim_world(tr_request *request);

/* handle_command.c: every command */
void tr_handle_command(tr_request *request);

/* handle_match.c */
void tr_handle_start_match(tr_request *request);
void tr_handle_watch_match(tr_request *request);
void tr_handle_unwatch_match(tr_request *request);
void tr_handle_cancel_match(tr_request *request);
void tr_handle_record_bout(tr_request *request);

/* handle_training.c */
void tr_handle_start_training(tr_request *request);
void tr_handle_list_trainings(tr_request *request);
void tr_handle_stop_training(tr_request *request);

/* handle_subscription.c */
void tr_handle_subscribe(tr_request *request);
void tr_handle_unsubscribe(tr_request *request);
void tr_handle_get_state(tr_request *request);

/* handle_relayed.c: every request to a relay */
void tr_handle_relayed(tr_request *request);

/* handle_recording.c */
void tr_handle_list_recordings(tr_request *request);
void tr_handle_get_recording(tr_request *request);
void tr_handle_download_recording(tr_request *request);
void tr_handle_upload_recording(tr_request *request);
void tr_handle_delete_recording(tr_request *request);

/* handle_replay.c */
void tr_handle_replay(tr_request *request);
void tr_handle_get_replay(tr_request *request);
