#include "db/tables/runs.h"

#include "db/store/rows.h"
#include "db/store/text.h"
#include "db/tables/inputs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_SELECT                                                                                 \
    "SELECT id, name, digest, method, given, command, parameters, seed, threads, code_version, "   \
    "host, started_ns, ended_ns, (SELECT count(*) FROM run_metric WHERE run = run.id) FROM run "

/* --- checks --- */

static tr_status check_texts(const tr_run_row *run, tr_error *error) {
    tr_status status = tr_text_check_name("run name", run->name, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check("run method", run->method, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check("run given", run->given, TR_SHORT_TEXT_MAX, error);
    if (!status)
        status = tr_text_check("run command", run->command, TR_RUN_COMMAND_MAX, error);
    if (!status)
        status = tr_text_check("run parameters", run->parameters, TR_RUN_PARAMETERS_MAX, error);
    if (!status)
        status = tr_text_check("run code_version", run->code_version, TR_SHORT_TEXT_MAX, error);
    if (!status)
        status = tr_text_check("run host", run->host, TR_SHORT_TEXT_MAX, error);
    return status;
}

static tr_status check_parents(const tr_run_row *run, tr_error *error) {
    if (run->parent_count < 0 || run->parent_count > TR_RUN_PARENT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "run '%s': parent_count: expected 0 to %d",
                       run->name, TR_RUN_PARENT_MAX);
    for (int i = 0; i < run->parent_count; i++)
        for (int j = 0; j < i; j++)
            if (run->parent[i] == run->parent[j])
                return tr_fail(error, TR_INVALID_ARGUMENT, "run '%s': parent: named twice",
                               run->name);
    return TR_OK;
}

static tr_status check_run(const tr_run_row *run, tr_error *error) {
    tr_status status = check_texts(run, error);
    if (!status)
        status = check_parents(run, error);
    if (status)
        return status;
    if (run->threads < 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "run '%s': threads: expected at least 1",
                       run->name);
    if (run->started_ns < 0 || run->ended_ns < run->started_ns)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "run '%s': started_ns, ended_ns: expected 0 <= started <= ended", run->name);
    return TR_OK;
}

static tr_status check_metric(const tr_run_metric *metric, tr_error *error) {
    tr_status status = tr_text_check_name("metric name", metric->name, TR_METRIC_NAME_MAX, error);
    if (!status && !isfinite(metric->value))
        return tr_fail(error, TR_INVALID_ARGUMENT, "metric '%s' %lld: expected a finite value",
                       metric->name, (long long)metric->iteration);
    return status;
}

/* --- metrics in their order, and inputs --- */

typedef struct sorted_content {
    tr_run_metric *metric; /* [count], by iteration and name; owned */
    int count;
    const tr_run_inputs *inputs; /* borrowed; NULL: none */
} sorted_content;

static int compare_metrics(const void *a, const void *b) {
    const tr_run_metric *x = a, *y = b;
    if (x->iteration != y->iteration)
        return x->iteration < y->iteration ? -1 : 1;
    return strcmp(x->name, y->name);
}

static tr_status sort_metrics(const tr_run_content *content, sorted_content *out, tr_error *error) {
    *out = (sorted_content){.inputs = content ? content->inputs : NULL};
    if (!content || content->metric_count == 0)
        return TR_OK;
    if (content->metric_count < 0 || content->metric_count > TR_RUN_METRIC_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "metrics: expected 0 to %d values",
                       TR_RUN_METRIC_MAX);
    size_t count = (size_t)content->metric_count;
    out->metric = malloc(count * sizeof *out->metric);
    if (!out->metric)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "metrics: no memory to sort them");
    memcpy(out->metric, content->metric, count * sizeof *out->metric);
    for (size_t i = 0; i < count; i++) {
        tr_status status = check_metric(&out->metric[i], error);
        if (status)
            return status;
        out->metric[i].value += 0.0; /* -0 is kept as 0 by SQLite */
    }
    qsort(out->metric, count, sizeof *out->metric, compare_metrics);
    for (size_t i = 1; i < count; i++)
        if (compare_metrics(&out->metric[i - 1], &out->metric[i]) == 0)
            return tr_fail(error, TR_INVALID_ARGUMENT, "metric '%s' %lld: named twice",
                           out->metric[i].name, (long long)out->metric[i].iteration);
    out->count = content->metric_count;
    return TR_OK;
}

/* --- digest --- */

static tr_status digest_parents(tr_catalogue *catalogue, const tr_run_row *run,
                                tr_digest_writer *writer, tr_error *error) {
    tr_status status = TR_OK;
    tr_digest_add_int(writer, run->parent_count);
    for (int i = 0; !status && i < run->parent_count; i++) {
        tr_digest parent = {{0}};
        status = tr_rows_digest(catalogue, TR_NOUN_RUN, run->parent[i], &parent, error);
        tr_digest_add_digest(writer, &parent);
    }
    return status;
}

static void digest_content(const sorted_content *content, tr_digest_writer *writer) {
    tr_digest_add_int(writer, content->count);
    for (int i = 0; i < content->count; i++) {
        tr_digest_add_int(writer, content->metric[i].iteration);
        tr_digest_add_text(writer, content->metric[i].name);
        tr_digest_add_double(writer, content->metric[i].value);
    }
    tr_inputs_digest(content->inputs, writer);
}

static tr_status digest_run(tr_catalogue *catalogue, const tr_run_row *run,
                            const sorted_content *content, tr_digest *out, tr_error *error) {
    tr_digest_writer writer = tr_digest_begin("run 1");
    tr_digest_add_text(&writer, run->command);
    tr_digest_add_text(&writer, run->parameters);
    tr_digest_add_int(&writer, (int64_t)run->seed);
    tr_digest_add_int(&writer, run->threads);
    tr_digest_add_text(&writer, run->code_version);
    tr_digest_add_text(&writer, run->host);
    tr_digest_add_int(&writer, run->started_ns);
    tr_digest_add_int(&writer, run->ended_ns);
    tr_status status = digest_parents(catalogue, run, &writer, error);
    digest_content(content, &writer);
    tr_digest digest;
    tr_status ended = tr_digest_end(&writer, &digest);
    if (!status && ended)
        status = tr_fail(error, ended, "run '%s': no memory for its digest", run->name);
    if (!status)
        *out = digest;
    return status;
}

/* --- put --- */

static tr_status insert_row(tr_catalogue *catalogue, const tr_run_row *run, const tr_digest *digest,
                            tr_row_id *out_id, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO run (name, digest, method, given, command, parameters, seed, threads, "
        "code_version, host, started_ns, ended_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    tr_query_bind_text(&query, run->name);
    tr_query_bind_digest(&query, digest);
    tr_query_bind_text(&query, run->method);
    tr_query_bind_text(&query, run->given);
    tr_query_bind_text(&query, run->command);
    tr_query_bind_text(&query, run->parameters);
    tr_query_bind_int(&query, (int64_t)run->seed);
    tr_query_bind_int(&query, run->threads);
    tr_query_bind_text(&query, run->code_version);
    tr_query_bind_text(&query, run->host);
    tr_query_bind_int(&query, run->started_ns);
    tr_query_bind_int(&query, run->ended_ns);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

static tr_status insert_parents(tr_catalogue *catalogue, const tr_run_row *run, tr_row_id id,
                                tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "INSERT INTO run_parent (run, parent, position) VALUES (?, ?, ?)", error);
    for (int i = 0; i < run->parent_count; i++) {
        tr_query_bind_int(&query, id);
        tr_query_bind_int(&query, run->parent[i]);
        tr_query_bind_int(&query, i);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

static tr_status insert_metrics(tr_catalogue *catalogue, const sorted_content *metrics,
                                tr_row_id id, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "INSERT INTO run_metric (run, iteration, name, value) VALUES (?, ?, ?, ?)",
        error);
    for (int i = 0; i < metrics->count; i++) {
        tr_query_bind_int(&query, id);
        tr_query_bind_int(&query, metrics->metric[i].iteration);
        tr_query_bind_text(&query, metrics->metric[i].name);
        tr_query_bind_double(&query, metrics->metric[i].value);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

/* Call within a bracket. */
static tr_status put_run(tr_catalogue *catalogue, const tr_run_row *run,
                         const sorted_content *content, tr_row_id *out_id, tr_error *error) {
    tr_digest digest;
    tr_status status = digest_run(catalogue, run, content, &digest, error);
    if (!status)
        status =
            tr_rows_claim(catalogue, &(tr_row_key){TR_NOUN_RUN, run->name, &digest}, out_id, error);
    if (status || *out_id)
        return status;
    status = insert_row(catalogue, run, &digest, out_id, error);
    if (!status)
        status = insert_parents(catalogue, run, *out_id, error);
    if (!status)
        status = insert_metrics(catalogue, content, *out_id, error);
    if (!status)
        status = tr_inputs_put(catalogue, *out_id, content->inputs, error);
    return status;
}

tr_status tr_runs_put(tr_catalogue *catalogue, const tr_run_row *run, const tr_run_content *content,
                      tr_row_id *out_id, tr_error *error) {
    sorted_content sorted = {0};
    tr_row_id id = 0;
    bool outermost = false;
    tr_status status = check_run(run, error);
    if (!status && content)
        status = tr_inputs_check(content->inputs, error);
    if (!status)
        status = sort_metrics(content, &sorted, error);
    if (!status)
        status = tr_database_enter(catalogue, &outermost, error);
    if (!status) {
        status = put_run(catalogue, run, &sorted, &id, error);
        status = tr_database_leave(catalogue, outermost, status, error);
    }
    free(sorted.metric);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get, list --- */

static void read_parents(tr_catalogue *catalogue, tr_query *row, tr_run_row *out) {
    if (row->status)
        return;
    tr_query query = tr_query_begin(
        catalogue, "SELECT parent FROM run_parent WHERE run = ? ORDER BY position", row->error);
    tr_query_bind_int(&query, out->id);
    out->parent_count = 0;
    while (tr_query_next(&query)) {
        if (out->parent_count == TR_RUN_PARENT_MAX)
            tr_query_fail(&query, TR_DATA_LOSS, "run: too many parents");
        else
            out->parent[out->parent_count++] = tr_query_id(&query);
    }
    row->status = tr_query_end(&query);
}

static void read_run(tr_catalogue *catalogue, tr_query *query, tr_run_row *out) {
    *out = (tr_run_row){0};
    out->id = tr_query_id(query);
    tr_query_text(query, out->name, sizeof out->name);
    out->digest = tr_query_digest(query);
    tr_query_text(query, out->method, sizeof out->method);
    tr_query_text(query, out->given, sizeof out->given);
    tr_query_text(query, out->command, sizeof out->command);
    tr_query_text(query, out->parameters, sizeof out->parameters);
    out->seed = (uint64_t)tr_query_int64(query);
    out->threads = tr_query_int(query, 1, INT_MAX);
    tr_query_text(query, out->code_version, sizeof out->code_version);
    tr_query_text(query, out->host, sizeof out->host);
    out->started_ns = tr_query_int64(query);
    out->ended_ns = tr_query_int64(query);
    out->metric_count = tr_query_int(query, 0, TR_RUN_METRIC_MAX);
    read_parents(catalogue, query, out);
}

tr_status tr_runs_get(tr_catalogue *catalogue, tr_row_id id, tr_run_row *out, tr_error *error) {
    tr_run_row row = {0};
    tr_query query = tr_query_begin(catalogue, RUN_SELECT "WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    if (found)
        read_run(catalogue, &query, &row);
    tr_status status = tr_rows_end(&query, TR_NOUN_RUN, id, found);
    if (!status)
        *out = row;
    return status;
}

tr_status tr_runs_find(tr_catalogue *catalogue, const char *name, tr_run_row *out,
                       tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_find(catalogue, TR_NOUN_RUN, name, &id, error);
    return status ? status : tr_runs_get(catalogue, id, out, error);
}

tr_status tr_runs_list(tr_catalogue *catalogue, const tr_run_filter *filter, tr_run_row *out_rows,
                       int *count, tr_error *error) {
    tr_run_filter all = {0};
    if (!filter)
        filter = &all;
    tr_status status = tr_rows_check_room(*count, TR_LIST_MAX, error);
    if (status)
        return status;
    tr_query query = tr_query_begin(
        catalogue,
        RUN_SELECT "WHERE (?1 IS NULL OR name > ?1) "
                   "AND (?2 IS NULL OR substr(name, 1, length(?2)) = ?2) "
                   "AND (?3 IS NULL OR id IN (SELECT run FROM run_parent WHERE parent = ?3)) "
                   "ORDER BY name LIMIT ?4",
        error);
    tr_query_bind_text(&query, filter->after);
    tr_query_bind_text(&query, filter->prefix);
    tr_query_bind_id(&query, filter->parent);
    tr_query_bind_int(&query, *count);
    int rows = 0;
    while (tr_query_next(&query))
        read_run(catalogue, &query, &out_rows[rows++]);
    status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
}

/* --- metrics --- */

static tr_status read_metrics(tr_catalogue *catalogue, const tr_metric_filter *filter,
                              tr_run_metric *out_metrics, int *count, tr_error *error) {
    tr_query query = tr_query_begin(catalogue,
                                    "SELECT iteration, name, value FROM run_metric WHERE run = ?1 "
                                    "AND (?2 IS NULL OR name = ?2) "
                                    "ORDER BY iteration, name LIMIT ?3 OFFSET ?4",
                                    error);
    tr_query_bind_int(&query, filter->run);
    tr_query_bind_text(&query, filter->name);
    tr_query_bind_int(&query, *count);
    tr_query_bind_int(&query, filter->first);
    int rows = 0;
    while (tr_query_next(&query)) {
        tr_run_metric *metric = &out_metrics[rows++];
        metric->iteration = tr_query_int64(&query);
        tr_query_text(&query, metric->name, sizeof metric->name);
        metric->value = tr_query_double(&query);
    }
    tr_status status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
}

tr_status tr_runs_metrics(tr_catalogue *catalogue, const tr_metric_filter *filter,
                          tr_run_metric *out_metrics, int *count, tr_error *error) {
    tr_digest digest;
    tr_status status = tr_rows_check_room(*count, TR_RUN_METRIC_MAX, error);
    if (!status && filter->first < 0)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "first: expected 0 or more");
    if (!status)
        status = tr_rows_digest(catalogue, TR_NOUN_RUN, filter->run, &digest, error);
    if (!status)
        status = read_metrics(catalogue, filter, out_metrics, count, error);
    return status;
}

tr_status tr_runs_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    return tr_rows_remove(catalogue, TR_NOUN_RUN, id, error);
}

/* --- verification --- */

/* Checks that the digest is that of the row with this content. */
static tr_status compare_run(tr_catalogue *catalogue, const tr_run_row *run,
                             const tr_run_content *content, tr_error *error) {
    sorted_content sorted = {0};
    tr_digest digest;
    tr_status status = tr_inputs_check(content->inputs, error);
    if (!status)
        status = sort_metrics(content, &sorted, error);
    if (!status)
        status = digest_run(catalogue, run, &sorted, &digest, error);
    if (!status)
        status =
            tr_rows_compare(&(tr_row_key){TR_NOUN_RUN, run->name, &run->digest}, &digest, error);
    free(sorted.metric);
    return status;
}

static tr_status verify_run(tr_catalogue *catalogue, const tr_run_row *run, tr_error *error) {
    tr_status status = check_run(run, error);
    for (int i = 0; !status && i < run->parent_count; i++)
        if (run->parent[i] >= run->id)
            status = tr_fail(error, TR_DATA_LOSS, "run '%s': its parent is a later run", run->name);
    if (status)
        return status;
    tr_run_metric *metric = malloc((size_t)(run->metric_count + 1) * sizeof *metric);
    if (!metric)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "run '%s': no memory for its metrics",
                       run->name);
    tr_metric_filter filter = {.run = run->id};
    tr_run_inputs inputs = {0};
    int count = run->metric_count + 1;
    status = read_metrics(catalogue, &filter, metric, &count, error);
    if (!status)
        status = tr_runs_inputs(catalogue, run->id, &inputs, error);
    if (!status)
        status = compare_run(catalogue, run, &(tr_run_content){metric, count, &inputs}, error);
    tr_run_inputs_deinit(&inputs);
    free(metric);
    return status;
}

tr_status tr_runs_verify(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, RUN_SELECT "ORDER BY id", error);
    while (tr_query_next(&query)) {
        tr_run_row row;
        read_run(catalogue, &query, &row);
        if (!query.status)
            query.status = verify_run(catalogue, &row, error);
    }
    return tr_query_end(&query);
}
