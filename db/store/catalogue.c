#include "db/store/catalogue.h"

#include "db/store/database.h"
#include "db/store/rows.h"
#include "db/store/schema.h"
#include "db/store/upgrade.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- open, close --- */

/* Migrates in place, after saving a copy of the old file beside it. */
static tr_status migrate(sqlite3 *db, const char *path, int version, tr_error *error) {
    tr_status status = TR_OK;
    if (version > 0)
        status = tr_upgrade_keep(db, path, version, error);
    return status ? status : tr_schema_migrate(db, &tr_schema_migrations, version, error);
}

static tr_status turn_to_scratch(tr_catalogue *catalogue, int version, tr_error *error) {
    tr_status status = tr_upgrade_copy(&catalogue->db, version, error);
    return status ? status : tr_database_exec(catalogue->db, "PRAGMA query_only = OFF", error);
}

/* Does this mode write the file? */
static bool writes_file(tr_catalogue_mode mode) {
    return mode == TR_CATALOGUE_WRITE || mode == TR_CATALOGUE_CREATE;
}

/* A writer checks the file before it changes anything in it, even the journal mode. */
static tr_status prepare(tr_catalogue *catalogue, const char *path, tr_catalogue_mode mode,
                         tr_error *error) {
    bool writes = writes_file(mode);
    tr_schema_state state;
    tr_status status = tr_schema_inspect(catalogue->db, &tr_schema_migrations, &state, error);
    if (status)
        return status;
    if (state.empty && mode != TR_CATALOGUE_CREATE)
        return tr_fail(error, TR_FAILED_PRECONDITION, "not a catalogue, but empty");
    if (writes)
        status = tr_database_use_log(catalogue->db, error);
    if (!status && !state.empty)
        status = tr_database_check(catalogue->db, "quick_check(1)", error);
    if (!status && mode == TR_CATALOGUE_SCRATCH)
        return turn_to_scratch(catalogue, state.version, error);
    if (status || state.version == tr_schema_migrations.latest)
        return status;
    return writes ? migrate(catalogue->db, path, state.version, error)
                  : tr_upgrade_copy(&catalogue->db, state.version, error);
}

/* Has the file a write-ahead log that is not yet in it, as while a daemon uses it? */
static bool has_log(const char *path) {
    char *log = NULL;
    struct stat about;
    bool has = asprintf(&log, "%s-wal", path) >= 0 && stat(log, &about) == 0 && about.st_size > 0;
    free(log);
    return has;
}

/* May this user change the file and, for the log and its index, the folder? A file that does not exist
 * is left to SQLite. */
static bool may_write(const char *path) {
    char *copy = strdup(path);
    bool may = access(path, F_OK) != 0 ||
               (access(path, W_OK) == 0 && copy && access(dirname(copy), W_OK) == 0);
    free(copy);
    return may;
}

/* SQLite reads a file in WAL mode only where it may write beside it; one without a log, which does not
 * change then, can be read as it is. */
static tr_status choose_kind(const char *path, bool writes, tr_database_kind *out,
                             tr_error *error) {
    *out = writes ? TR_DATABASE_WRITER : TR_DATABASE_READER;
    if (may_write(path) || access(path, R_OK) != 0)
        return TR_OK;
    if (writes)
        return tr_fail(error, TR_PERMISSION_DENIED,
                       "%s: it, or its folder, is not writable for this user", path);
    if (has_log(path))
        return tr_fail(
            error, TR_PERMISSION_DENIED,
            "%s: it, or its folder, is not writable, and a daemon has changes in its log "
            "(%s-wal): copy both files to a folder of yours, or wait until it ends",
            path, path);
    *out = TR_DATABASE_SUSPECT;
    return TR_OK;
}

tr_status tr_catalogue_open(const char *path, tr_catalogue_mode mode, tr_catalogue **out,
                            tr_error *error) {
    bool writes = writes_file(mode);
    tr_catalogue *catalogue = calloc(1, sizeof *catalogue);
    if (!catalogue)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: out of memory", path);
    catalogue->writable = mode != TR_CATALOGUE_READ;
    tr_database_kind kind;
    tr_error inner = {0};
    tr_status status = choose_kind(path, writes, &kind, error);
    if (!status)
        status = tr_database_open(path, kind, mode == TR_CATALOGUE_CREATE, &catalogue->db, error);
    if (!status) {
        status = prepare(catalogue, path, mode, &inner);
        if (status)
            (void)tr_fail(error, status, "%.200s: %.280s", path, inner.message);
    }
    return TR_GIVE(status, catalogue, tr_catalogue_close, out);
}

const char *tr_catalogue_path(const tr_catalogue *catalogue) {
    return sqlite3_db_filename(catalogue->db, "main");
}

void tr_catalogue_close(tr_catalogue *catalogue) {
    if (!catalogue)
        return;
    tr_catalogue_rollback(catalogue);
    tr_database_close(catalogue);
    free(catalogue);
}

/* --- transactions --- */

tr_status tr_catalogue_begin(tr_catalogue *catalogue, tr_error *error) {
    if (catalogue->begun)
        return tr_fail(error, TR_FAILED_PRECONDITION, "catalogue: a transaction has already begun");
    if (!catalogue->writable)
        return tr_fail(error, TR_PERMISSION_DENIED, "catalogue: opened for reading");
    tr_database_settle(catalogue);
    tr_status status = tr_database_exec(catalogue->db, "BEGIN IMMEDIATE", error);
    catalogue->begun = !status;
    catalogue->spoiled = false;
    return status;
}

tr_status tr_catalogue_commit(tr_catalogue *catalogue, tr_error *error) {
    if (!catalogue->begun)
        return tr_fail(error, TR_FAILED_PRECONDITION, "catalogue: no transaction has begun");
    tr_status status = TR_OK;
    if (sqlite3_get_autocommit(catalogue->db) || catalogue->spoiled)
        status =
            tr_fail(error, TR_ABORTED, "catalogue: an earlier failure has rolled back all changes");
    else
        status = tr_database_exec(catalogue->db, "COMMIT", error);
    tr_catalogue_rollback(catalogue);
    return status;
}

void tr_catalogue_rollback(tr_catalogue *catalogue) {
    if (catalogue->begun && !sqlite3_get_autocommit(catalogue->db))
        sqlite3_exec(catalogue->db, "ROLLBACK", NULL, NULL, NULL);
    catalogue->begun = false;
}

tr_status tr_catalogue_end(tr_catalogue *catalogue, tr_status status, tr_error *error) {
    if (!status)
        return tr_catalogue_commit(catalogue, error);
    tr_catalogue_rollback(catalogue);
    return status;
}

/* --- summary, check --- */

tr_status tr_catalogue_summarize(tr_catalogue *catalogue, tr_catalogue_summary *out,
                                 tr_error *error) {
    tr_catalogue_summary summary = {.schema_version = tr_schema_migrations.latest};
    tr_query query =
        tr_query_begin(catalogue,
                       "SELECT (SELECT count(*) FROM model), (SELECT count(*) FROM clip), "
                       "(SELECT count(*) FROM run), (SELECT count(*) FROM fragment), "
                       "(SELECT count(*) FROM controller), "
                       "(SELECT count(*) FROM certificate), page_count * page_size "
                       "FROM pragma_page_count(), pragma_page_size()",
                       error);
    if (tr_query_next(&query)) {
        summary.models = tr_query_int64(&query);
        summary.clips = tr_query_int64(&query);
        summary.runs = tr_query_int64(&query);
        summary.fragments = tr_query_int64(&query);
        summary.controllers = tr_query_int64(&query);
        summary.certificates = tr_query_int64(&query);
        summary.size_bytes = tr_query_int64(&query);
    }
    tr_status status = tr_query_end(&query);
    if (!status)
        *out = summary;
    return status;
}

static tr_status check_orphans(sqlite3 *db, tr_error *error) {
    static const struct {
        const char *noun, *owner, *sql;
    } orphans[] = {{"fragment", "controller",
                    "SELECT count(*) FROM fragment WHERE id NOT IN "
                    "(SELECT fragment FROM controller_fragment)"},
                   {"state", "fragment",
                    "SELECT count(*) FROM state WHERE id NOT IN "
                    "(SELECT start_state FROM fragment UNION SELECT end_state FROM fragment)"}};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < 2; i++) {
        int64_t count = 0;
        status = tr_database_read_int(db, orphans[i].sql, &count, error);
        if (!status && count > 0)
            status = tr_fail(error, TR_DATA_LOSS, "%s: %lld of them belong to no %s",
                             orphans[i].noun, (long long)count, orphans[i].owner);
    }
    return status;
}

tr_status tr_catalogue_check(tr_catalogue *catalogue, tr_error *error) {
    static const tr_table *const nouns[6] = {&tr_model_columns, &tr_clip_columns,
                                             &tr_run_columns,   &tr_controller_columns,
                                             &tr_match_columns, &tr_certificate_columns};
    tr_status status = tr_database_check(catalogue->db, "integrity_check(1)", error);
    if (!status)
        status = tr_database_check(catalogue->db, "foreign_key_check", error);
    for (int i = 0; !status && i < 6; i++)
        status = tr_rows_verify(catalogue, nouns[i], error);
    return status ? status : check_orphans(catalogue->db, error);
}
