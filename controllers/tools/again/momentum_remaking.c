#include "tools/again/momentum_remaking.h"

#include "tools/again/rerun.h"
#include "tools/balance/momentum_settings.h"

/* The stance is the one in which the controller is spawned. */
tr_status tr_momentum_remake(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    tr_parameter row[TR_MOMENTUM_SETTINGS];
    const tr_parameter_table table = tr_momentum_settings_table(row);
    tr_momentum_settings settings = tr_momentum_settings_default();
    tr_controller *made = NULL;
    tr_rerun rerun;
    tr_status status = tr_rerun_read(given, run, &table, &settings, &rerun, error);
    if (!status)
        status = tr_momentum_settings_make(&settings, rerun.was, rerun.model, &made, error);
    if (!status)
        status = tr_rerun_compare(&rerun, made, error);
    tr_controller_destroy(made);
    tr_rerun_deinit(&rerun);
    return status;
}
