#include "db/tables/runs.h"

#include "db/store/rows.h"
#include "db/tables/inputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static tr_status read_parents(tr_catalogue *catalogue, void *row, tr_error *error);

static const tr_table_column columns[] = {
    TR_COLUMNS_KEY(tr_run_row),
    TR_COLUMN_WITH(tr_run_row, TEXT, method, .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_WITH(tr_run_row, TEXT, given, .left_out = TR_NOT_DIGESTED),
    TR_COLUMN(tr_run_row, TEXT, command),
    TR_COLUMN(tr_run_row, TEXT, parameters),
    TR_COLUMN(tr_run_row, INT64, seed),
    TR_COLUMN_WITH(tr_run_row, INT, threads, .low = 1, .high = INT_MAX),
    TR_COLUMN(tr_run_row, TEXT, code_version),
    TR_COLUMN(tr_run_row, TEXT, host),
    TR_COLUMN_WITH(tr_run_row, INT64, started_ns, .low = 0, .high = (double)INT64_MAX),
    TR_COLUMN_WITH(tr_run_row, INT64, ended_ns, .low = 0, .high = (double)INT64_MAX),
    TR_COLUMN_FOUND(tr_run_row, INT, metric_count,
                    "(SELECT count(*) FROM run_metric WHERE run = run.id)", 0, TR_RUN_METRIC_MAX),
};

const tr_table tr_run_columns =
    TR_TABLE(tr_run_row, "run", TR_NOUN_RUN, columns, .version = "run 1", .complete = read_parents);

typedef struct parent_row {
    tr_row_id id;
    int position;
} parent_row;

static const tr_table_column parent_columns[] = {
    TR_COLUMN_AS(parent_row, ID, id, "parent", .noun = TR_NOUN_RUN),
    TR_COLUMN_WITH(parent_row, INT, position, .low = 0, .high = TR_RUN_PARENT_MAX - 1,
                   .left_out = TR_NOT_DIGESTED),
};

const tr_table tr_run_parent_columns =
    TR_TABLE(parent_row, "run_parent", TR_NOUN_NONE, parent_columns, .owner = "run");

static const tr_table_column metric_columns[] = {
    TR_COLUMN(tr_run_metric, INT64, iteration),
    TR_COLUMN(tr_run_metric, NAME, name),
    TR_COLUMN(tr_run_metric, DOUBLE, value),
};

const tr_table tr_run_metric_columns =
    TR_TABLE(tr_run_metric, "run_metric", TR_NOUN_NONE, metric_columns, .owner = "run");

/* --- checks --- */

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
    tr_status status = tr_columns_check(&tr_run_columns, run, error);
    if (!status)
        status = check_parents(run, error);
    if (!status && run->ended_ns < run->started_ns)
        status =
            tr_fail(error, TR_INVALID_ARGUMENT,
                    "run '%s': started_ns, ended_ns: expected 0 <= started <= ended", run->name);
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
        tr_status status = tr_columns_check(&tr_run_metric_columns, &out->metric[i], error);
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

static void list_parents(const tr_run_row *run, parent_row *out) {
    for (int i = 0; i < run->parent_count; i++)
        out[i] = (parent_row){run->parent[i], i};
}

static tr_status digest_run(tr_catalogue *catalogue, const tr_run_row *run,
                            const sorted_content *content, tr_digest *out, tr_error *error) {
    parent_row parents[TR_RUN_PARENT_MAX];
    tr_digest_writer writer = tr_digest_begin(tr_run_columns.version);
    list_parents(run, parents);
    tr_status status = tr_columns_digest(catalogue, &tr_run_columns, run, &writer, error);
    if (!status)
        status = tr_columns_digest_all(catalogue, &tr_run_parent_columns, parents,
                                       run->parent_count, &writer, error);
    if (!status)
        status = tr_columns_digest_all(catalogue, &tr_run_metric_columns, content->metric,
                                       content->count, &writer, error);
    tr_inputs_digest(content->inputs, &writer);
    return tr_rows_end_digest(&tr_run_columns, &writer, status, out, error);
}

/* --- put --- */

/* Call within a bracket. */
static tr_status put_run(tr_catalogue *catalogue, const tr_run_row *run,
                         const sorted_content *content, tr_row_id *out_id, tr_error *error) {
    parent_row parents[TR_RUN_PARENT_MAX];
    tr_run_row row = *run;
    list_parents(run, parents);
    tr_status status = digest_run(catalogue, run, content, &row.digest, error);
    if (!status)
        status = tr_rows_claim(catalogue, &tr_run_columns, &row, out_id, error);
    if (status || *out_id)
        return status;
    status = tr_columns_insert(catalogue, &tr_run_columns, &row, out_id, error);
    if (!status)
        status = tr_columns_insert_all(catalogue, &tr_run_parent_columns, *out_id, parents,
                                       run->parent_count, error);
    if (!status)
        status = tr_columns_insert_all(catalogue, &tr_run_metric_columns, *out_id, content->metric,
                                       content->count, error);
    return status ? status : tr_inputs_put(catalogue, *out_id, content->inputs, error);
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

static tr_status read_parents(tr_catalogue *catalogue, void *row, tr_error *error) {
    tr_run_row *out = row;
    parent_row parents[TR_RUN_PARENT_MAX + 1];
    int count = TR_RUN_PARENT_MAX + 1;
    tr_query query = tr_columns_select(catalogue, &tr_run_parent_columns,
                                       "WHERE run = ? ORDER BY position", error);
    tr_query_bind_int(&query, out->id);
    tr_status status = tr_rows_collect(catalogue, &query, &tr_run_parent_columns, parents, &count);
    if (!status && count > TR_RUN_PARENT_MAX)
        status = tr_fail(error, TR_DATA_LOSS, "run '%s': too many parents", out->name);
    for (int i = 0; !status && i < count; i++)
        out->parent[out->parent_count++] = parents[i].id;
    return status;
}

tr_status tr_runs_get(tr_catalogue *catalogue, tr_row_id id, tr_run_row *out, tr_error *error) {
    return tr_rows_get(catalogue, &tr_run_columns, id, out, error);
}

tr_status tr_runs_find(tr_catalogue *catalogue, const char *name, tr_run_row *out,
                       tr_error *error) {
    return tr_rows_get_named(catalogue, &tr_run_columns, name, out, error);
}

tr_status tr_runs_list(tr_catalogue *catalogue, const tr_run_filter *filter, tr_run_row *out_rows,
                       int *count, tr_error *error) {
    const tr_run_filter f = filter ? *filter : (tr_run_filter){0};
    tr_query query = tr_rows_list(
        catalogue, &tr_run_columns, &(tr_row_range){f.after, f.prefix, *count},
        "AND (?4 IS NULL OR id IN (SELECT run FROM run_parent WHERE parent = ?4))", error);
    tr_query_bind_id(&query, f.parent);
    return tr_rows_collect(catalogue, &query, &tr_run_columns, out_rows, count);
}

/* --- metrics --- */

static tr_status read_metrics(tr_catalogue *catalogue, const tr_metric_filter *filter,
                              tr_run_metric *out_metrics, int *count, tr_error *error) {
    tr_query query = tr_columns_select(catalogue, &tr_run_metric_columns,
                                       "WHERE run = ?1 AND (?2 IS NULL OR name = ?2) "
                                       "ORDER BY iteration, name LIMIT ?3 OFFSET ?4",
                                       error);
    tr_query_bind_int(&query, filter->run);
    tr_query_bind_text(&query, filter->name);
    tr_query_bind_int(&query, *count);
    tr_query_bind_int(&query, filter->first);
    return tr_rows_collect(catalogue, &query, &tr_run_metric_columns, out_metrics, count);
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
        status = tr_rows_compare(&tr_run_columns, run, &digest, error);
    free(sorted.metric);
    return status;
}

static tr_status verify_run(tr_catalogue *catalogue, const void *row, tr_error *error) {
    const tr_run_row *run = row;
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
    return tr_rows_each(catalogue, &tr_run_columns, "id", verify_run, error);
}
