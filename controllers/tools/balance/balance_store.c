#include "tools/balance/balance_store.h"

#include "db/tables/controllers.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"
#include "tools/train/training_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stored metrics of each row. */
enum { METRICS = 2 };

static void list_metrics(const tr_balance_row *row, int index, tr_run_metric out[METRICS]) {
    const struct {
        const char *name;
        double value;
    } values[METRICS] = {
        {"held_mean_s", row->test.mean_s},
        {"held_percent", 100.0 * row->test.held / row->test.trials},
    };
    for (int i = 0; i < METRICS; i++) {
        out[i] = (tr_run_metric){.iteration = index, .value = values[i].value};
        snprintf(out[i].name, sizeof out[i].name, "%s", values[i].name);
    }
}

static tr_status add_section(const tr_sections *sections, const char *name, const char *role,
                             tr_run_inputs *out, tr_error *error) {
    const tr_section *section = tr_sections_find(sections, name);
    tr_run_input *input = &out->input[out->count];
    if (!section)
        return TR_OK;
    snprintf(input->role, sizeof input->role, "%s", role);
    input->content = malloc(section->size);
    if (!input->content)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "--from: no memory");
    memcpy(input->content, section->bytes, section->size);
    input->size = section->size;
    out->count++;
    return TR_OK;
}

/* Its sections, as inputs of the run. */
static tr_status add_from(const tr_controller *from, tr_run_inputs *out, tr_error *error) {
    tr_sections sections = {0};
    tr_status status = from->driver.kind->save(from->driver.content, &sections, error);
    if (!status)
        status = add_section(&sections, tr_balance_kind.name, TR_BALANCE_FROM, out, error);
    if (!status)
        status = add_section(&sections, tr_treading_kind.name, TR_BALANCE_FROM_STEPS, out, error);
    tr_sections_deinit(&sections);
    return status;
}

static tr_status put_run(tr_catalogue *catalogue, const tr_balance_result *r, tr_row_id *out_id,
                         tr_error *error) {
    int count = 0;
    const tr_balance_row *row = tr_balance_learning_rows(r->learning, &count);
    tr_run_row run = {.seed = r->settings->seed,
                      .threads = r->threads,
                      .started_ns = r->started_ns,
                      .ended_ns = tr_now_ns()};
    snprintf(run.name, sizeof run.name, "%s", r->name);
    snprintf(run.command, sizeof run.command, "%s", r->command);
    snprintf(run.code_version, sizeof run.code_version, "%s", TR_CODE_VERSION);
    tr_describe_host(run.host, sizeof run.host);
    tr_status status = tr_parameter_print(&tr_balance_settings_table, r->settings, run.parameters,
                                          sizeof run.parameters);
    if (status)
        return tr_fail(error, status, "settings: %s", tr_status_text(status));
    tr_run_metric *metric = calloc((size_t)count * METRICS + 1, sizeof *metric);
    if (!metric)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "metrics: no memory");
    for (int i = 0; i < count; i++)
        list_metrics(&row[i], i, metric + (size_t)i * METRICS);
    tr_run_inputs inputs = {0};
    if (r->from)
        status = add_from(r->from, &inputs, error);
    tr_run_content content = {metric, count * METRICS, &inputs};
    if (!status)
        status = tr_runs_put(catalogue, &run, &content, out_id, error);
    tr_run_inputs_deinit(&inputs);
    free(metric);
    return status;
}

static tr_status put_all(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const tr_balance_result *r = context;
    tr_controller_entry entry = {0};
    tr_row_id id = 0;
    tr_controller named = *tr_balance_learning_best(r->learning); /* a shallow copy */
    snprintf(named.name, sizeof named.name, "%s", r->name);
    entry.controller = &named;
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = tr_training_remove_earlier(catalogue, r->name, error);
    if (!status)
        status = tr_training_put_model(catalogue, r->model_path, r->model, &entry.model_id, error);
    if (!status)
        status = put_run(catalogue, r, &entry.run_id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return tr_catalogue_end(catalogue, status, error);
}

tr_status tr_balance_store(const char *path, const tr_balance_result *result, tr_error *error) {
    return tr_lead_change_catalogue(path, TR_CATALOGUE_CREATE, put_all, result, error);
}
