#include "server/requests/request_row.h"

#include "server/match/match_inquiry.h"

#define REQUEST(name) TROUPE__CLIENT_MESSAGE__REQUEST_##name

static const tr_request_row rows[] = {
    {REQUEST(HELLO), TR_ROLE_NONE, TR_SERVED, tr_handle_hello, NULL},
    {REQUEST(AUTHENTICATE), TR_ROLE_NONE, TR_SERVED, tr_handle_authenticate, NULL},
    {REQUEST(PING), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_ping, NULL},
    {REQUEST(COMMAND), TR_ROLE_PLAYER, TR_SERVED, tr_handle_command,
     NULL}, /* also checked by the command's row */
    {REQUEST(LIST_MODELS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_list_models},
    {REQUEST(GET_MODEL), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_get_model},
    {REQUEST(LIST_CLIPS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_list_clips},
    {REQUEST(GET_CLIP), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_get_clip},
    {REQUEST(LIST_RUNS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_list_runs},
    {REQUEST(GET_RUN), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_get_run},
    {REQUEST(LIST_CONTROLLERS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query,
     tr_inquiry_list_controllers},
    {REQUEST(GET_CONTROLLER), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query,
     tr_inquiry_get_controller},
    {REQUEST(GET_LINEAGE), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_get_lineage},
    {REQUEST(GET_CERTIFICATE), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query,
     tr_inquiry_get_certificate},
    {REQUEST(ADD_BUNDLE), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_query, tr_inquiry_add_bundle},
    {REQUEST(CREATE_WORLD), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_create_world, NULL},
    {REQUEST(LIST_WORLDS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_list_worlds, NULL},
    {REQUEST(GET_WORLD), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_get_world, NULL},
    {REQUEST(DESTROY_WORLD), TR_ROLE_DIRECTOR, TR_SERVED, tr_handle_destroy_world, NULL},
    {REQUEST(CLAIM_WORLD), TR_ROLE_DIRECTOR, TR_SERVED, tr_handle_claim_world, NULL},
    {REQUEST(SUBSCRIBE), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_subscribe, NULL},
    {REQUEST(UNSUBSCRIBE), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_unsubscribe, NULL},
    {REQUEST(GET_STATE), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_get_state, NULL},
    {REQUEST(START_MATCH), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_start_match, NULL},
    {REQUEST(LIST_MATCHES), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_list_matches},
    {REQUEST(GET_MATCH), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_query, tr_inquiry_get_match},
    {REQUEST(WATCH_MATCH), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_watch_match, NULL},
    {REQUEST(UNWATCH_MATCH), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_unwatch_match, NULL},
    {REQUEST(CANCEL_MATCH), TR_ROLE_DIRECTOR, TR_SERVED, tr_handle_cancel_match, NULL},
    {REQUEST(REMOVE_MATCH), TR_ROLE_DIRECTOR, TR_SERVED, tr_handle_query, tr_inquiry_remove_match},
    {REQUEST(RECORD_BOUT), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_record_bout, NULL},
    {REQUEST(START_TRAINING), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_start_training, NULL},
    {REQUEST(LIST_TRAININGS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_list_trainings, NULL},
    {REQUEST(STOP_TRAINING), TR_ROLE_DIRECTOR, TR_SERVED, tr_handle_stop_training, NULL},
    {REQUEST(LIST_RECORDINGS), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_list_recordings, NULL},
    {REQUEST(GET_RECORDING), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_get_recording, NULL},
    {REQUEST(DOWNLOAD_RECORDING), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_download_recording, NULL},
    {REQUEST(UPLOAD_RECORDING), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_upload_recording, NULL},
    {REQUEST(DELETE_RECORDING), TR_ROLE_DIRECTOR, TR_SERVED, tr_handle_delete_recording, NULL},
    {REQUEST(REPLAY), TR_ROLE_DIRECTOR, TR_REFUSED, tr_handle_replay, NULL},
    {REQUEST(GET_REPLAY), TR_ROLE_SPECTATOR, TR_SERVED, tr_handle_get_replay, NULL},
};

const tr_request_row *tr_request_row_find(Troupe__ClientMessage__RequestCase request) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].request == request)
            return &rows[i];
    return NULL;
}
