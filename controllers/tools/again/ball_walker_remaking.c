#include "tools/again/ball_walker_remaking.h"

#include "learn/balance/ball_walker.h"
#include "tools/again/rerun.h"

#include <string.h>

bool tr_ball_walker_record_is(const tr_run_row *run) {
    return strstr(run->command, " balance walk ") != NULL;
}

tr_status tr_ball_walker_remake(const tr_reproduction *given, const tr_run_row *run,
                                tr_error *error) {
    tr_parameter row[TR_BALL_WALKER_SETTINGS];
    const tr_parameter_table table = tr_ball_walker_settings_table(row);
    tr_ball_walker_settings settings = tr_ball_walker_settings_default();
    tr_controller *made = NULL;
    tr_rerun rerun;
    tr_status status = tr_rerun_read(given, run, &table, &settings, &rerun, error);
    if (!status)
        status = tr_ball_walker_create(rerun.model, &settings, &made, error);
    if (!status)
        status = tr_rerun_compare(&rerun, made, error);
    tr_controller_destroy(made);
    tr_rerun_deinit(&rerun);
    return status;
}
