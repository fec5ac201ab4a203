#include "tools/again/rerun.h"

#include "db/tables/models.h"
#include "model/mjcf.h"
#include "tools/train/run_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static tr_status read_parameters(const tr_run_row *run, const tr_parameter_table *table,
                                 void *settings, tr_error *error) {
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    tr_status status = TR_OK;
    memcpy(text, run->parameters, sizeof text);
    while (!status && tr_run_next_parameter(&rest, name, &value))
        status =
            name[0] ? tr_parameter_set(table, settings, name, value, error)
                    : tr_fail(error, TR_DATA_LOSS, "parameters: '%.60s' is not a parameter", value);
    if (!status)
        return TR_OK;
    const tr_error cause = *error;
    return tr_fail(error, status, "run '%s': %s", run->name, cause.message);
}

static tr_status read_last(tr_rerun *r, tr_error *error) {
    r->last = -1;
    if (r->run->metric_count == 0)
        return TR_OK;
    const tr_metric_filter filter = {.run = r->run->id, .first = r->run->metric_count - 1};
    tr_run_metric metric;
    int count = 1;
    tr_status status = tr_runs_metrics(r->given->catalogue, &filter, &metric, &count, error);
    if (!status)
        r->last = metric.iteration;
    return status;
}

tr_status tr_rerun_read(const tr_reproduction *given, const tr_run_row *run,
                        const tr_parameter_table *table, void *settings, tr_rerun *out,
                        tr_error *error) {
    tr_controller_row row;
    *out = (tr_rerun){.given = given, .run = run};
    tr_status status = read_parameters(run, table, settings, error);
    if (!status)
        status = read_last(out, error);
    if (!status)
        status = tr_run_find_controller(given->catalogue, run, &row, error);
    if (!status)
        status = tr_models_load(given->catalogue, row.model_id, &out->model, error);
    if (!status)
        status = tr_controllers_load(given->catalogue, row.id, out->model, &out->was, error);
    return status;
}

void tr_rerun_deinit(tr_rerun *rerun) {
    tr_controller_destroy(rerun->was);
    tr_model_destroy(rerun->model);
    *rerun = (tr_rerun){0};
}

tr_status tr_rerun_compare(const tr_rerun *r, const tr_controller *is, tr_error *error) {
    const uint64_t hash = tr_controller_hash(is, r->model);
    if (tr_controller_hash(r->was, r->model) != hash)
        return tr_fail(error, TR_ABORTED, "run '%s': not the same", r->run->name);
    printf("controller '%s': bit-identical, hash %016" PRIx64 "\n", r->was->name, hash);
    return TR_OK;
}
