#include "db/tables/models.h"

#include "db/store/rows.h"
#include "db/store/text.h"
#include "model/mjcf.h"
#include "proto/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A row to be stored. */
typedef struct stored_model {
    tr_model_row row;
    tr_blob_view mjcf; /* digest: its SHA-256 alone */
} stored_model;

static const tr_table_column columns[] = {
    TR_COLUMNS_KEY(tr_model_row),
    TR_COLUMN_FOUND(tr_model_row, INT64, text_size, "length(CAST(mjcf AS BLOB))", 1,
                    TR_MODEL_TEXT_MAX),
    TR_COLUMN_WITH(tr_model_row, INT, body_count, .low = 1, .high = TR_BODY_MAX),
    TR_COLUMN_WITH(tr_model_row, INT, dof_count, .low = 6, .high = 6 + 3 * TR_BODY_MAX),
    TR_COLUMN_WITH(stored_model, BYTES, mjcf, .left_out = TR_NOT_SELECTED),
};

static tr_status verify_model(tr_catalogue *catalogue, const void *given, tr_error *error);

const tr_table tr_model_columns =
    TR_TABLE(tr_model_row, "model", TR_NOUN_MODEL, columns, .verify = verify_model);

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

/* Of the bytes alone. */
static tr_status digest_text(const char *mjcf, size_t size, tr_digest *out, tr_error *error) {
    tr_digest_writer writer = tr_digest_begin(NULL);
    tr_digest_add_bytes(&writer, mjcf, size);
    return tr_rows_end_digest(&tr_model_columns, &writer, out, error);
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
    return digest_text(mjcf, size, &out->digest, error);
}

tr_status tr_models_put(tr_catalogue *catalogue, const char *name, const char *mjcf, size_t size,
                        tr_row_id *out_id, tr_error *error) {
    stored_model model = {.mjcf = {mjcf, size}};
    tr_status status = describe(name, mjcf, size, &model.row, error);
    return status ? status : tr_rows_put(catalogue, &tr_model_columns, &model, out_id, error);
}

/* --- get, list --- */

TR_NOUN_READERS_FROM(tr_model_columns, models, model)

tr_status tr_models_list(tr_catalogue *catalogue, const tr_model_filter *filter,
                         tr_model_row *out_rows, int *count, tr_error *error) {
    tr_query query =
        tr_rows_list(catalogue, &tr_model_columns,
                     &(tr_row_range){filter->after, filter->prefix, *count}, "", error);
    return tr_rows_collect(catalogue, &query, &tr_model_columns, out_rows, count);
}

/* --- text, model --- */

/* A model's text from its row. */
typedef struct model_text {
    tr_model_row row;
    char *mjcf; /* owned, terminated */
    size_t size;
} model_text;

static tr_status read_text(tr_catalogue *catalogue, tr_row_id id, model_text *out,
                           tr_error *error) {
    model_text text = {.mjcf = NULL};
    tr_status status = tr_models_get(catalogue, id, &text.row, error);
    if (status)
        return status;
    void *mjcf = NULL;
    status = tr_rows_copy(catalogue, TR_NOUN_MODEL, "mjcf", id, &mjcf, &text.size, error);
    text.mjcf = mjcf;
    tr_digest content;
    if (!status)
        status = digest_text(text.mjcf, text.size, &content, error);
    if (!status)
        status = tr_rows_compare(&tr_model_columns, &text.row, &content, error);
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
    status = tr_mjcf_parse(text.mjcf, text.size, text.row.name, out, error);
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

/* --- verification --- */

static tr_status verify_model(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const tr_model_row *row = given;
    model_text text = {.mjcf = NULL};
    tr_model_row content;
    tr_status status = read_text(catalogue, row->id, &text, error);
    if (!status)
        status = describe(row->name, text.mjcf, text.size, &content, error);
    if (!status && (content.body_count != row->body_count || content.dof_count != row->dof_count))
        status = tr_fail(error, TR_DATA_LOSS, "model '%s': body_count, dof_count: expected %d, %d",
                         row->name, content.body_count, content.dof_count);
    free(text.mjcf);
    return status;
}
