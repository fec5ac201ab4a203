#include "db/tables/certificates.h"

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

const tr_table tr_certificate_columns = TR_TABLE(
    tr_certificate_row, "certificate", TR_NOUN_CERTIFICATE, columns, .version = "certificate 1");

static const tr_table_column figure_columns[] = {
    TR_COLUMN(tr_certificate_figure, NAME, quantity),
    TR_COLUMN(tr_certificate_figure, TEXT, item),
    TR_COLUMN(tr_certificate_figure, DOUBLE, value),
};

const tr_table tr_certificate_figure_columns =
    TR_TABLE(tr_certificate_figure, "certificate_figure", TR_NOUN_NONE, figure_columns,
             .owner = "certificate");

static const tr_table_column push_columns[] = {
    TR_COLUMN_WITH(tr_certificate_push, INT, direction, .low = 0,
                   .high = TR_CERTIFICATE_DIRECTION_MAX - 1),
    TR_COLUMN_WITH(tr_certificate_push, DOUBLE, force_n, .low = 0, .high = 1e6),
    TR_COLUMN_WITH(tr_certificate_push, INT, trials, .low = 1, .high = INT_MAX),
    TR_COLUMN_WITH(tr_certificate_push, INT, survived, .low = 0, .high = INT_MAX),
};

const tr_table tr_certificate_push_columns = TR_TABLE(
    tr_certificate_push, "certificate_push", TR_NOUN_NONE, push_columns, .owner = "certificate");

/* --- checks --- */

static tr_status check_row(const tr_certificate_row *row, tr_error *error) {
    tr_status status = tr_columns_check(&tr_certificate_columns, row, error);
    if (!status && row->ended_ns < row->started_ns)
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "certificate: started_ns, ended_ns: expected 0 <= started <= ended");
    return status;
}

/* An item, where there is one, is a name. */
static tr_status check_figure(const tr_certificate_figure *figure, tr_error *error) {
    tr_status status = tr_columns_check(&tr_certificate_figure_columns, figure, error);
    if (!status && figure->item[0])
        status = tr_text_check_name("certificate item", figure->item, sizeof figure->item, error);
    return status;
}

static tr_status check_push(const tr_certificate_push *push, tr_error *error) {
    tr_status status = tr_columns_check(&tr_certificate_push_columns, push, error);
    if (!status && push->survived > push->trials)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "push: survived: %d; expected 0 to %d trials",
                         push->survived, push->trials);
    return status;
}

static int compare_figures(const void *a, const void *b) {
    const tr_certificate_figure *x = a, *y = b;
    int order = strcmp(x->quantity, y->quantity);
    return order ? order : strcmp(x->item, y->item);
}

static int compare_pushes(const void *a, const void *b) {
    const tr_certificate_push *x = a, *y = b;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    return (x->force_n > y->force_n) - (x->force_n < y->force_n);
}

/* Checks that every part is within its bounds and unique. The lists are in order. */
static tr_status check_content(const tr_certificate_content *content, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < content->figure_count; i++) {
        status = check_figure(&content->figure[i], error);
        if (!status && i > 0 && compare_figures(&content->figure[i - 1], &content->figure[i]) == 0)
            status = tr_fail(error, TR_INVALID_ARGUMENT, "figure '%s' '%s': named twice",
                             content->figure[i].quantity, content->figure[i].item);
    }
    for (int i = 0; !status && i < content->push_count; i++) {
        status = check_push(&content->push[i], error);
        if (!status && i > 0 && compare_pushes(&content->push[i - 1], &content->push[i]) == 0)
            status = tr_fail(error, TR_INVALID_ARGUMENT, "push: direction %d, %g N: named twice",
                             content->push[i].direction, content->push[i].force_n);
    }
    return status;
}

/* --- content in its order --- */

void tr_certificate_content_deinit(tr_certificate_content *content) {
    free(content->figure);
    free(content->push);
    *content = (tr_certificate_content){0};
}

static tr_status make_room(int figures, int pushes, tr_certificate_content *out, tr_error *error) {
    if (figures < 0 || figures > TR_CERTIFICATE_FIGURE_MAX || pushes < 0 ||
        pushes > TR_CERTIFICATE_PUSH_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "certificate: expected at most %d figures and %d pushes",
                       TR_CERTIFICATE_FIGURE_MAX, TR_CERTIFICATE_PUSH_MAX);
    *out = (tr_certificate_content){.figure = calloc((size_t)figures + 1, sizeof *out->figure),
                                    .push = calloc((size_t)pushes + 1, sizeof *out->push)};
    if (out->figure && out->push)
        return TR_OK;
    tr_certificate_content_deinit(out);
    return tr_fail(error, TR_RESOURCE_EXHAUSTED, "certificate: out of memory");
}

static tr_status sort_content(const tr_certificate_content *content, tr_certificate_content *out,
                              tr_error *error) {
    tr_status status = make_room(content->figure_count, content->push_count, out, error);
    if (status)
        return status;
    size_t figures = (size_t)content->figure_count, pushes = (size_t)content->push_count;
    out->figure_count = content->figure_count;
    out->push_count = content->push_count;
    if (figures)
        memcpy(out->figure, content->figure, figures * sizeof *out->figure);
    if (pushes)
        memcpy(out->push, content->push, pushes * sizeof *out->push);
    for (size_t i = 0; i < figures; i++)
        out->figure[i].value += 0.0; /* -0 is kept as 0 by SQLite */
    qsort(out->figure, figures, sizeof *out->figure, compare_figures);
    qsort(out->push, pushes, sizeof *out->push, compare_pushes);
    return check_content(out, error);
}

static tr_status digest_certificate(tr_catalogue *catalogue, const tr_certificate_row *row,
                                    const tr_certificate_content *content, tr_digest *out,
                                    tr_error *error) {
    tr_digest_writer writer = tr_digest_begin(tr_certificate_columns.version);
    tr_status status = tr_columns_digest(catalogue, &tr_certificate_columns, row, &writer, error);
    if (!status)
        status = tr_columns_digest_all(catalogue, &tr_certificate_figure_columns, content->figure,
                                       content->figure_count, &writer, error);
    if (!status)
        status = tr_columns_digest_all(catalogue, &tr_certificate_push_columns, content->push,
                                       content->push_count, &writer, error);
    return tr_rows_end_digest(&tr_certificate_columns, &writer, status, out, error);
}

/* --- put --- */

tr_status tr_certificates_check_room(tr_catalogue *catalogue, tr_row_id controller,
                                     tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "SELECT count(*) FROM certificate WHERE controller = ?", error);
    tr_query_bind_int(&query, controller);
    int64_t count = tr_query_next(&query) ? tr_query_int64(&query) : 0;
    tr_status status = tr_query_end(&query);
    if (!status && count >= TR_CERTIFICATE_MAX)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED,
                         "certificate: a controller has at most %d: remove one first",
                         TR_CERTIFICATE_MAX);
    return status;
}

/* Call within a bracket. */
static tr_status put_certificate(tr_catalogue *catalogue, const tr_certificate_row *given,
                                 const tr_certificate_content *content, tr_row_id *out_id,
                                 tr_error *error) {
    tr_certificate_row row = *given;
    tr_status status = digest_certificate(catalogue, given, content, &row.digest, error);
    if (!status)
        status = tr_rows_find_digest(catalogue, TR_NOUN_CERTIFICATE, &row.digest, out_id, error);
    if (status || *out_id)
        return status;
    status = tr_certificates_check_room(catalogue, row.controller_id, error);
    if (!status)
        status = tr_columns_insert(catalogue, &tr_certificate_columns, &row, out_id, error);
    if (!status)
        status = tr_columns_insert_all(catalogue, &tr_certificate_figure_columns, *out_id,
                                       content->figure, content->figure_count, error);
    if (!status)
        status = tr_columns_insert_all(catalogue, &tr_certificate_push_columns, *out_id,
                                       content->push, content->push_count, error);
    return status;
}

tr_status tr_certificates_put(tr_catalogue *catalogue, const tr_certificate_row *row,
                              const tr_certificate_content *content, tr_row_id *out_id,
                              tr_error *error) {
    tr_certificate_content sorted = {0};
    tr_row_id id = 0;
    bool outermost = false;
    tr_status status = check_row(row, error);
    if (!status)
        status = sort_content(content, &sorted, error);
    if (!status)
        status = tr_database_enter(catalogue, &outermost, error);
    if (!status) {
        status = put_certificate(catalogue, row, &sorted, &id, error);
        status = tr_database_leave(catalogue, outermost, status, error);
    }
    tr_certificate_content_deinit(&sorted);
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

/* The rows of a certificate; *count: at most. */
static tr_status read_part(tr_catalogue *catalogue, const tr_table *part, tr_row_id id,
                           const char *rest, void *out_rows, int *count, tr_error *error) {
    tr_query query = tr_columns_select(catalogue, part, rest, error);
    tr_query_bind_int(&query, id);
    const int most = *count;
    tr_status status = tr_rows_collect(catalogue, &query, part, out_rows, count);
    if (!status && *count == most)
        status = tr_fail(error, TR_DATA_LOSS, "%s: expected fewer than %d rows", part->name, most);
    return status;
}

tr_status tr_certificates_load(tr_catalogue *catalogue, tr_row_id id, tr_certificate_content *out,
                               tr_error *error) {
    tr_certificate_content content = {0};
    tr_digest digest;
    tr_status status = tr_rows_digest(catalogue, TR_NOUN_CERTIFICATE, id, &digest, error);
    if (!status)
        status = make_room(TR_CERTIFICATE_FIGURE_MAX, TR_CERTIFICATE_PUSH_MAX, &content, error);
    /* One row more than allowed, to notice too many. */
    content.figure_count = TR_CERTIFICATE_FIGURE_MAX + 1;
    content.push_count = TR_CERTIFICATE_PUSH_MAX + 1;
    if (!status)
        status = read_part(catalogue, &tr_certificate_figure_columns, id,
                           "WHERE certificate = ? ORDER BY quantity, item", content.figure,
                           &content.figure_count, error);
    if (!status)
        status = read_part(catalogue, &tr_certificate_push_columns, id,
                           "WHERE certificate = ? ORDER BY direction, force_n", content.push,
                           &content.push_count, error);
    if (status)
        tr_certificate_content_deinit(&content);
    else
        *out = content;
    return status;
}

tr_status tr_certificates_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    return tr_rows_remove(catalogue, TR_NOUN_CERTIFICATE, id, error);
}

/* --- verification --- */

static tr_status verify_certificate(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const tr_certificate_row *row = given;
    tr_certificate_content content = {0};
    tr_digest digest;
    tr_status status = check_row(row, error);
    if (!status)
        status = tr_certificates_load(catalogue, row->id, &content, error);
    if (!status)
        status = check_content(&content, error);
    if (!status)
        status = digest_certificate(catalogue, row, &content, &digest, error);
    if (!status)
        status = tr_rows_compare(&tr_certificate_columns, row, &digest, error);
    tr_certificate_content_deinit(&content);
    return status;
}

tr_status tr_certificates_verify(tr_catalogue *catalogue, tr_error *error) {
    return tr_rows_each(catalogue, &tr_certificate_columns, "id", verify_certificate, error);
}
