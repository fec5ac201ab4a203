#include "tools/again/balance_retraining.h"

#include "learn/balance/balance_learning.h"
#include "tools/again/rerun.h"

#include <stdio.h>
#include <string.h>

bool tr_balance_record_is(const tr_run_row *run) {
    return strstr(run->command, " balance learn ") != NULL;
}

static tr_status train(const tr_rerun *r, tr_balance_learning *learning, tr_error *error) {
    tr_status status = TR_OK;
    for (int64_t i = 0; !status && i <= r->last && !tr_balance_learning_is_done(learning); i++) {
        tr_balance_row row;
        status = tr_balance_learning_advance(learning, &row, error);
        if (status)
            break;
        printf("%-10s %4d  %3d of %d hold 60 s, mean %4.1f s\n", row.phase, row.iteration,
               row.test.held, row.test.trials, row.test.mean_s);
        (void)fflush(stdout);
    }
    return status ? status : tr_balance_learning_finish(learning, error);
}

tr_status tr_balance_retrain(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    if (strstr(run->command, " --from ") || strstr(run->command, " --stance "))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "run '%s' began at the policy or the stance of another controller (--from, "
                       "--stance), which its record does not keep",
                       run->name);
    tr_balance_settings settings = tr_balance_settings_default();
    tr_balance_learning *learning = NULL;
    tr_rerun rerun;
    tr_status status =
        tr_rerun_read(given, run, &tr_balance_settings_table, &settings, &rerun, error);
    if (!status)
        status = tr_balance_learning_create(rerun.model, &settings, NULL, given->threads, &learning,
                                            error);
    if (!status)
        status = train(&rerun, learning, error);
    if (!status)
        status = tr_rerun_compare(&rerun, tr_balance_learning_best(learning), error);
    tr_balance_learning_destroy(learning);
    tr_rerun_deinit(&rerun);
    return status;
}
