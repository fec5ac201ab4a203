#include "db/tables/certificates.h"

#include "db/store/lists.h"
#include "db/store/rows.h"
#include "db/store/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const tr_table_column columns[] = {
    TR_COLUMN_WITH(tr_certificate_row, ID, id, .left_out = TR_NOT_INSERTED | TR_NOT_DIGESTED),
    TR_COLUMN_WITH(tr_certificate_row, DIGEST, digest, .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_AS(tr_certificate_row, ID, controller_id, "controller", .noun = TR_NOUN_CONTROLLER),
    TR_COLUMN_WITH(tr_certificate_row, INT, method, .low = 1, .high = INT_MAX),
    TR_COLUMN(tr_certificate_row, TEXT, command),
    TR_COLUMN(tr_certificate_row, INT64, seed),
    TR_COLUMN_WITH(tr_certificate_row, INT, threads, .low = 1, .high = INT_MAX),
    TR_COLUMN(tr_certificate_row, TEXT, code_version),
    TR_COLUMN(tr_certificate_row, TEXT, host),
    TR_COLUMN_WITH(tr_certificate_row, INT64, started_ns, .low = 0, .high = (double)INT64_MAX),
    TR_COLUMN_WITH(tr_certificate_row, INT64, ended_ns, .low = 0, .high = (double)INT64_MAX),
};

static tr_status check_row(const void *given, tr_error *error) {
    const tr_certificate_row *row = given;
    if (row->ended_ns >= row->started_ns)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "certificate: started_ns, ended_ns: expected 0 <= started <= ended");
}

static tr_status verify_certificate(tr_catalogue *catalogue, const void *row, tr_error *error);

const tr_table tr_certificate_columns =
    TR_TABLE(tr_certificate_row, "certificate", TR_NOUN_CERTIFICATE, columns,
             .version = "certificate 1", .check = check_row, .verify = verify_certificate);

static const tr_table_column figure_columns[] = {
    TR_COLUMN(tr_certificate_figure, NAME, quantity),
    TR_COLUMN(tr_certificate_figure, TEXT, item),
    TR_COLUMN(tr_certificate_figure, DOUBLE, value),
};

/* An item, where there is one, is a name. */
static tr_status check_figure(const void *row, tr_error *error) {
    const char *item = ((const tr_certificate_figure *)row)->item;
    return item[0] ? tr_text_check_name("certificate item", item, TR_NAME_MAX, error) : TR_OK;
}

const tr_table tr_certificate_figure_columns =
    TR_TABLE(tr_certificate_figure, "certificate_figure", TR_NOUN_NONE, figure_columns,
             .owner = "certificate", .key_count = 2, .most = TR_CERTIFICATE_FIGURE_MAX,
             .check = check_figure);

static const tr_table_column push_columns[] = {
    TR_COLUMN_WITH(tr_certificate_push, INT, direction, .low = 0,
                   .high = TR_CERTIFICATE_DIRECTION_MAX - 1),
    TR_COLUMN_WITH(tr_certificate_push, DOUBLE, force_n, .low = 0, .high = 1e6),
    TR_COLUMN_WITH(tr_certificate_push, INT, trials, .low = 1, .high = INT_MAX),
    TR_COLUMN_WITH(tr_certificate_push, INT, survived, .low = 0, .high = INT_MAX),
};

static tr_status check_push(const void *row, tr_error *error) {
    const tr_certificate_push *push = row;
    if (push->survived <= push->trials)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "push: survived: %d; expected 0 to %d trials",
                   push->survived, push->trials);
}

const tr_table tr_certificate_push_columns = TR_TABLE(
    tr_certificate_push, "certificate_push", TR_NOUN_NONE, push_columns, .owner = "certificate",
    .key_count = 2, .most = TR_CERTIFICATE_PUSH_MAX, .check = check_push);

void tr_certificate_content_deinit(tr_certificate_content *content) {
    free(content->figure);
    free(content->push);
    *content = (tr_certificate_content){0};
}

/* lists: of the figures and of the pushes, in order */
static tr_status digest_certificate(tr_catalogue *catalogue, const tr_certificate_row *row,
                                    const tr_row_list lists[2], tr_digest *out, tr_error *error) {
    tr_digest_writer writer = tr_digest_begin(tr_certificate_columns.version);
    tr_columns_digest(catalogue, &tr_certificate_columns, row, &writer, error);
    tr_lists_digest(catalogue, lists, 2, &writer, error);
    return tr_rows_end_digest(&tr_certificate_columns, &writer, out, error);
}

/* --- put --- */

tr_status tr_certificates_check_room(tr_catalogue *catalogue, tr_row_id controller,
                                     tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "SELECT count(*) FROM certificate WHERE controller = ?", error);
    int64_t count = 0;
    tr_query_bind_int(&query, controller);
    tr_status status = tr_query_end_int(&query, &count);
    if (!status && count >= TR_CERTIFICATE_MAX)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED,
                         "certificate: a controller has at most %d: remove one first",
                         TR_CERTIFICATE_MAX);
    return status;
}

/* Call within a bracket. */
static tr_status put_certificate(tr_catalogue *catalogue, const tr_certificate_row *given,
                                 const tr_row_list lists[2], tr_row_id *out_id, tr_error *error) {
    tr_certificate_row row = *given;
    tr_status status = digest_certificate(catalogue, given, lists, &row.digest, error);
    if (!status)
        status = tr_rows_find_digest(catalogue, TR_NOUN_CERTIFICATE, &row.digest, out_id, error);
    if (status || *out_id)
        return status;
    status = tr_certificates_check_room(catalogue, row.controller_id, error);
    if (!status)
        status = tr_columns_insert(catalogue, &tr_certificate_columns, &row, out_id, error);
    return status ? status : tr_lists_insert(catalogue, lists, 2, *out_id, error);
}

tr_status tr_certificates_put(tr_catalogue *catalogue, const tr_certificate_row *row,
                              const tr_certificate_content *content, tr_row_id *out_id,
                              tr_error *error) {
    const tr_row_list given[] = {
        {&tr_certificate_figure_columns, content->figure, content->figure_count},
        {&tr_certificate_push_columns, content->push, content->push_count}};
    tr_row_list sorted[2] = {{0}};
    tr_row_id id = 0;
    tr_status status = tr_columns_check(&tr_certificate_columns, row, error);
    if (!status)
        status = tr_lists_sort(given, 2, sorted, error);
    if (!status) {
        status = tr_database_enter(catalogue, error);
        if (!status)
            status = put_certificate(catalogue, row, sorted, &id, error);
        status = tr_database_leave(catalogue, status, error);
    }
    tr_lists_deinit(sorted, 2);
    if (!status)
        *out_id = id;
    return status;
}

const char *tr_certificate_skill(const tr_certificate_content *content) {
    for (int i = 0; i < content->figure_count; i++)
        if (strcmp(content->figure[i].quantity, TR_CERTIFICATE_SKILL) == 0)
            return content->figure[i].item;
    return "";
}

/* --- list, load --- */

tr_status tr_certificates_list(tr_catalogue *catalogue, tr_row_id controller, const char *skill,
                               tr_certificate_row *out_rows, int *count, tr_error *error) {
    tr_digest digest;
    tr_status status = tr_rows_check_room(*count, TR_PAGE_MAX, error);
    if (!status)
        status = tr_rows_digest(catalogue, TR_NOUN_CONTROLLER, controller, &digest, error);
    if (status)
        return status;
    tr_query query = tr_columns_select(
        catalogue, &tr_certificate_columns,
        "WHERE controller = ? AND (? OR ? = coalesce((SELECT item FROM certificate_figure "
        "WHERE certificate = certificate.id AND quantity = '" TR_CERTIFICATE_SKILL "'), '')) "
        "ORDER BY ended_ns DESC, id DESC LIMIT ?",
        error);
    tr_query_bind_int(&query, controller);
    tr_query_bind_int(&query, !skill);
    tr_query_bind_text(&query, skill ? skill : "");
    tr_query_bind_int(&query, *count);
    return tr_rows_collect(catalogue, &query, &tr_certificate_columns, out_rows, count);
}

tr_status tr_certificates_load(tr_catalogue *catalogue, tr_row_id id, tr_certificate_content *out,
                               tr_error *error) {
    tr_row_list lists[] = {{.table = &tr_certificate_figure_columns},
                           {.table = &tr_certificate_push_columns}};
    tr_digest digest;
    tr_status status = tr_rows_digest(catalogue, TR_NOUN_CERTIFICATE, id, &digest, error);
    if (!status)
        status = tr_lists_load(catalogue, lists, 2, id, error);
    if (status)
        tr_lists_deinit(lists, 2);
    else
        *out =
            (tr_certificate_content){lists[0].count, lists[1].count, lists[0].rows, lists[1].rows};
    return status;
}

/* --- verification --- */

static tr_status verify_certificate(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const tr_certificate_row *row = given;
    tr_row_list lists[] = {{.table = &tr_certificate_figure_columns},
                           {.table = &tr_certificate_push_columns}};
    tr_digest digest;
    tr_status status = tr_columns_check(&tr_certificate_columns, row, error);
    if (!status)
        status = tr_lists_load(catalogue, lists, 2, row->id, error);
    if (!status)
        status = digest_certificate(catalogue, row, lists, &digest, error);
    if (!status)
        status = tr_rows_compare(&tr_certificate_columns, row, &digest, error);
    tr_lists_deinit(lists, 2);
    return status;
}
