#include "db/tables/guides.h"

#include "db/store/lists.h"

#include <string.h>

static const tr_table_column columns[] = {
    TR_COLUMN(tr_guide, NAME, section),
    TR_COLUMN(tr_guide, NAME, summary),
};

static const tr_table guide_columns = TR_TABLE(tr_guide, "guide", TR_NOUN_NONE, columns,
                                               .owner = "controller", .key_count = 1, .most = 1);

typedef struct former_row {
    char name[TR_NAME_MAX];
} former_row;

static const tr_table_column former_columns[] = {TR_COLUMN(former_row, NAME, name)};

static const tr_table former_name_columns =
    TR_TABLE(former_row, "former_name", TR_NOUN_NONE, former_columns, .owner = "controller",
             .key_count = 1, .most = TR_GUIDE_FORMER_MAX,
             .suffix = "ON CONFLICT (name) DO UPDATE SET controller = excluded.controller");

/* --- put --- */

/* What the guide says of a controller goes, with its former names. */
static tr_status clear(tr_catalogue *catalogue, tr_row_id controller, tr_error *error) {
    static const char *const statements[] = {"DELETE FROM guide WHERE controller = ?",
                                             "DELETE FROM former_name WHERE controller = ?"};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < 2; i++) {
        tr_query query = tr_query_begin(catalogue, statements[i], error);
        tr_query_bind_int(&query, controller);
        status = tr_query_end_run(&query);
    }
    return status;
}

tr_status tr_guides_put(tr_catalogue *catalogue, tr_row_id controller, const tr_guide *guide,
                        tr_error *error) {
    const tr_row_list given[] = {
        {&guide_columns, (void *)guide, 1},
        {&former_name_columns, (void *)guide->former, guide->former_count}};
    tr_row_list sorted[2] = {{0}};
    tr_status status = tr_lists_sort(given, 2, sorted, error);
    if (!status) {
        status = tr_database_enter(catalogue, error);
        if (!status)
            status = clear(catalogue, controller, error);
        if (!status)
            status = tr_lists_insert(catalogue, sorted, 2, controller, error);
        status = tr_database_leave(catalogue, status, error);
    }
    tr_lists_deinit(sorted, 2);
    return status;
}

/* --- get --- */

tr_status tr_guides_get(tr_catalogue *catalogue, tr_row_id controller, tr_guide *out,
                        tr_error *error) {
    tr_row_list lists[] = {{.table = &guide_columns}, {.table = &former_name_columns}};
    tr_status status = tr_lists_load(catalogue, lists, 2, controller, error);
    if (!status) {
        *out = (tr_guide){0};
        if (lists[0].count > 0)
            *out = *(const tr_guide *)lists[0].rows;
        out->former_count = lists[1].count;
        memcpy(out->former, lists[1].rows, (size_t)lists[1].count * sizeof *out->former);
    }
    tr_lists_deinit(lists, 2);
    return status;
}

tr_status tr_guides_find(tr_catalogue *catalogue, const char *former, tr_row_id *out_controller,
                         tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "SELECT controller FROM former_name WHERE name = ?", error);
    tr_query_bind_text(&query, former);
    return tr_query_end_int(&query, out_controller);
}
