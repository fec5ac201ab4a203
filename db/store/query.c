#include "db/store/query.h"

#include "proto/text.h"

#include <math.h>
#include <string.h>

tr_query tr_query_begin(tr_catalogue *catalogue, const char *sql, tr_error *error) {
    tr_database_settle(catalogue);
    tr_query query = {.db = catalogue->db, .parameter = 0, .column = -1, .error = error};
    if (sqlite3_prepare_v2(query.db, sql, -1, &query.statement, NULL) != SQLITE_OK)
        query.status = tr_database_fail(query.db, "catalogue", error);
    return query;
}

void tr_query_fail(tr_query *query, tr_status status, const char *message) {
    if (!query->status)
        query->status = tr_fail(query->error, status, "%s", message);
}

tr_status tr_query_end(tr_query *query) {
    sqlite3_finalize(query->statement);
    query->statement = NULL;
    return query->status;
}

/* --- parameters --- */

static void note(tr_query *query, int code) {
    if (code != SQLITE_OK && !query->status)
        query->status = tr_database_fail(query->db, "catalogue", query->error);
}

void tr_query_bind_int(tr_query *query, int64_t value) {
    if (!query->status)
        note(query, sqlite3_bind_int64(query->statement, ++query->parameter, value));
}

void tr_query_bind_id(tr_query *query, tr_row_id id) {
    if (id)
        tr_query_bind_int(query, id);
    else if (!query->status)
        note(query, sqlite3_bind_null(query->statement, ++query->parameter));
}

void tr_query_bind_double(tr_query *query, double value) {
    if (!query->status)
        note(query, sqlite3_bind_double(query->statement, ++query->parameter, value));
}

void tr_query_bind_bytes(tr_query *query, const void *text, size_t size) {
    if (!query->status)
        note(query, sqlite3_bind_text64(query->statement, ++query->parameter, text, size,
                                        SQLITE_STATIC, SQLITE_UTF8));
}

void tr_query_bind_text(tr_query *query, const char *text) {
    tr_query_bind_bytes(query, text, text ? strlen(text) : 0);
}

void tr_query_bind_blob(tr_query *query, const void *data, size_t size) {
    if (!query->status)
        note(query,
             sqlite3_bind_blob64(query->statement, ++query->parameter, data, size, SQLITE_STATIC));
}

void tr_query_bind_digest(tr_query *query, const tr_digest *digest) {
    tr_query_bind_blob(query, digest->byte, sizeof digest->byte);
}

/* --- rows --- */

bool tr_query_next(tr_query *query) {
    if (query->status)
        return false;
    query->column = -1;
    int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        query->status = tr_database_fail(query->db, "catalogue", query->error);
    return code == SQLITE_ROW;
}

void tr_query_run(tr_query *query) {
    (void)tr_query_next(query);
    sqlite3_reset(query->statement);
    query->parameter = 0;
}

void tr_query_copy_rows(tr_query *from, tr_query *to) {
    while (!to->status && tr_query_next(from)) {
        for (int i = 0; i < sqlite3_column_count(from->statement); i++)
            note(to, sqlite3_bind_value(to->statement, i + 1,
                                        sqlite3_column_value(from->statement, i)));
        tr_query_run(to);
    }
}

tr_status tr_query_end_run(tr_query *query) {
    tr_query_run(query);
    return tr_query_end(query);
}

tr_status tr_query_end_int(tr_query *query, int64_t *out) {
    const int64_t value = tr_query_next(query) ? tr_query_int64(query) : 0;
    tr_status status = tr_query_end(query);
    if (!status)
        *out = value;
    return status;
}

/* --- columns --- */

void tr_query_reject(tr_query *query, const char *expected) {
    const char *table = sqlite3_column_table_name(query->statement, query->column);
    const char *name = sqlite3_column_name(query->statement, query->column);
    query->status = tr_fail(query->error, TR_DATA_LOSS, "%s.%s: expected %s", table ? table : "row",
                            name ? name : "column", expected);
}

/* Moves to the next column. False after a failure, or if the column is NULL: all tables are STRICT, so
 * that it has no other type. */
static bool advance(tr_query *query, int type) {
    if (query->status)
        return false;
    query->column++;
    return sqlite3_column_type(query->statement, query->column) == type;
}

/* As advance, but NULL is a failure too. */
static bool require(tr_query *query, int type, const char *expected) {
    const bool found = advance(query, type);
    if (!found && !query->status)
        tr_query_reject(query, expected);
    return found;
}

int64_t tr_query_int64(tr_query *query) {
    if (!require(query, SQLITE_INTEGER, "an integer"))
        return 0;
    return sqlite3_column_int64(query->statement, query->column);
}

int tr_query_int(tr_query *query, int low, int high) {
    int64_t value = tr_query_int64(query);
    if (query->status)
        return 0;
    if (value < low || value > high) {
        tr_query_reject(query, "an integer within its bounds");
        return 0;
    }
    return (int)value;
}

bool tr_query_bool(tr_query *query) {
    return tr_query_int(query, 0, 1) == 1;
}

tr_row_id tr_query_id(tr_query *query) {
    if (!advance(query, SQLITE_INTEGER))
        return 0;
    int64_t id = sqlite3_column_int64(query->statement, query->column);
    if (id < 1)
        tr_query_reject(query, "a positive row number");
    return id < 1 ? 0 : id;
}

double tr_query_double(tr_query *query) {
    if (!require(query, SQLITE_FLOAT, "a number"))
        return 0;
    double value = sqlite3_column_double(query->statement, query->column);
    if (!isfinite(value)) {
        tr_query_reject(query, "a finite number");
        return 0;
    }
    return value;
}

/* Takes the pointer before the size: the size belongs to that pointer. */
static const void *bytes_of(tr_query *query, size_t *out_size) {
    const void *data = sqlite3_column_blob(query->statement, query->column);
    int size = sqlite3_column_bytes(query->statement, query->column);
    if (!data && size == 0 && sqlite3_errcode(query->db) != SQLITE_NOMEM)
        data = "";
    if (!data) {
        query->status = tr_fail(query->error, TR_RESOURCE_EXHAUSTED, "catalogue: out of memory");
        return NULL;
    }
    *out_size = (size_t)size;
    return data;
}

tr_blob_view tr_query_blob(tr_query *query) {
    tr_blob_view blob = {NULL, 0};
    if (require(query, SQLITE_BLOB, "a blob"))
        blob.data = bytes_of(query, &blob.size);
    return blob;
}

tr_digest tr_query_digest(tr_query *query) {
    tr_digest digest = {{0}};
    tr_blob_view blob = tr_query_blob(query);
    if (blob.data && blob.size == sizeof digest.byte)
        memcpy(digest.byte, blob.data, blob.size);
    else if (blob.data)
        tr_query_reject(query, "32 bytes");
    return digest;
}

static const char *checked_text(tr_query *query, size_t *out_size) {
    const char *text = bytes_of(query, out_size);
    if (text && !tr_text_bytes_are_utf8(text, *out_size)) {
        tr_query_reject(query, "UTF-8 without NUL");
        return NULL;
    }
    return text;
}

void tr_query_text(tr_query *query, char *out, size_t capacity) {
    out[0] = '\0';
    if (!advance(query, SQLITE_TEXT))
        return;
    size_t size;
    const char *text = checked_text(query, &size);
    if (text && size >= capacity) {
        tr_query_reject(query, "a shorter text");
    } else if (text) {
        memcpy(out, text, size);
        out[size] = '\0';
    }
}
