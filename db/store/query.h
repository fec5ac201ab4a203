/* A query: one SQL statement with its parameters and columns taken in order. Inside db/ only.
 *
 *     tr_query query = tr_query_begin(catalogue, "SELECT id, name FROM clip", error);
 *     while (tr_query_next(&query)) {
 *         row.id = tr_query_id(&query);
 *         tr_query_text(&query, row.name, sizeof row.name);
 *     }
 *     return tr_query_end(&query);
 *
 * The first failure is kept: later calls have no effect, columns read as zero, and tr_query_end
 * returns it. Columns are read with their constraints; a value that an undamaged file cannot hold
 * is TR_DATA_LOSS, and the message names the column. */
#pragma once

#include "db/store/blob.h"
#include "db/store/database.h"

#include <stddef.h>

typedef struct tr_query {
    sqlite3 *db;
    sqlite3_stmt *statement;
    int parameter, column; /* the last one bound or read */
    tr_status status;
    tr_error *error;
} tr_query;

tr_query tr_query_begin(tr_catalogue *catalogue, const char *sql, tr_error *error);

/* Texts and blobs must live until the next tr_query_run or tr_query_end. NULL text and id 0 bind as
 * NULL. */
void tr_query_bind_int(tr_query *query, int64_t value);
void tr_query_bind_id(tr_query *query, tr_row_id id);
void tr_query_bind_double(tr_query *query, double value);
void tr_query_bind_text(tr_query *query, const char *text);
void tr_query_bind_bytes(tr_query *query, const void *text, size_t size); /* as text */
void tr_query_bind_blob(tr_query *query, const void *data, size_t size);
void tr_query_bind_digest(tr_query *query, const tr_digest *digest);

/* Steps to the next row; false: no more, or failed. */
bool tr_query_next(tr_query *query);

/* Runs a statement without rows and resets it, so that it can be bound again. */
void tr_query_run(tr_query *query);

/* Fails with TR_DATA_LOSS: the column that was read last is not as `expected`. */
void tr_query_reject(tr_query *query, const char *expected);

int64_t tr_query_int64(tr_query *query);
int tr_query_int(tr_query *query, int low, int high); /* within low to high */
bool tr_query_bool(tr_query *query);
tr_row_id tr_query_id(tr_query *query);  /* positive; 0 for NULL */
double tr_query_double(tr_query *query); /* finite */
tr_digest tr_query_digest(tr_query *query);
void tr_query_text(tr_query *query, char *out, size_t capacity); /* UTF-8; "" for NULL */
/* Valid until the next step; data is NULL on failure. */
tr_blob_view tr_query_blob(tr_query *query);

/* Runs `to` once for each row of `from`, with the columns of the row as its parameters. */
void tr_query_copy_rows(tr_query *from, tr_query *to);

/* Records a failure of the caller, unless there is one already. */
void tr_query_fail(tr_query *query, tr_status status, const char *message);

tr_status tr_query_end(tr_query *query) TR_NODISCARD;

/* Ends a query without rows, or one whose first column of the first row is an integer; no rows: 0. */
tr_status tr_query_end_run(tr_query *query) TR_NODISCARD;
tr_status tr_query_end_int(tr_query *query, int64_t *out) TR_NODISCARD;
