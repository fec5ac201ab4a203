#include "tools/schedule/schedule_store.h"

#include "db/store/catalogue.h"
#include "db/tables/runs.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"
#include "tools/train/training_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double percent(int part, int whole) {
    return 100.0 * part / whole;
}

/* Stored metrics of each test, at most. */
enum { METRICS = 6 };

static void add_metric(const tr_schedule_row *row, const char *name, double value,
                       tr_run_metric *out, int *count) {
    tr_run_metric *metric = &out[(*count)++];
    *metric = (tr_run_metric){.iteration = row->transitions, .value = value};
    snprintf(metric->name, sizeof metric->name, "%s", name);
}

/* Returns their number. */
static int list_metrics(const tr_schedule_row *row, tr_run_metric out[METRICS]) {
    int count = 0;
    add_metric(row, "average_q", row->average_q, out, &count);
    add_metric(row, "score", row->score, out, &count);
    const tr_request_tally *r = &row->requests;
    if (r->planned > 0) {
        add_metric(row, "performed_percent", percent(r->performed, r->planned), out, &count);
        return count;
    }
    add_metric(row, "undisturbed_percent",
               percent(row->undisturbed.survived, row->undisturbed.trials), out, &count);
    add_metric(row, "low_percent", percent(row->low.survived, row->low.trials), out, &count);
    add_metric(row, "high_percent", percent(row->high.survived, row->high.trials), out, &count);
    add_metric(row, "back_percent", percent(row->low.back, row->low.trials), out, &count);
    return count;
}

static tr_status put_run(tr_catalogue *catalogue, const tr_schedule_result *r, tr_row_id *out_id,
                         tr_error *error) {
    tr_run_row run = {.seed = r->settings->seed,
                      .threads = r->threads,
                      .started_ns = r->started_ns,
                      .ended_ns = tr_now_ns(),
                      .parent_count = r->source->run_id != 0,
                      .parent = {r->source->run_id}};
    snprintf(run.name, sizeof run.name, "%s", r->name);
    snprintf(run.command, sizeof run.command, "%s", r->command);
    snprintf(run.code_version, sizeof run.code_version, "%s", TR_CODE_VERSION);
    tr_describe_host(run.host, sizeof run.host);
    tr_status status = tr_parameter_print(&tr_schedule_settings_table, r->settings, run.parameters,
                                          sizeof run.parameters);
    if (status)
        return tr_fail(error, status, "settings: %s", tr_status_text(status));
    tr_run_metric *metric = calloc((size_t)r->row_count * METRICS + 1, sizeof *metric);
    if (!metric)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "metrics: no memory");
    int count = 0;
    for (int i = 0; i < r->row_count; i++)
        count += list_metrics(&r->row[i], metric + count);
    tr_run_content content = {metric, count, NULL};
    status = tr_runs_put(catalogue, &run, &content, out_id, error);
    free(metric);
    return status;
}

static tr_status put_all(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const tr_schedule_result *r = context;
    tr_controller_entry entry = {.model_id = r->source->model_id, .clip_id = r->source->clip_id};
    tr_row_id id = 0;
    tr_controller renamed = *r->controller; /* a shallow copy under another name */
    snprintf(renamed.name, sizeof renamed.name, "%s", r->name);
    entry.controller = &renamed;
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = tr_training_remove_earlier(catalogue, r->name, error);
    if (!status)
        status = put_run(catalogue, r, &entry.run_id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return tr_catalogue_end(catalogue, status, error);
}

tr_status tr_schedule_store(const char *path, const tr_schedule_result *result, tr_error *error) {
    return tr_lead_change_catalogue(path, TR_CATALOGUE_WRITE, put_all, result, error);
}
