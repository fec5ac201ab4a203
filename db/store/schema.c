#include "db/store/schema.h"

#include "db/store/database.h"

#include <stdio.h>
#include <string.h>

tr_status tr_schema_inspect(sqlite3 *db, const tr_migrations *migrations, tr_schema_state *out,
                            tr_error *error) {
    const int oldest = migrations->oldest, latest = migrations->latest;
    int64_t application = 0, version = 0, objects = 0;
    tr_status status = tr_database_read_int(db, "PRAGMA application_id", &application, error);
    if (!status)
        status = tr_database_read_int(db, "PRAGMA user_version", &version, error);
    if (!status)
        status = tr_database_read_int(db, "SELECT count(*) FROM sqlite_schema", &objects, error);
    if (status)
        return status;

    bool empty = application == 0 && version == 0 && objects == 0;
    if (!empty && application != TR_APPLICATION_ID)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "not a catalogue, but another SQLite database");
    if (!empty && version > latest)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "schema %lld is newer than %d, the newest that this build knows",
                       (long long)version, latest);
    if (!empty && version < 1)
        return tr_fail(error, TR_DATA_LOSS, "schema %lld: expected %d to %d", (long long)version,
                       oldest, latest);
    if (!empty && version < oldest)
        return tr_fail(
            error, TR_FAILED_PRECONDITION,
            "schema %lld is older than %d, the oldest that this build knows: open it once "
            "with a build of 30 November 2026 (commit a36e6f48), which upgrades it",
            (long long)version, oldest);
    *out = (tr_schema_state){empty, (int)version};
    return TR_OK;
}

/* Within the transaction: foreign keys are checked at its end, because rebuilding a table breaks
 * them on the way. */
static tr_status apply(sqlite3 *db, const tr_migrations *migrations, int version, tr_error *error) {
    char numbers[96];
    snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             TR_APPLICATION_ID, version);
    tr_status status = tr_database_exec(db, migrations->sql[version - migrations->oldest], error);
    if (!status)
        status = tr_database_exec(db, numbers, error);
    if (!status)
        status = tr_database_check(db, "foreign_key_check", error);
    if (!status)
        status = tr_database_exec(db, "COMMIT", error);
    return status;
}

tr_status tr_schema_migrate(sqlite3 *db, const tr_migrations *migrations, int version,
                            tr_error *error) {
    tr_status status = tr_database_exec(db, "PRAGMA foreign_keys = OFF", error);
    int next = version > 0 ? version + 1 : migrations->oldest;
    for (; !status && next <= migrations->latest; next++) {
        status = tr_database_exec(db, "BEGIN IMMEDIATE", error);
        if (!status)
            status = apply(db, migrations, next, error);
        if (status && !sqlite3_get_autocommit(db))
            sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    if (!status)
        status = tr_database_exec(db, "PRAGMA foreign_keys = ON", error);
    return status;
}

/* --- comparison --- */

static const char *const objects_sql =
    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";

static bool same_column(sqlite3_stmt *a, sqlite3_stmt *b, int column) {
    int size = sqlite3_column_bytes(a, column);
    if (sqlite3_column_type(a, column) != sqlite3_column_type(b, column) ||
        size != sqlite3_column_bytes(b, column))
        return false;
    return size == 0 || memcmp(sqlite3_column_blob(a, column), sqlite3_column_blob(b, column),
                               (size_t)size) == 0;
}

static tr_status differ(sqlite3_stmt *row, const char *how, tr_error *error) {
    const char *type = (const char *)sqlite3_column_text(row, 0);
    const char *name = (const char *)sqlite3_column_text(row, 1);
    return tr_fail(error, TR_FAILED_PRECONDITION, "schema: %s '%.60s' %s", type ? type : "object",
                   name ? name : "", how);
}

/* Walks both lists, which have the same order, to the end or to the first difference. */
static tr_status compare_objects(sqlite3_stmt *found, sqlite3_stmt *expected, sqlite3 *db,
                                 tr_error *error) {
    for (;;) {
        int a = sqlite3_step(found), b = sqlite3_step(expected);
        if (a != SQLITE_ROW && a != SQLITE_DONE)
            return tr_database_fail(db, "schema", error);
        if (b != SQLITE_ROW && b != SQLITE_DONE)
            return tr_fail(error, TR_RESOURCE_EXHAUSTED, "schema: no memory to compare it");
        if (a == SQLITE_DONE && b == SQLITE_DONE)
            return TR_OK;
        if (a == SQLITE_DONE)
            return differ(expected, "is missing", error);
        if (b == SQLITE_DONE || !same_column(found, expected, 0) ||
            !same_column(found, expected, 1))
            return differ(found, "is not expected here", error);
        if (!same_column(found, expected, 2) || !same_column(found, expected, 3))
            return differ(found, "differs from the expected one", error);
    }
}

tr_status tr_schema_compare(sqlite3 *db, const tr_migrations *migrations, tr_error *error) {
    sqlite3 *model = NULL;
    sqlite3_stmt *found = NULL, *expected = NULL;
    tr_status status = tr_database_open("", TR_DATABASE_MEMORY, false, &model, error);
    if (!status)
        status = tr_schema_migrate(model, migrations, 0, error);
    if (status)
        goto done;
    if (sqlite3_prepare_v2(db, objects_sql, -1, &found, NULL) != SQLITE_OK)
        status = tr_database_fail(db, "schema", error);
    else if (sqlite3_prepare_v2(model, objects_sql, -1, &expected, NULL) != SQLITE_OK)
        status = tr_database_fail(model, "schema", error);
    else
        status = compare_objects(found, expected, db, error);
done:
    sqlite3_finalize(found);
    sqlite3_finalize(expected);
    sqlite3_close(model);
    return status;
}
