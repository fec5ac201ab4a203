/* Handlers of trainings: start, list, stop. */
#include "server/requests/dispatch.h"

#include "server/training/trainings.h"

void tr_handle_start_training(tr_request *request) {
    tr_trainings_start(request->server->trainings, request->message->start_training,
                       tr_request_asker(request));
}

void tr_handle_list_trainings(tr_request *request) {
    tr_trainings_list(request->server->trainings, tr_request_asker(request));
}

void tr_handle_stop_training(tr_request *request) {
    tr_trainings_end_one(request->server->trainings, request->message->stop_training->name,
                         tr_request_asker(request));
}
