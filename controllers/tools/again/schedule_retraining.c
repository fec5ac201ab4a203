#include "tools/again/schedule_retraining.h"

#include "control/scheduler/scheduler.h"
#include "learn/schedule/schedule_training.h"
#include "tools/again/rerun.h"

#include <stdio.h>
#include <string.h>

bool tr_schedule_record_is(const tr_run_row *run) {
    return strstr(run->command, " schedule learn ") != NULL;
}

static tr_status begin(const tr_rerun *r, const tr_schedule_settings *settings,
                       tr_schedule_training **out, tr_error *error) {
    const tr_scheduler *scheduler = tr_scheduler_of(r->was);
    if (!scheduler)
        return tr_fail(error, TR_DATA_LOSS, "run '%s': controller '%s' has no scheduler",
                       r->run->name, r->was->name);
    tr_controller source = *r->was; /* a shallow copy, without the scheduler */
    source.driver = scheduler->inner;
    const tr_schedule_training_def def = {r->model, &source, *settings, r->given->threads};
    return tr_schedule_training_create(&def, out, error);
}

static tr_status train(const tr_rerun *r, tr_schedule_training *training, tr_error *error) {
    tr_status status = TR_OK;
    int64_t transitions = 0;
    while (!status && transitions < r->last && !tr_schedule_training_is_done(training)) {
        int count = 0;
        status = tr_schedule_training_advance(training, error);
        const tr_schedule_row *row = tr_schedule_training_rows(training, &count);
        if (status || count == 0)
            continue;
        transitions = row[count - 1].transitions;
        printf("%8lld  falls %5lld  MA[V] %5.1f  score %.4f\n", (long long)transitions,
               (long long)row[count - 1].falls, row[count - 1].average_q, row[count - 1].score);
        (void)fflush(stdout);
    }
    return status;
}

tr_status tr_schedule_retrain(const tr_reproduction *given, const tr_run_row *run,
                              tr_error *error) {
    tr_schedule_settings settings = tr_schedule_settings_default();
    tr_schedule_training *training = NULL;
    tr_rerun rerun;
    tr_status status =
        tr_rerun_read(given, run, &tr_schedule_settings_table, &settings, &rerun, error);
    if (!status)
        status = begin(&rerun, &settings, &training, error);
    if (!status)
        status = train(&rerun, training, error);
    if (!status)
        status = tr_rerun_compare(&rerun, tr_schedule_training_best(training), error);
    tr_schedule_training_destroy(training);
    tr_rerun_deinit(&rerun);
    return status;
}
