/* Handlers of trainings: start, list, stop. */
#include "server/requests/dispatch.h"

#include "server/training/trainings.h"

static tr_training_asker asker_of(const tr_request *request) {
    return (tr_training_asker){tr_session_id(request->session), request->id};
}

void tr_handle_start_training(tr_request *request) {
    tr_trainings_start(request->server->trainings, request->message->start_training,
                       asker_of(request));
}

void tr_handle_list_trainings(tr_request *request) {
    tr_trainings_list(request->server->trainings, asker_of(request));
}

void tr_handle_stop_training(tr_request *request) {
    tr_trainings_end_one(request->server->trainings, request->message->stop_training->name,
                         asker_of(request));
}
