/* Models in the catalogue: their MJCF text, so that a bundle needs no other file.
 *
 * A model's digest is the SHA-256 of its text only. See catalogue.h for threading, statuses and
 * errors. */
#pragma once

#include "db/store/catalogue.h"
#include "model/model.h"

#include <stddef.h>

enum { TR_MODEL_TEXT_MAX = 1 << 20 }; /* bytes of MJCF */

typedef struct tr_model_row {
    tr_row_id id;
    char name[TR_NAME_MAX]; /* unique, e.g. "humanoid" */
    tr_digest digest;
    int64_t text_size; /* bytes of MJCF */
    int body_count, dof_count;
} tr_model_row;

typedef struct tr_model_filter {
    const char *after;  /* names after this one; NULL: from the first */
    const char *prefix; /* prefix of the names; NULL: all */
} tr_model_filter;

/* Parses `mjcf` (`size` bytes, need not be terminated) and stores it under `name`. Storing the same
 * text under the same name again is not an error and returns the existing row. TR_INVALID_ARGUMENT:
 * invalid name or model. */
tr_status tr_models_put(tr_catalogue *catalogue, const char *name, const char *mjcf, size_t size,
                        tr_row_id *out_id, tr_error *error) TR_NODISCARD;

TR_NOUN_READERS(models, model)

/* In order of names (bytewise). *count: room in out_rows, 1 to TR_LIST_MAX; then the rows written.
 * After a full page there may be another: pass its last name as `after`. */
tr_status tr_models_list(tr_catalogue *catalogue, const tr_model_filter *filter,
                         tr_model_row *out_rows, int *count, tr_error *error) TR_NODISCARD;

/* The text, terminated, for the caller to free(). out_size (may be NULL): without terminator. */
tr_status tr_models_text(tr_catalogue *catalogue, tr_row_id id, char **out_mjcf, size_t *out_size,
                         tr_error *error) TR_NODISCARD;

/* The parsed model; destroy it with tr_model_destroy. */
tr_status tr_models_load(tr_catalogue *catalogue, tr_row_id id, tr_model **out,
                         tr_error *error) TR_NODISCARD;

/* The same, kept by the catalogue until another one is borrowed or the catalogue is closed. */
tr_status tr_models_borrow(tr_catalogue *catalogue, tr_row_id id, const tr_model **out,
                           tr_error *error) TR_NODISCARD;
