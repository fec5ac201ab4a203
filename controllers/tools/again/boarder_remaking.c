#include "tools/again/boarder_remaking.h"

#include "learn/balance/boarder.h"
#include "tools/again/rerun.h"

#include <string.h>

bool tr_boarder_record_is(const tr_run_row *run) {
    return strstr(run->command, " balance board ") != NULL;
}

tr_status tr_boarder_remake(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    tr_parameter row[TR_BOARDER_SETTINGS];
    const tr_parameter_table table = tr_boarder_settings_table(row);
    tr_boarder_settings settings = tr_boarder_settings_default();
    tr_controller *made = NULL;
    tr_rerun rerun;
    tr_status status = tr_rerun_read(given, run, &table, &settings, &rerun, error);
    if (!status)
        status = tr_boarder_create(rerun.model, &settings, &made, error);
    if (!status)
        status = tr_rerun_compare(&rerun, made, error);
    tr_controller_destroy(made);
    tr_rerun_deinit(&rerun);
    return status;
}
