/* Functions for all nouns: unique names, and digests as identity. Inside db/ only.
 *
 * Each noun is also verified: tr_<noun>s_verify reads every row of its table, applies to it the
 * checks of its put, and compares its digest. TR_DATA_LOSS or TR_INVALID_ARGUMENT names the row. */
#ifndef TROUPE_DB_ROWS_H
#define TROUPE_DB_ROWS_H

#include "db/store/query.h"

typedef enum tr_noun {
    TR_NOUN_MODEL,
    TR_NOUN_CLIP,
    TR_NOUN_RUN,
    TR_NOUN_CONTROLLER,
    TR_NOUN_MATCH
} tr_noun;

/* "model", "clip", ...: its table, and its word in messages. */
const char *tr_rows_noun(tr_noun noun);

/* TR_INVALID_ARGUMENT unless 1 to `max` rows fit. */
tr_status tr_rows_check_room(int count, int max, tr_error *error) TR_NODISCARD;

/* TR_NOT_FOUND with the name in the message. */
tr_status tr_rows_find(tr_catalogue *catalogue, tr_noun noun, const char *name, tr_row_id *out,
                       tr_error *error) TR_NODISCARD;

/* Ends a query for one row by its number: `found` or TR_NOT_FOUND. */
tr_status tr_rows_end(tr_query *query, tr_noun noun, tr_row_id id, bool found) TR_NODISCARD;

/* The digest of a row that another row refers to. */
tr_status tr_rows_digest(tr_catalogue *catalogue, tr_noun noun, tr_row_id id, tr_digest *out,
                         tr_error *error) TR_NODISCARD;

/* The name and the digest of a row. */
typedef struct tr_row_key {
    tr_noun noun;
    const char *name;
    const tr_digest *digest;
} tr_row_key;

/* May this row be stored? *out_id: the existing row with the same name and content, or 0: insert
 * it. TR_ALREADY_EXISTS: the name is taken by other content. */
tr_status tr_rows_claim(tr_catalogue *catalogue, const tr_row_key *key, tr_row_id *out_id,
                        tr_error *error) TR_NODISCARD;

/* The row with this content, preferring one with this name; 0: none. */
tr_status tr_rows_match(tr_catalogue *catalogue, const tr_row_key *key, tr_row_id *out_id,
                        tr_error *error) TR_NODISCARD;

/* TR_FAILED_PRECONDITION while another row refers to it. */
tr_status tr_rows_remove(tr_catalogue *catalogue, tr_noun noun, tr_row_id id,
                         tr_error *error) TR_NODISCARD;

/* TR_DATA_LOSS unless the key's stored digest equals that of the content. */
tr_status tr_rows_compare(const tr_row_key *key, const tr_digest *content,
                          tr_error *error) TR_NODISCARD;

tr_status tr_models_verify(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_clips_verify(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_runs_verify(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_controllers_verify(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_matches_verify(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_certificates_verify(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;

#endif
