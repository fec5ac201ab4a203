#include "db/store/database.h"

#include "db/store/pack.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- errors --- */

static tr_status translate(int code) {
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return TR_OK;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
        return TR_UNAVAILABLE;
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
        return TR_RESOURCE_EXHAUSTED;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return TR_PERMISSION_DENIED;
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
        return TR_DATA_LOSS;
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:
        return TR_FAILED_PRECONDITION;
    case SQLITE_CANTOPEN:
        return TR_NOT_FOUND;
    default:
        return TR_INTERNAL;
    }
}

void tr_database_close(tr_catalogue *catalogue) {
    tr_model_destroy(catalogue->model);
    catalogue->model = NULL;
    sqlite3_close(catalogue->db);
    catalogue->db = NULL;
}

tr_status tr_database_fail(sqlite3 *db, const char *what, tr_error *error) {
    tr_status status = translate(sqlite3_extended_errcode(db));
    if (status == TR_UNAVAILABLE && (sqlite3_errcode(db) & 0xff) == SQLITE_BUSY)
        return tr_fail(error, status, "%s: in use by another process", what);
    if (sqlite3_errcode(db) == SQLITE_NOTADB)
        return tr_fail(error, status, "not a catalogue or bundle, but another file");
    return tr_fail(error, status ? status : TR_INTERNAL, "%s: %s", what, sqlite3_errmsg(db));
}

/* --- opening --- */

static void distrust_schema(sqlite3 *db) {
    static const struct {
        int option, value;
    } options[] = {
        {SQLITE_DBCONFIG_ENABLE_FKEY, 1},    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        sqlite3_db_config(db, options[i].option, options[i].value, (int *)NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, TR_VALUE_SIZE_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 16);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    /* Cascading deletes count as nested triggers. */
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 3);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

static const char writer_settings[] =
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON;"
    "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304";
static const char *const settings[] = {
    [TR_DATABASE_READER] = "PRAGMA query_only = ON; PRAGMA cell_size_check = ON",
    [TR_DATABASE_WRITER] = writer_settings,
    [TR_DATABASE_PRIVATE] = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL",
    [TR_DATABASE_SUSPECT] =
        "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0",
    [TR_DATABASE_SCRATCH] = "",
    [TR_DATABASE_MEMORY] = "",
};

/* "file:" and the path, all but plain characters as %XX, and the parameters of an immutable file;
 * for the caller to free. */
static char *immutable_uri(const char *path) {
    static const char digits[] = "0123456789abcdef";
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    static const char parameters[] = "?mode=ro&immutable=1";
    char *uri = malloc(strlen("file:") + 3 * strlen(path) + sizeof parameters);
    if (!uri)
        return NULL;
    char *at = stpcpy(uri, "file:");
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (strchr(plain, c)) {
            *at++ = (char)c;
        } else {
            *at++ = '%';
            *at++ = digits[c >> 4];
            *at++ = digits[c & 15];
        }
    }
    memcpy(at, parameters, sizeof parameters);
    return uri;
}

static int open_connection(const char *path, tr_database_kind kind, bool create, sqlite3 **out) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (kind == TR_DATABASE_MEMORY)
        return sqlite3_open_v2(":memory:", out, flags | SQLITE_OPEN_READWRITE, NULL);
    if (kind == TR_DATABASE_SUSPECT) {
        char *uri = immutable_uri(path);
        int code =
            uri ? sqlite3_open_v2(uri, out, flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL)
                : SQLITE_NOMEM;
        free(uri);
        return code;
    }
    flags |= SQLITE_OPEN_READWRITE;
    if (kind == TR_DATABASE_SCRATCH)
        return sqlite3_open_v2("", out, flags | SQLITE_OPEN_CREATE, NULL);
    if (kind == TR_DATABASE_PRIVATE || (kind == TR_DATABASE_WRITER && create))
        flags |= SQLITE_OPEN_CREATE;
    return sqlite3_open_v2(path, out, flags, NULL);
}

tr_status tr_database_open(const char *path, tr_database_kind kind, bool create, sqlite3 **out,
                           tr_error *error) {
    sqlite3 *db = NULL;
    tr_status status = TR_OK;
    int code = open_connection(path, kind, create, &db);
    if (code != SQLITE_OK) {
        int cause = sqlite3_system_errno(db);
        status =
            tr_fail(error, translate(code), "%s: %s", path,
                    code == SQLITE_CANTOPEN && cause != 0 ? strerror(cause) : sqlite3_errstr(code));
    } else {
        distrust_schema(db);
        sqlite3_busy_timeout(db, TR_BUSY_TIMEOUT_MS);
        if (sqlite3_exec(db, settings[kind], NULL, NULL, NULL) != SQLITE_OK)
            status = tr_database_fail(db, path, error);
        if (!status)
            status = tr_pack_register(db, error);
    }
    return TR_GIVE(status, db, sqlite3_close, out);
}

/* --- statements without rows --- */

tr_status tr_database_exec(sqlite3 *db, const char *sql, tr_error *error) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return TR_OK;
    return tr_database_fail(db, "catalogue", error);
}

/* Prepares a statement and steps to its first row; SQLITE_ROW, SQLITE_DONE or a failure. */
static int first_row(sqlite3 *db, const char *sql, sqlite3_stmt **out) {
    int code = sqlite3_prepare_v2(db, sql, -1, out, NULL);
    return code == SQLITE_OK ? sqlite3_step(*out) : code;
}

tr_status tr_database_read_int(sqlite3 *db, const char *sql, int64_t *out, tr_error *error) {
    sqlite3_stmt *statement = NULL;
    tr_status status = TR_OK;
    if (first_row(db, sql, &statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else
        status = tr_database_fail(db, "catalogue", error);
    sqlite3_finalize(statement);
    return status;
}

/* SQLite answers with the resulting mode, which differs for a file that is not on a disk. */
tr_status tr_database_use_log(sqlite3 *db, tr_error *error) {
    sqlite3_stmt *statement = NULL;
    tr_status status = TR_OK;
    const bool answers = first_row(db, "PRAGMA journal_mode = WAL", &statement) == SQLITE_ROW;
    const char *mode = answers ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (!mode)
        status = tr_database_fail(db, "journal_mode", error);
    else if (strcmp(mode, "wal") != 0)
        status = tr_fail(error, TR_FAILED_PRECONDITION, "cannot have a write-ahead log");
    sqlite3_finalize(statement);
    return status;
}

/* Integrity checks answer one row, "ok"; foreign_key_check answers no rows. The error quotes the
 * first column of any other answer. */
static tr_status check_once(sqlite3 *db, const char *pragma, tr_error *error) {
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA %s", pragma);
    sqlite3_stmt *statement = NULL;
    tr_status status = TR_OK;
    const int code = first_row(db, sql, &statement);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : "ok";
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = tr_database_fail(db, pragma, error);
    else if (!text || strcmp(text, "ok") != 0)
        status = tr_fail(error, TR_DATA_LOSS, "%s: %.200s", pragma, text ? text : "no answer");
    sqlite3_finalize(statement);
    return status;
}

/* SQLite also reports pages that it had no memory to read as damaged: a second look decides. */
tr_status tr_database_check(sqlite3 *db, const char *pragma, tr_error *error) {
    tr_status status = check_once(db, pragma, error);
    return status == TR_DATA_LOSS ? check_once(db, pragma, error) : status;
}

/* --- brackets of changes --- */

void tr_database_settle(tr_catalogue *catalogue) {
    if (!catalogue->begun && !catalogue->entered && !sqlite3_get_autocommit(catalogue->db))
        sqlite3_exec(catalogue->db, "ROLLBACK", NULL, NULL, NULL);
}

tr_status tr_database_enter(tr_catalogue *catalogue, tr_error *error) {
    if (catalogue->depth++ > 0)
        return TR_OK;
    if (!catalogue->writable)
        return tr_fail(error, TR_PERMISSION_DENIED, "catalogue: opened for reading");
    tr_database_settle(catalogue);
    const char *sql = catalogue->begun ? "SAVEPOINT change" : "BEGIN IMMEDIATE";
    tr_status status = tr_database_exec(catalogue->db, sql, error);
    catalogue->entered = !status;
    return status;
}

/* A full disk or a damaged file makes SQLite roll back the whole transaction. Then nothing is left
 * to roll back here, and tr_catalogue_commit reports it. */
static void take_back(tr_catalogue *catalogue) {
    const char *sql = catalogue->begun ? "ROLLBACK TO change; RELEASE change" : "ROLLBACK";
    if (catalogue->entered && !sqlite3_get_autocommit(catalogue->db) &&
        sqlite3_exec(catalogue->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        catalogue->spoiled = catalogue->begun;
}

tr_status tr_database_leave(tr_catalogue *catalogue, tr_status status, tr_error *error) {
    if (--catalogue->depth > 0)
        return status;
    if (!status)
        status =
            tr_database_exec(catalogue->db, catalogue->begun ? "RELEASE change" : "COMMIT", error);
    if (status)
        take_back(catalogue);
    catalogue->entered = false;
    return status;
}
