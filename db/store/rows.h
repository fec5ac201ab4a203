/* Functions for all nouns: unique names, and digests as identity. Inside db/ only. */
#pragma once

#include "db/store/columns.h"

/* TR_INVALID_ARGUMENT unless 1 to `max` rows fit. */
tr_status tr_rows_check_room(int count, int max, tr_error *error) TR_NODISCARD;

/* The row with that name; 0: none. */
tr_status tr_rows_seek(tr_catalogue *catalogue, tr_noun noun, const char *name, tr_row_id *out,
                       tr_error *error) TR_NODISCARD;

/* TR_NOT_FOUND with the name in the message. */
tr_status tr_rows_find(tr_catalogue *catalogue, tr_noun noun, const char *name, tr_row_id *out,
                       tr_error *error) TR_NODISCARD;

/* Ends a query for one row by its number: `found` or TR_NOT_FOUND. */
tr_status tr_rows_end(tr_query *query, tr_noun noun, tr_row_id id, bool found) TR_NODISCARD;

/* The digest of a row that another row refers to. */
tr_status tr_rows_digest(tr_catalogue *catalogue, tr_noun noun, tr_row_id id, tr_digest *out,
                         tr_error *error) TR_NODISCARD;

/* A text or a blob of a row, with a terminator, for the caller to free(). */
tr_status tr_rows_copy(tr_catalogue *catalogue, tr_noun noun, const char *column, tr_row_id id,
                       void **out, size_t *out_size, tr_error *error) TR_NODISCARD;

/* The first row with that digest, by number; 0: none. */
tr_status tr_rows_find_digest(tr_catalogue *catalogue, tr_noun noun, const tr_digest *digest,
                              tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* The name and the digest of a row. */
typedef struct tr_row_key {
    tr_noun noun;
    const char *name;
    const tr_digest *digest;
} tr_row_key;

/* The row with this content, preferring one with this name; 0: none. */
tr_status tr_rows_match(tr_catalogue *catalogue, const tr_row_key *key, tr_row_id *out_id,
                        tr_error *error) TR_NODISCARD;

/* TR_FAILED_PRECONDITION while another row refers to it. */
tr_status tr_rows_remove(tr_catalogue *catalogue, tr_noun noun, tr_row_id id,
                         tr_error *error) TR_NODISCARD;

/* --- rows of a table with a struct --- */

/* The row with that number, or name. out: a struct of the table. */
tr_status tr_rows_get(tr_catalogue *catalogue, const tr_table *table, tr_row_id id, void *out,
                      tr_error *error) TR_NODISCARD;
tr_status tr_rows_get_named(tr_catalogue *catalogue, const tr_table *table, const char *name,
                            void *out, tr_error *error) TR_NODISCARD;

/* Defines those of TR_NOUN_READERS. */
#define TR_NOUN_READERS_FROM(table, nouns, noun)                                                   \
    tr_status tr_##nouns##_get(tr_catalogue *catalogue, tr_row_id id, tr_##noun##_row *out,        \
                               tr_error *error) {                                                  \
        return tr_rows_get(catalogue, &(table), id, out, error);                                   \
    }                                                                                              \
    tr_status tr_##nouns##_find(tr_catalogue *catalogue, const char *name, tr_##noun##_row *out,   \
                                tr_error *error) {                                                 \
        return tr_rows_get_named(catalogue, &(table), name, out, error);                           \
    }

/* Which names a list has: those after `after`, with that prefix; NULL: all. */
typedef struct tr_row_range {
    const char *after, *prefix;
    int count; /* at most */
} tr_row_range;

/* A query for rows in order of their names; `more` begins with AND, and has ?4 and higher. */
tr_query tr_rows_list(tr_catalogue *catalogue, const tr_table *table, const tr_row_range *range,
                      const char *more, tr_error *error);

/* Ends a query of tr_columns_select. *count: room; then the rows written. */
tr_status tr_rows_collect(tr_catalogue *catalogue, tr_query *query, const tr_table *table,
                          void *out_rows, int *count) TR_NODISCARD;

/* Reads every row, applies to it the checks of its put, and compares its digest. TR_DATA_LOSS or
 * TR_INVALID_ARGUMENT names the row. */
tr_status tr_rows_verify(tr_catalogue *catalogue, const tr_table *table,
                         tr_error *error) TR_NODISCARD;

/* May this row be stored? *out_id: the existing row with the same name and content, or 0: insert
 * it. TR_ALREADY_EXISTS: the name is taken by other content. */
tr_status tr_rows_claim(tr_catalogue *catalogue, const tr_table *table, const void *row,
                        tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* Claims and inserts, in a bracket. */
tr_status tr_rows_put(tr_catalogue *catalogue, const tr_table *table, const void *row,
                      tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* The digest of a row alone; or the end of one that covers more. */
tr_status tr_rows_digest_alone(tr_catalogue *catalogue, const tr_table *table, const void *row,
                               tr_digest *out, tr_error *error) TR_NODISCARD;
tr_status tr_rows_end_digest(const tr_table *table, tr_digest_writer *writer, tr_digest *out,
                             tr_error *error) TR_NODISCARD;

/* TR_DATA_LOSS unless the row's stored digest equals that of the content. */
tr_status tr_rows_compare(const tr_table *table, const void *row, const tr_digest *content,
                          tr_error *error) TR_NODISCARD;

/* Of the nouns, and of what belongs to them. */
extern const tr_table tr_model_columns, tr_clip_columns, tr_run_columns, tr_run_parent_columns,
    tr_run_metric_columns, tr_controller_columns, tr_controller_fragment_columns, tr_match_columns,
    tr_bout_columns, tr_certificate_columns, tr_certificate_figure_columns,
    tr_certificate_push_columns;
