/* Requests and replies about trainings. */
#include "client/c/exchange.h"
#include "client/c/reply.h"

TR_REQUEST_OF_DEF(StartTraining, start_training, training_def, TR_COPY(clip, name, effort, seed))

uint64_t tr_client_list_trainings(tr_client *client) {
    return TR_REQUEST_EMPTY(client, ListTrainings, list_trainings);
}

TR_REQUEST_BY_NAME(StopTraining, stop_training)

/* --- replies --- */

const tr_mapping tr_client_training_mapping =
    TR_MAPPING(tr_client_training, Training, training,
               TR_COPY(name, clip, effort, detail, controller, seed, state, started_unix_ns,
                       ended_unix_ns, share),
               TR_COPY_LIST(metric_count, metrics, tr_client_metric_mapping));

static const tr_mapping list_mapping =
    TR_MAPPING(tr_client_training_list, TrainingList, training_list,
               TR_COPY_LIST(training_count, trainings, tr_client_training_mapping),
               TR_COPY_ARRAY(clip_count, clips), TR_COPY(limit));

const tr_result_row tr_training_results[] = {
    TR_RESULT(TRAINING, TRAINING, training, tr_client_training_mapping),
    TR_RESULT(TRAINING_LIST, TRAININGS, training_list, list_mapping), TR_RESULTS_END};
