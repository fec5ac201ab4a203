#include "db/tables/runs.h"

#include "db/store/lists.h"
#include "db/store/rows.h"
#include "db/store/text.h"
#include "db/tables/sections.h"

#include <limits.h>
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

static tr_status check_run(const void *row, tr_error *error) {
    const tr_run_row *run = row;
    tr_status status = check_parents(run, error);
    if (!status && run->ended_ns < run->started_ns)
        status =
            tr_fail(error, TR_INVALID_ARGUMENT,
                    "run '%s': started_ns, ended_ns: expected 0 <= started <= ended", run->name);
    return status;
}

static tr_status verify_run(tr_catalogue *catalogue, const void *row, tr_error *error);

const tr_table tr_run_columns =
    TR_TABLE(tr_run_row, "run", TR_NOUN_RUN, columns, .version = "run 1", .check = check_run,
             .complete = read_parents, .verify = verify_run);

typedef struct parent_row {
    tr_row_id id;
    int position;
} parent_row;

static const tr_table_column parent_columns[] = {
    TR_COLUMN_WITH(parent_row, INT, position, .low = 0, .high = TR_RUN_PARENT_MAX - 1,
                   .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_AS(parent_row, ID, id, "parent", .noun = TR_NOUN_RUN),
};

const tr_table tr_run_parent_columns =
    TR_TABLE(parent_row, "run_parent", TR_NOUN_NONE, parent_columns, .owner = "run", .key_count = 1,
             .most = TR_RUN_PARENT_MAX);

static const tr_table_column metric_columns[] = {
    TR_COLUMN(tr_run_metric, INT64, iteration),
    TR_COLUMN(tr_run_metric, NAME, name),
    TR_COLUMN(tr_run_metric, DOUBLE, value),
};

const tr_table tr_run_metric_columns =
    TR_TABLE(tr_run_metric, "run_metric", TR_NOUN_NONE, metric_columns, .owner = "run",
             .key_count = 2, .most = TR_RUN_METRIC_MAX);

/* --- put --- */

/* Puts them in order. */
static tr_status check_inputs(tr_sections *inputs, tr_error *error) {
    tr_status status = TR_OK;
    if (inputs->count < 0 || inputs->count > TR_RUN_INPUT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "run inputs: expected 0 to %d",
                       TR_RUN_INPUT_MAX);
    tr_sections_sort(inputs);
    for (int i = 0; !status && i < inputs->count; i++) {
        const tr_section *input = &inputs->section[i];
        status = tr_text_check_name("run input", input->name, TR_RUN_ROLE_MAX, error);
        if (!status && (input->size < 1 || input->size > TR_RUN_INPUT_BYTES_MAX))
            status = tr_fail(error, TR_INVALID_ARGUMENT, "run input '%s': expected 1 to %d bytes",
                             input->name, TR_RUN_INPUT_BYTES_MAX);
        if (!status && i > 0 && strcmp(inputs->section[i - 1].name, input->name) == 0)
            status =
                tr_fail(error, TR_INVALID_ARGUMENT, "run input '%s': given twice", input->name);
    }
    return status;
}

static void list_parents(const tr_run_row *run, parent_row *out) {
    for (int i = 0; i < run->parent_count; i++)
        out[i] = (parent_row){run->parent[i], i};
}

/* lists: of the parents and of the metrics, in order */
static tr_status digest_run(tr_catalogue *catalogue, const tr_run_row *run,
                            const tr_row_list lists[2], const tr_sections *inputs, tr_digest *out,
                            tr_error *error) {
    tr_digest_writer writer = tr_digest_begin(tr_run_columns.version);
    tr_columns_digest(catalogue, &tr_run_columns, run, &writer, error);
    tr_lists_digest(catalogue, lists, 2, &writer, error);
    if (inputs->count > 0) {
        tr_digest_add_int(&writer, inputs->count);
        tr_sections_digest(inputs, &writer);
    }
    return tr_rows_end_digest(&tr_run_columns, &writer, out, error);
}

/* Call within a bracket. */
static tr_status put_run(tr_catalogue *catalogue, const tr_run_row *run, const tr_row_list lists[2],
                         const tr_sections *inputs, tr_row_id *out_id, tr_error *error) {
    tr_run_row row = *run;
    tr_status status = digest_run(catalogue, run, lists, inputs, &row.digest, error);
    if (!status)
        status = tr_rows_claim(catalogue, &tr_run_columns, &row, out_id, error);
    if (status || *out_id)
        return status;
    status = tr_columns_insert(catalogue, &tr_run_columns, &row, out_id, error);
    if (!status)
        status = tr_lists_insert(catalogue, lists, 2, *out_id, error);
    return status ? status : tr_sections_put(catalogue, &tr_run_inputs, *out_id, inputs, error);
}

tr_status tr_runs_put(tr_catalogue *catalogue, const tr_run_row *run, const tr_run_content *content,
                      tr_row_id *out_id, tr_error *error) {
    static const tr_run_content none;
    parent_row parents[TR_RUN_PARENT_MAX];
    tr_row_list sorted[2] = {{0}};
    tr_row_id id = 0;
    content = content ? content : &none;
    tr_sections inputs = content->inputs ? *content->inputs : (tr_sections){0};
    tr_status status = tr_columns_check(&tr_run_columns, run, error);
    if (!status)
        status = check_inputs(&inputs, error);
    if (!status) {
        list_parents(run, parents);
        const tr_row_list given[] = {
            {&tr_run_parent_columns, parents, run->parent_count},
            {&tr_run_metric_columns, (void *)content->metric, content->metric_count}};
        status = tr_lists_sort(given, 2, sorted, error);
    }
    if (!status) {
        status = tr_database_enter(catalogue, error);
        if (!status)
            status = put_run(catalogue, run, sorted, &inputs, &id, error);
        status = tr_database_leave(catalogue, status, error);
    }
    tr_lists_deinit(sorted, 2);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get, list --- */

static tr_status read_parents(tr_catalogue *catalogue, void *row, tr_error *error) {
    tr_run_row *out = row;
    tr_row_list list = {.table = &tr_run_parent_columns};
    tr_status status = tr_lists_load(catalogue, &list, 1, out->id, error);
    const parent_row *parents = list.rows;
    for (int i = 0; !status && i < list.count; i++)
        out->parent[out->parent_count++] = parents[i].id;
    tr_lists_deinit(&list, 1);
    return status;
}

TR_NOUN_READERS_FROM(tr_run_columns, runs, run)

tr_status tr_runs_list(tr_catalogue *catalogue, const tr_run_filter *filter, tr_run_row *out_rows,
                       int *count, tr_error *error) {
    tr_query query = tr_rows_list(
        catalogue, &tr_run_columns, &(tr_row_range){filter->after, filter->prefix, *count},
        "AND (?4 IS NULL OR id IN (SELECT run FROM run_parent WHERE parent = ?4))", error);
    tr_query_bind_id(&query, filter->parent);
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

tr_status tr_runs_inputs(tr_catalogue *catalogue, tr_row_id run, tr_sections *out,
                         tr_error *error) {
    tr_digest digest;
    tr_status status = tr_rows_digest(catalogue, TR_NOUN_RUN, run, &digest, error);
    return status ? status : tr_sections_get(catalogue, &tr_run_inputs, run, out, error);
}

tr_status tr_runs_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    return tr_rows_remove(catalogue, TR_NOUN_RUN, id, error);
}

/* --- verification --- */

static tr_status verify_run(tr_catalogue *catalogue, const void *row, tr_error *error) {
    const tr_run_row *run = row;
    tr_row_list lists[] = {{.table = &tr_run_parent_columns}, {.table = &tr_run_metric_columns}};
    tr_sections inputs = {0};
    tr_digest digest;
    tr_status status = tr_columns_check(&tr_run_columns, run, error);
    for (int i = 0; !status && i < run->parent_count; i++)
        if (run->parent[i] >= run->id)
            status = tr_fail(error, TR_DATA_LOSS, "run '%s': its parent is a later run", run->name);
    if (!status)
        status = tr_lists_load(catalogue, lists, 2, run->id, error);
    if (!status)
        status = tr_runs_inputs(catalogue, run->id, &inputs, error);
    if (!status)
        status = check_inputs(&inputs, error);
    if (!status)
        status = digest_run(catalogue, run, lists, &inputs, &digest, error);
    if (!status)
        status = tr_rows_compare(&tr_run_columns, run, &digest, error);
    tr_sections_deinit(&inputs);
    tr_lists_deinit(lists, 2);
    return status;
}
