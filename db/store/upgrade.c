#include "db/store/upgrade.h"

#include "db/store/database.h"
#include "db/store/schema.h"
#include "proto/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tr_status copy(sqlite3 *from, sqlite3 *to, tr_error *error) {
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return tr_database_fail(to, "copy", error);
    int code = sqlite3_backup_step(backup, -1);
    int ended = sqlite3_backup_finish(backup);
    if (code == SQLITE_DONE && ended == SQLITE_OK)
        return TR_OK;
    return tr_database_fail(to, "copy", error);
}

tr_status tr_upgrade_copy(sqlite3 **db, int version, tr_error *error) {
    sqlite3 *to = NULL;
    tr_status status = tr_database_open("", TR_DATABASE_SCRATCH, true, &to, error);
    if (!status)
        status = copy(*db, to, error);
    if (!status)
        status = tr_schema_migrate(to, &tr_schema_migrations, version, error);
    if (!status)
        status = tr_database_exec(to, "PRAGMA query_only = ON", error);
    sqlite3_close(status ? to : *db);
    if (!status)
        *db = to;
    return status;
}

static tr_status write_partial(sqlite3 *db, const char *partial, tr_error *error) {
    sqlite3 *to = NULL;
    if (unlink(partial) != 0 && errno != ENOENT)
        return tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", partial, strerror(errno));
    tr_status status = tr_database_open(partial, TR_DATABASE_PRIVATE, true, &to, error);
    if (!status)
        status = copy(db, to, error);
    sqlite3_close(to);
    return status;
}

tr_status tr_upgrade_keep(sqlite3 *db, const char *path, int version, tr_error *error) {
    char *kept = NULL, *partial = NULL;
    tr_status status = TR_OK;
    if (asprintf(&kept, "%s.schema-%d", path, version) < 0 ||
        asprintf(&partial, "%s.partial", kept ? kept : "") < 0)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (!status)
        status = write_partial(db, partial, error);
    if (!status && !tr_file_replace(partial, kept))
        status = tr_fail(error, TR_UNAVAILABLE, "%s: %s", kept, strerror(errno));
    if (status && partial)
        unlink(partial);
    free(partial);
    free(kept);
    return status;
}
