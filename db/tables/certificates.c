#include "db/tables/certificates.h"

#include "db/store/rows.h"
#include "db/store/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CERTIFICATE_SELECT                                                                         \
    "SELECT id, digest, controller, method, command, seed, threads, code_version, host, "          \
    "started_ns, ended_ns FROM certificate "

/* --- checks --- */

static tr_status check_row(const tr_certificate_row *row, tr_error *error) {
    tr_status status =
        tr_text_check("certificate command", row->command, sizeof row->command, error);
    if (!status)
        status = tr_text_check("certificate code_version", row->code_version,
                               sizeof row->code_version, error);
    if (!status)
        status = tr_text_check("certificate host", row->host, sizeof row->host, error);
    if (!status && (row->method < 1 || row->threads < 1))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "certificate: method, threads: expected at least 1");
    if (!status && (row->started_ns < 0 || row->ended_ns < row->started_ns))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "certificate: started_ns, ended_ns: expected 0 <= started <= ended");
    return status;
}

static tr_status check_figure(const tr_certificate_figure *figure, tr_error *error) {
    tr_status status = tr_text_check_name("certificate quantity", figure->quantity,
                                          sizeof figure->quantity, error);
    if (!status && figure->item[0])
        status = tr_text_check_name("certificate item", figure->item, sizeof figure->item, error);
    if (!status && !isfinite(figure->value))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "figure '%s' '%s': expected a finite value",
                         figure->quantity, figure->item);
    return status;
}

static tr_status check_push(const tr_certificate_push *push, tr_error *error) {
    if (push->direction < 0 || push->direction >= TR_CERTIFICATE_DIRECTION_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "push: direction: expected 0 to %d",
                       TR_CERTIFICATE_DIRECTION_MAX - 1);
    if (!(push->force_n > 0 && push->force_n <= 1e6))
        return tr_fail(error, TR_INVALID_ARGUMENT, "push: force_n: expected more than 0");
    if (push->trials < 1 || push->survived < 0 || push->survived > push->trials)
        return tr_fail(error, TR_INVALID_ARGUMENT, "push: survived: expected 0 to %d trials",
                       push->trials);
    return TR_OK;
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
    tr_digest controller = {{0}}, digest;
    tr_status status =
        tr_rows_digest(catalogue, TR_NOUN_CONTROLLER, row->controller_id, &controller, error);
    tr_digest_writer writer = tr_digest_begin("certificate 1");
    tr_digest_add_digest(&writer, &controller);
    tr_digest_add_int(&writer, row->method);
    tr_digest_add_text(&writer, row->command);
    tr_digest_add_int(&writer, (int64_t)row->seed);
    tr_digest_add_int(&writer, row->threads);
    tr_digest_add_text(&writer, row->code_version);
    tr_digest_add_text(&writer, row->host);
    tr_digest_add_int(&writer, row->started_ns);
    tr_digest_add_int(&writer, row->ended_ns);
    tr_digest_add_int(&writer, content->figure_count);
    for (int i = 0; i < content->figure_count; i++) {
        tr_digest_add_text(&writer, content->figure[i].quantity);
        tr_digest_add_text(&writer, content->figure[i].item);
        tr_digest_add_double(&writer, content->figure[i].value);
    }
    tr_digest_add_int(&writer, content->push_count);
    for (int i = 0; i < content->push_count; i++) {
        tr_digest_add_int(&writer, content->push[i].direction);
        tr_digest_add_double(&writer, content->push[i].force_n);
        tr_digest_add_int(&writer, content->push[i].trials);
        tr_digest_add_int(&writer, content->push[i].survived);
    }
    tr_status ended = tr_digest_end(&writer, &digest);
    if (!status && ended)
        status = tr_fail(error, ended, "certificate: no memory for its digest");
    if (!status)
        *out = digest;
    return status;
}

/* --- put --- */

static tr_status insert_row(tr_catalogue *catalogue, const tr_certificate_row *row,
                            const tr_digest *digest, tr_row_id *out_id, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO certificate (digest, controller, method, command, seed, threads, "
        "code_version, host, started_ns, ended_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    tr_query_bind_digest(&query, digest);
    tr_query_bind_id(&query, row->controller_id);
    tr_query_bind_int(&query, row->method);
    tr_query_bind_text(&query, row->command);
    tr_query_bind_int(&query, (int64_t)row->seed);
    tr_query_bind_int(&query, row->threads);
    tr_query_bind_text(&query, row->code_version);
    tr_query_bind_text(&query, row->host);
    tr_query_bind_int(&query, row->started_ns);
    tr_query_bind_int(&query, row->ended_ns);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

static tr_status insert_figures(tr_catalogue *catalogue, const tr_certificate_content *content,
                                tr_row_id id, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO certificate_figure (certificate, quantity, item, value) VALUES (?, ?, ?, ?)",
        error);
    for (int i = 0; i < content->figure_count; i++) {
        tr_query_bind_int(&query, id);
        tr_query_bind_text(&query, content->figure[i].quantity);
        tr_query_bind_text(&query, content->figure[i].item);
        tr_query_bind_double(&query, content->figure[i].value);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

static tr_status insert_pushes(tr_catalogue *catalogue, const tr_certificate_content *content,
                               tr_row_id id, tr_error *error) {
    tr_query query = tr_query_begin(catalogue,
                                    "INSERT INTO certificate_push (certificate, direction, "
                                    "force_n, trials, survived) VALUES (?, ?, ?, ?, ?)",
                                    error);
    for (int i = 0; i < content->push_count; i++) {
        tr_query_bind_int(&query, id);
        tr_query_bind_int(&query, content->push[i].direction);
        tr_query_bind_double(&query, content->push[i].force_n);
        tr_query_bind_int(&query, content->push[i].trials);
        tr_query_bind_int(&query, content->push[i].survived);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

static tr_status check_count(tr_catalogue *catalogue, tr_row_id controller, tr_error *error) {
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

static tr_status find_digest(tr_catalogue *catalogue, const tr_digest *digest, tr_row_id *out_id,
                             tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "SELECT id FROM certificate WHERE digest = ?", error);
    tr_query_bind_digest(&query, digest);
    *out_id = tr_query_next(&query) ? tr_query_id(&query) : 0;
    return tr_query_end(&query);
}

/* Call within a bracket. */
static tr_status put_certificate(tr_catalogue *catalogue, const tr_certificate_row *row,
                                 const tr_certificate_content *content, tr_row_id *out_id,
                                 tr_error *error) {
    tr_digest digest;
    tr_status status = digest_certificate(catalogue, row, content, &digest, error);
    if (!status)
        status = find_digest(catalogue, &digest, out_id, error);
    if (status || *out_id)
        return status;
    status = check_count(catalogue, row->controller_id, error);
    if (!status)
        status = insert_row(catalogue, row, &digest, out_id, error);
    if (!status)
        status = insert_figures(catalogue, content, *out_id, error);
    if (!status)
        status = insert_pushes(catalogue, content, *out_id, error);
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

/* --- find, list, load --- */

tr_status tr_certificates_find(tr_catalogue *catalogue, const tr_digest *digest, tr_row_id *out_id,
                               tr_error *error) {
    tr_row_id id = 0;
    tr_status status = find_digest(catalogue, digest, &id, error);
    if (!status && !id)
        status = tr_fail(error, TR_NOT_FOUND, "certificate: not in the catalogue");
    if (!status)
        *out_id = id;
    return status;
}

static void read_row(tr_query *query, tr_certificate_row *out) {
    *out = (tr_certificate_row){0};
    out->id = tr_query_id(query);
    out->digest = tr_query_digest(query);
    out->controller_id = tr_query_id(query);
    out->method = tr_query_int(query, 1, INT_MAX);
    tr_query_text(query, out->command, sizeof out->command);
    out->seed = (uint64_t)tr_query_int64(query);
    out->threads = tr_query_int(query, 1, INT_MAX);
    tr_query_text(query, out->code_version, sizeof out->code_version);
    tr_query_text(query, out->host, sizeof out->host);
    out->started_ns = tr_query_int64(query);
    out->ended_ns = tr_query_int64(query);
}

tr_status tr_certificates_list(tr_catalogue *catalogue, tr_row_id controller, const char *skill,
                               tr_certificate_row *out_rows, int *count, tr_error *error) {
    tr_digest digest;
    tr_status status = tr_rows_check_room(*count, TR_PAGE_MAX, error);
    if (!status)
        status = tr_rows_digest(catalogue, TR_NOUN_CONTROLLER, controller, &digest, error);
    if (status)
        return status;
    tr_query query = tr_query_begin(
        catalogue,
        CERTIFICATE_SELECT
        "WHERE controller = ? AND (? OR ? = coalesce((SELECT item FROM certificate_figure "
        "WHERE certificate = certificate.id AND quantity = '" TR_CERTIFICATE_SKILL "'), '')) "
        "ORDER BY ended_ns DESC, id DESC LIMIT ?",
        error);
    tr_query_bind_int(&query, controller);
    tr_query_bind_int(&query, !skill);
    tr_query_bind_text(&query, skill ? skill : "");
    tr_query_bind_int(&query, *count);
    int rows = 0;
    while (tr_query_next(&query))
        read_row(&query, &out_rows[rows++]);
    status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
}

/* Reads one row more than allowed, to notice too many. */
static tr_status read_figures(tr_catalogue *catalogue, tr_row_id id, tr_certificate_content *out,
                              tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue,
                       "SELECT quantity, item, value FROM certificate_figure WHERE certificate = ? "
                       "ORDER BY quantity, item",
                       error);
    tr_query_bind_int(&query, id);
    while (tr_query_next(&query)) {
        if (out->figure_count == TR_CERTIFICATE_FIGURE_MAX) {
            tr_query_fail(&query, TR_DATA_LOSS, "certificate: too many figures");
            break;
        }
        tr_certificate_figure *figure = &out->figure[out->figure_count++];
        tr_query_text(&query, figure->quantity, sizeof figure->quantity);
        tr_query_text(&query, figure->item, sizeof figure->item);
        figure->value = tr_query_double(&query);
    }
    return tr_query_end(&query);
}

static tr_status read_pushes(tr_catalogue *catalogue, tr_row_id id, tr_certificate_content *out,
                             tr_error *error) {
    tr_query query = tr_query_begin(catalogue,
                                    "SELECT direction, force_n, trials, survived FROM "
                                    "certificate_push WHERE certificate = ? "
                                    "ORDER BY direction, force_n",
                                    error);
    tr_query_bind_int(&query, id);
    while (tr_query_next(&query)) {
        if (out->push_count == TR_CERTIFICATE_PUSH_MAX) {
            tr_query_fail(&query, TR_DATA_LOSS, "certificate: too many pushes");
            break;
        }
        tr_certificate_push *push = &out->push[out->push_count++];
        push->direction = tr_query_int(&query, 0, INT_MAX);
        push->force_n = tr_query_double(&query);
        push->trials = tr_query_int(&query, 1, INT_MAX);
        push->survived = tr_query_int(&query, 0, INT_MAX);
    }
    return tr_query_end(&query);
}

static tr_status check_there(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, "SELECT id FROM certificate WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    tr_status status = tr_query_end(&query);
    if (status || found)
        return status;
    return tr_fail(error, TR_NOT_FOUND, "certificate %lld: not in the catalogue", (long long)id);
}

tr_status tr_certificates_load(tr_catalogue *catalogue, tr_row_id id, tr_certificate_content *out,
                               tr_error *error) {
    tr_certificate_content content = {0};
    tr_status status = check_there(catalogue, id, error);
    if (!status)
        status = make_room(TR_CERTIFICATE_FIGURE_MAX, TR_CERTIFICATE_PUSH_MAX, &content, error);
    if (!status)
        status = read_figures(catalogue, id, &content, error);
    if (!status)
        status = read_pushes(catalogue, id, &content, error);
    if (status)
        tr_certificate_content_deinit(&content);
    else
        *out = content;
    return status;
}

tr_status tr_certificates_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    bool outermost = false;
    tr_status status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    status = check_there(catalogue, id, error);
    if (!status) {
        tr_query query = tr_query_begin(catalogue, "DELETE FROM certificate WHERE id = ?", error);
        tr_query_bind_int(&query, id);
        tr_query_run(&query);
        status = tr_query_end(&query);
    }
    return tr_database_leave(catalogue, outermost, status, error);
}

/* --- verification --- */

static tr_status verify_certificate(tr_catalogue *catalogue, const tr_certificate_row *row,
                                    tr_error *error) {
    tr_certificate_content content = {0};
    tr_digest digest;
    tr_status status = check_row(row, error);
    if (!status)
        status = tr_certificates_load(catalogue, row->id, &content, error);
    if (!status)
        status = check_content(&content, error);
    if (!status)
        status = digest_certificate(catalogue, row, &content, &digest, error);
    if (!status && !tr_digest_equal(&digest, &row->digest))
        status =
            tr_fail(error, TR_DATA_LOSS, "certificate %lld: its content does not match its digest",
                    (long long)row->id);
    tr_certificate_content_deinit(&content);
    return status;
}

tr_status tr_certificates_verify(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, CERTIFICATE_SELECT "ORDER BY id", error);
    while (tr_query_next(&query)) {
        tr_certificate_row row;
        read_row(&query, &row);
        if (!query.status)
            query.status = verify_certificate(catalogue, &row, error);
    }
    return tr_query_end(&query);
}
