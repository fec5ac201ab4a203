/* The connection of a catalogue: opens SQLite, sets its limits, translates its errors. Inside db/
 * only.
 *
 * Every connection has foreign keys on and distrusts its schema: no triggers, no views, no
 * extensions, no functions with side effects from within it, no double-quoted strings, no writes to
 * the schema's own table. No value exceeds TR_VALUE_SIZE_MAX. */
#pragma once

#include "db/store/row_id.h"

#include <sqlite3.h>

enum {
    TR_VALUE_SIZE_MAX = 1 << 21, /* bytes of one text, blob or row */
    TR_BUSY_TIMEOUT_MS = 2000
};

/* model: the last one that was borrowed (models.h), with its digest; owned, NULL: none */
struct tr_catalogue {
    sqlite3 *db;
    struct tr_model *model;
    tr_digest model_digest;
    bool writable;
    bool begun;   /* by tr_catalogue_begin */
    bool entered; /* a bracket has begun its transaction or savepoint */
    bool spoiled; /* a failed change is in it: it cannot commit */
    int depth;    /* brackets around the present call: tr_database_enter, tr_database_leave */
};

typedef enum tr_database_kind {
    TR_DATABASE_READER,  /* a file that others may write */
    TR_DATABASE_WRITER,  /* ... and only this process may, from its first read on */
    TR_DATABASE_PRIVATE, /* a new file that no other process uses: a copy being written */
    TR_DATABASE_SUSPECT, /* a bundle: read-only, immutable, cells checked */
    TR_DATABASE_SCRATCH, /* temporary, for this connection only; path is ignored */
    TR_DATABASE_MEMORY   /* the same in memory */
} tr_database_kind;

/* Closes what a catalogue holds, which may be zeros. */
void tr_database_close(tr_catalogue *catalogue);

/* Opens a connection. A writer locks the file at its first read, and creates it with `create`. */
tr_status tr_database_open(const char *path, tr_database_kind kind, bool create, sqlite3 **out,
                           tr_error *error) TR_NODISCARD;

/* The last failure of `db`, translated; `what` begins the message. */
tr_status tr_database_fail(sqlite3 *db, const char *what, tr_error *error);

/* Runs SQL without results. */
tr_status tr_database_exec(sqlite3 *db, const char *sql, tr_error *error) TR_NODISCARD;

/* One integer, the first column of the first row. */
tr_status tr_database_read_int(sqlite3 *db, const char *sql, int64_t *out,
                               tr_error *error) TR_NODISCARD;

/* Switches to a write-ahead log. TR_FAILED_PRECONDITION: the file cannot have one. */
tr_status tr_database_use_log(sqlite3 *db, tr_error *error) TR_NODISCARD;

/* Runs SQLite's check ("quick_check", "integrity_check") or checks foreign keys. TR_DATA_LOSS: the
 * error has the first problem. */
tr_status tr_database_check(sqlite3 *db, const char *pragma, tr_error *error) TR_NODISCARD;

/* Rolls back what is left of a transaction that could not be rolled back, for that takes memory.
 * Called before every query and change. */
void tr_database_settle(tr_catalogue *catalogue);

/* Brackets every change: a separate transaction, or a savepoint within the caller's. Leave follows
 * each enter, also one that failed: it commits if `status` is TR_OK, otherwise rolls back, and returns
 * the combined status. Brackets nest: inner ones join the outer. */
tr_status tr_database_enter(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_database_leave(tr_catalogue *catalogue, tr_status status,
                            tr_error *error) TR_NODISCARD;
