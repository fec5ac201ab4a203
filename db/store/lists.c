#include "db/store/lists.h"

#include "db/store/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tr_lists_deinit(tr_row_list *lists, int n) {
    for (int i = 0; i < n; i++)
        free(lists[i].rows);
}

static void *row_of(const tr_row_list *list, int index) {
    return (char *)list->rows + (size_t)index * list->table->size;
}

/* --- sort --- */

/* Of the rows that this thread sorts: the C library of WebAssembly has no qsort_r. */
static _Thread_local const tr_table *sorted;

static int compare(const void *a, const void *b) {
    return tr_columns_compare(sorted, a, b);
}

static tr_status sort_list(const tr_row_list *given, tr_row_list *out, tr_error *error) {
    const tr_table *table = given->table;
    tr_status status = TR_OK;
    if (given->count < 0 || given->count > table->most)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %d rows: expected 0 to %d", table->name,
                       given->count, table->most);
    size_t count = (size_t)given->count;
    *out = (tr_row_list){table, malloc(count * table->size + 1), given->count};
    if (!out->rows)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory to sort it", table->name);
    if (count > 0)
        memcpy(out->rows, given->rows, count * table->size);
    for (int i = 0; !status && i < out->count; i++) {
        tr_columns_clean(table, row_of(out, i));
        status = tr_columns_check(table, row_of(out, i), error);
    }
    if (status)
        return status;
    sorted = table;
    qsort(out->rows, count, table->size, compare);
    for (int i = 1; !status && i < out->count; i++)
        if (tr_columns_compare(table, row_of(out, i - 1), row_of(out, i)) == 0)
            status = tr_columns_refuse_twice(table, row_of(out, i), error);
    return status;
}

tr_status tr_lists_sort(const tr_row_list *lists, int n, tr_row_list *out, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < n; i++)
        status = sort_list(&lists[i], &out[i], error);
    return status;
}

/* --- rows --- */

static tr_status load_list(tr_catalogue *catalogue, tr_row_list *list, tr_row_id owner,
                           tr_error *error) {
    const tr_table *table = list->table;
    const int most = table->most;
    char rest[160];
    size_t used = (size_t)snprintf(rest, sizeof rest, "WHERE %s = ?", table->owner);
    for (int i = 0; i < table->key_count; i++)
        used += (size_t)snprintf(rest + used, sizeof rest - used, "%s %s",
                                 i > 0 ? "," : " ORDER BY", table->column[i].name);
    /* One row more than allowed, to notice too many. */
    list->count = most + 1;
    list->rows = malloc(((size_t)most + 1) * table->size);
    if (!list->rows)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory to read it", table->name);
    tr_query query = tr_columns_select(catalogue, table, rest, error);
    tr_query_bind_int(&query, owner);
    tr_status status = tr_rows_collect(catalogue, &query, table, list->rows, &list->count);
    if (!status && list->count > most)
        status = tr_fail(error, TR_DATA_LOSS, "%s: expected at most %d rows", table->name, most);
    tr_error found = {0};
    for (int i = 0; !status && i < list->count; i++)
        if (tr_columns_check(table, row_of(list, i), &found))
            status = tr_fail(error, TR_DATA_LOSS, "%s", found.message);
    return status;
}

tr_status tr_lists_load(tr_catalogue *catalogue, tr_row_list *lists, int n, tr_row_id owner,
                        tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < n; i++)
        status = load_list(catalogue, &lists[i], owner, error);
    return status;
}

tr_status tr_lists_insert(tr_catalogue *catalogue, const tr_row_list *lists, int n, tr_row_id owner,
                          tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < n; i++)
        status = tr_columns_insert_all(catalogue, lists[i].table, owner, lists[i].rows,
                                       lists[i].count, error);
    return status;
}

void tr_lists_digest(tr_catalogue *catalogue, const tr_row_list *lists, int n,
                     tr_digest_writer *writer, tr_error *error) {
    for (int i = 0; i < n; i++) {
        tr_digest_add_int(writer, lists[i].count);
        for (int r = 0; r < lists[i].count; r++)
            tr_columns_digest(catalogue, lists[i].table, row_of(&lists[i], r), writer, error);
    }
}
