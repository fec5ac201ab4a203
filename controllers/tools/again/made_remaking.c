#include "tools/again/made_remaking.h"

#include "tools/again/rerun.h"
#include "tools/balance/maker.h"

tr_status tr_made_remake(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    const tr_maker *maker = tr_maker_find(run->method);
    tr_parameter row[TR_MAKER_ROWS];
    const tr_parameter_table table = maker->table(row);
    tr_maker_settings settings;
    tr_controller *made = NULL;
    tr_rerun rerun;
    maker->reset(&settings);
    tr_status status = tr_rerun_read(given, run, &table, &settings, &rerun, error);
    if (!status)
        status = maker->create(rerun.model, &settings, &made, error);
    if (!status)
        status = tr_rerun_compare(&rerun, made, error);
    tr_controller_destroy(made);
    tr_rerun_deinit(&rerun);
    return status;
}
