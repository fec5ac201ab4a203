#include "db/tables/models.h"

#include "db/store/rows.h"
#include "db/store/text.h"
#include "model/mjcf.h"
#include "proto/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_SELECT                                                                               \
    "SELECT id, name, digest, length(CAST(mjcf AS BLOB)), body_count, dof_count FROM model "

/* --- put --- */

static tr_status check_text(const char *name, const char *mjcf, size_t size, tr_error *error) {
    tr_status status = tr_text_check_name("model name", name, TR_NAME_MAX, error);
    if (status)
        return status;
    if (size == 0 || size > TR_MODEL_TEXT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "model '%s': expected 1 to %d bytes of MJCF",
                       name, TR_MODEL_TEXT_MAX);
    if (!tr_text_bytes_are_utf8(mjcf, size))
        return tr_fail(error, TR_INVALID_ARGUMENT, "model '%s': expected UTF-8", name);
    return TR_OK;
}

static tr_status insert_model(tr_catalogue *catalogue, const tr_model_row *row, const char *mjcf,
                              tr_row_id *out_id, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO model (name, digest, body_count, dof_count, mjcf) VALUES (?, ?, ?, ?, ?)",
        error);
    tr_query_bind_text(&query, row->name);
    tr_query_bind_digest(&query, &row->digest);
    tr_query_bind_int(&query, row->body_count);
    tr_query_bind_int(&query, row->dof_count);
    tr_query_bind_bytes(&query, mjcf, (size_t)row->text_size);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

/* Fills a row from its text. */
static tr_status describe(const char *name, const char *mjcf, size_t size, tr_model_row *out,
                          tr_error *error) {
    tr_status status = check_text(name, mjcf, size, error);
    tr_model *model = NULL;
    if (!status)
        status = tr_mjcf_parse(mjcf, size, name, &model, error);
    if (status)
        return status;
    *out = (tr_model_row){
        .text_size = (int64_t)size, .body_count = model->body_count, .dof_count = model->dof_count};
    memcpy(out->name, name, strlen(name) + 1);
    tr_model_destroy(model);
    status = tr_digest_bytes(mjcf, size, &out->digest);
    return status ? tr_fail(error, status, "model '%s': no memory for its digest", name) : TR_OK;
}

tr_status tr_models_put(tr_catalogue *catalogue, const char *name, const char *mjcf, size_t size,
                        tr_row_id *out_id, tr_error *error) {
    tr_model_row row;
    tr_status status = describe(name, mjcf, size, &row, error);
    if (status)
        return status;
    bool outermost = false;
    status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    tr_row_id id = 0;
    status = tr_rows_claim(catalogue, &(tr_row_key){TR_NOUN_MODEL, name, &row.digest}, &id, error);
    if (!status && !id)
        status = insert_model(catalogue, &row, mjcf, &id, error);
    status = tr_database_leave(catalogue, outermost, status, error);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get, list --- */

static void read_model(tr_query *query, tr_model_row *out) {
    out->id = tr_query_id(query);
    tr_query_text(query, out->name, sizeof out->name);
    out->digest = tr_query_digest(query);
    out->text_size = tr_query_int(query, 1, TR_MODEL_TEXT_MAX);
    out->body_count = tr_query_int(query, 1, TR_BODY_MAX);
    out->dof_count = tr_query_int(query, 6, 6 + 3 * TR_BODY_MAX);
}

tr_status tr_models_get(tr_catalogue *catalogue, tr_row_id id, tr_model_row *out, tr_error *error) {
    tr_model_row row = {0};
    tr_query query = tr_query_begin(catalogue, MODEL_SELECT "WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    if (found)
        read_model(&query, &row);
    tr_status status = tr_rows_end(&query, TR_NOUN_MODEL, id, found);
    if (!status)
        *out = row;
    return status;
}

tr_status tr_models_find(tr_catalogue *catalogue, const char *name, tr_model_row *out,
                         tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_find(catalogue, TR_NOUN_MODEL, name, &id, error);
    return status ? status : tr_models_get(catalogue, id, out, error);
}

tr_status tr_models_list(tr_catalogue *catalogue, const tr_model_filter *filter,
                         tr_model_row *out_rows, int *count, tr_error *error) {
    tr_model_filter all = {0};
    if (!filter)
        filter = &all;
    tr_status status = tr_rows_check_room(*count, TR_LIST_MAX, error);
    if (status)
        return status;
    tr_query query =
        tr_query_begin(catalogue,
                       MODEL_SELECT "WHERE (?1 IS NULL OR name > ?1) "
                                    "AND (?2 IS NULL OR substr(name, 1, length(?2)) = ?2) "
                                    "ORDER BY name LIMIT ?3",
                       error);
    tr_query_bind_text(&query, filter->after);
    tr_query_bind_text(&query, filter->prefix);
    tr_query_bind_int(&query, *count);
    int rows = 0;
    while (tr_query_next(&query))
        read_model(&query, &out_rows[rows++]);
    status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
}

/* --- text, model --- */

static char *copy_text(tr_query *query, size_t *out_size) {
    const char *text = tr_query_long_text(query, out_size);
    if (!text)
        return NULL;
    char *copy = malloc(*out_size + 1);
    if (!copy) {
        tr_query_fail(query, TR_RESOURCE_EXHAUSTED, "model: no memory for its text");
        return NULL;
    }
    memcpy(copy, text, *out_size);
    copy[*out_size] = '\0';
    return copy;
}

/* A model's text from its row. */
typedef struct model_text {
    char name[TR_NAME_MAX];
    char *mjcf; /* owned, terminated */
    size_t size;
} model_text;

static tr_status compare_text(const model_text *text, const tr_digest *kept, tr_error *error) {
    tr_digest content;
    tr_status status = tr_digest_bytes(text->mjcf, text->size, &content);
    if (status)
        return tr_fail(error, status, "model '%s': no memory for its digest", text->name);
    return tr_rows_compare(&(tr_row_key){TR_NOUN_MODEL, text->name, kept}, &content, error);
}

static tr_status read_text(tr_catalogue *catalogue, tr_row_id id, model_text *out,
                           tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "SELECT name, digest, mjcf FROM model WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    model_text text = {0};
    tr_digest kept = {{0}};
    if (found) {
        tr_query_text(&query, text.name, sizeof text.name);
        kept = tr_query_digest(&query);
        text.mjcf = copy_text(&query, &text.size);
    }
    tr_status status = tr_rows_end(&query, TR_NOUN_MODEL, id, found);
    if (!status)
        status = compare_text(&text, &kept, error);
    if (status)
        free(text.mjcf);
    else
        *out = text;
    return status;
}

tr_status tr_models_text(tr_catalogue *catalogue, tr_row_id id, char **out_mjcf, size_t *out_size,
                         tr_error *error) {
    model_text text = {0};
    tr_status status = read_text(catalogue, id, &text, error);
    if (status)
        return status;
    *out_mjcf = text.mjcf;
    if (out_size)
        *out_size = text.size;
    return TR_OK;
}

tr_status tr_models_load(tr_catalogue *catalogue, tr_row_id id, tr_model **out, tr_error *error) {
    model_text text = {0};
    tr_status status = read_text(catalogue, id, &text, error);
    if (status)
        return status;
    status = tr_mjcf_parse(text.mjcf, text.size, text.name, out, error);
    free(text.mjcf);
    return status;
}

/* Models never change, so that one with the same digest is the same. */
tr_status tr_models_borrow(tr_catalogue *catalogue, tr_row_id id, const tr_model **out,
                           tr_error *error) {
    tr_digest digest;
    tr_model *model = NULL;
    tr_status status = tr_rows_digest(catalogue, TR_NOUN_MODEL, id, &digest, error);
    if (!status && (!catalogue->model || !tr_digest_equal(&digest, &catalogue->model_digest))) {
        status = tr_models_load(catalogue, id, &model, error);
        if (!status) {
            tr_model_destroy(catalogue->model);
            catalogue->model = model;
            catalogue->model_digest = digest;
        }
    }
    if (!status)
        *out = catalogue->model;
    return status;
}

tr_status tr_models_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    return tr_rows_remove(catalogue, TR_NOUN_MODEL, id, error);
}

/* --- verification --- */

static tr_status verify_model(const tr_model_row *row, const char *mjcf, size_t size,
                              tr_error *error) {
    tr_model_row content;
    tr_status status = describe(row->name, mjcf, size, &content, error);
    if (status)
        return status;
    if (content.body_count != row->body_count || content.dof_count != row->dof_count)
        return tr_fail(error, TR_DATA_LOSS, "model '%s': body_count, dof_count: expected %d, %d",
                       row->name, content.body_count, content.dof_count);
    return tr_rows_compare(&(tr_row_key){TR_NOUN_MODEL, row->name, &row->digest}, &content.digest,
                           error);
}

tr_status tr_models_verify(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "SELECT id, name, digest, length(CAST(mjcf AS BLOB)), body_count, dof_count, mjcf "
        "FROM model ORDER BY id",
        error);
    while (tr_query_next(&query)) {
        tr_model_row row = {0};
        size_t size;
        read_model(&query, &row);
        const char *mjcf = tr_query_long_text(&query, &size);
        if (mjcf)
            query.status = verify_model(&row, mjcf, size, error);
    }
    return tr_query_end(&query);
}
