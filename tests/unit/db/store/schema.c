#include "unit/db/fixture.h"

#include "db/store/database.h"
#include "db/store/schema.h"
#include "unit/db/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SCHEMA_MAX = 16 };

/* The next schema as a later build may have it: a table, a column, and every row of a table
 * touched. */
static const char *const later_sql =
    "CREATE TABLE later (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE INDEX clip_by_skeleton ON clip (skeleton);"
    "ALTER TABLE clip ADD COLUMN note TEXT NOT NULL DEFAULT '';"
    "UPDATE clip SET note = printf('%0200d', id)";

/* The migrations of this build and `next`, which leads to its schema + 1. */
static tr_migrations extended(const char *next) {
    static const char *list[SCHEMA_MAX];
    const tr_migrations *present = &tr_schema_migrations;
    const int count = present->latest - present->oldest + 1;
    assert_true(present->latest < SCHEMA_MAX);
    memcpy(list, present->sql, (size_t)count * sizeof *list);
    list[count] = next;
    return (tr_migrations){list, present->oldest, present->latest + 1};
}

static tr_migrations later(void) {
    return extended(later_sql);
}

static void fill(fixture *f) {
    tr_row_id id;
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    for (int i = 0; i < 100; i++) {
        char name[24];
        snprintf(name, sizeof name, "clip %d", i);
        tr_clip_row clip = fixture_clip(name);
        assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    }
    assert_ok(tr_catalogue_commit(f->catalogue, &f->error));
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
}

static tr_status migrate_to_later(const char *path, tr_error *error) {
    sqlite3 *db = NULL;
    tr_migrations migrations = later();
    tr_status status = tr_database_open(path, TR_DATABASE_WRITER, false, &db, error);
    if (!status)
        status = tr_schema_migrate(db, &migrations, tr_schema_migrations.latest, error);
    sqlite3_close(db);
    return status;
}

/* The version that a file states, after checking that its schema is exactly that version's and that
 * all rows exist. */
static int whole_version(fixture *f) {
    sqlite3 *db = NULL;
    tr_schema_state found;
    int64_t clips = 0, notes = 0;
    tr_migrations migrations = later();
    assert_ok(tr_database_open(f->path, TR_DATABASE_WRITER, false, &db, &f->error));
    assert_ok(tr_schema_inspect(db, &migrations, &found, &f->error));
    assert_ok(tr_database_check(db, "integrity_check", &f->error));
    migrations.latest = found.version;
    assert_ok(tr_schema_compare(db, &migrations, &f->error));
    assert_ok(tr_database_read_int(db, "SELECT count(*) FROM clip", &clips, &f->error));
    assert_int_equal(100, clips);
    if (found.version > tr_schema_migrations.latest) {
        assert_ok(tr_database_read_int(db, "SELECT count(*) FROM clip WHERE length(note) = 200",
                                       &notes, &f->error));
        assert_int_equal(100, notes);
    }
    sqlite3_close(db);
    return found.version;
}

/* In a child process, which dies at its `countdown`-th change of the disk. True: it ended without
 * dying. */
static bool migrate_and_die(fixture *f, int countdown) {
    pid_t child = fork();
    if (child == 0) {
        faults_install(FAULT_KILL, countdown);
        _exit(!migrate_to_later(f->path, NULL) ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return !WIFSIGNALED(status);
}

TEST(a_migration_killed_at_any_change_leaves_one_schema_whole) {
    static unsigned char *before; /* a child's as well, which ends without freeing it */
    fixture *f = *given;
    size_t size;
    fill(f);
    before = fixture_read(f->path, &size);
    int seen[SCHEMA_MAX + 1] = {0}, countdown = 0, present = tr_schema_migrations.latest;
    bool finished = false;
    char wal[sizeof f->path + 8];
    snprintf(wal, sizeof wal, "%s-wal", f->path);
    while (!finished) {
        unlink(wal);
        fixture_write(f->path, before, size);
        finished = migrate_and_die(f, countdown += fixture_stride());
        seen[whole_version(f)]++;
    }
    print_message("killed at up to %d changes: old schema %d times, new %d\n", countdown - 1,
                  seen[present], seen[present + 1]);
    assert_true(seen[present] > 5 / fixture_stride());
    assert_true(seen[present + 1] > 5 / fixture_stride());
    free(before);
}

TEST(a_migration_that_fails_leaves_the_old_schema) {
    fixture *f = *given;
    fill(f);
    sqlite3 *db = NULL;
    static const char *const bad[] = {
        "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; UPDATE clip SET nothing = 1",
        "DELETE FROM run_parent; INSERT INTO run_parent VALUES (8, 0, 7)",
    };
    int present = tr_schema_migrations.latest;
    assert_ok(tr_database_open(f->path, TR_DATABASE_WRITER, false, &db, &f->error));
    tr_migrations migrations = extended(bad[0]);
    assert_true(tr_schema_migrate(db, &migrations, present, &f->error) != TR_OK);
    assert_non_null(strstr(f->error.message, "nothing"));
    migrations = extended(bad[1]);
    assert_status(TR_DATA_LOSS, tr_schema_migrate(db, &migrations, present, &f->error));
    sqlite3_close(db);
    assert_int_equal(present, whole_version(f));
}

TEST(a_newer_schema_is_refused_with_both_numbers) {
    fixture *f = *given;
    char message[64];
    int present = tr_schema_migrations.latest;
    snprintf(message, sizeof message, "schema %d is newer than %d", present + 1, present);
    fill(f);
    assert_ok(migrate_to_later(f->path, &f->error));
    const tr_catalogue_mode modes[] = {TR_CATALOGUE_READ, TR_CATALOGUE_WRITE, TR_CATALOGUE_CREATE};
    for (int i = 0; i < 3; i++) {
        assert_status(TR_FAILED_PRECONDITION,
                      tr_catalogue_open(f->path, modes[i], &f->catalogue, &f->error));
        assert_non_null(strstr(f->error.message, message));
    }
    assert_int_equal(present + 1, whole_version(f));
}

TEST(creation_killed_at_any_change_can_be_repeated) {
    fixture *f = *given;
    char path[128], wal[144];
    snprintf(path, sizeof path, "%s/new", f->folder);
    snprintf(wal, sizeof wal, "%s-wal", path);
    int countdown = 0, status = 1;
    while (status != 0) {
        unlink(path);
        unlink(wal);
        pid_t child = fork();
        if (child == 0) {
            tr_catalogue *made = NULL;
            faults_install(FAULT_KILL, countdown + fixture_stride());
            if (tr_catalogue_open(path, TR_CATALOGUE_CREATE, &made, NULL))
                _exit(1);
            tr_catalogue_close(made);
            _exit(0);
        }
        countdown += fixture_stride();
        assert_int_equal(child, waitpid(child, &status, 0));
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        OWN(tr_catalogue) *again = NULL;
        assert_ok(tr_catalogue_open(path, TR_CATALOGUE_CREATE, &again, &f->error));
        assert_ok(tr_catalogue_check(again, &f->error));
    }
    print_message("killed at up to %d changes\n", countdown - 1);
    assert_true(countdown > 5);
}

TEST(a_schema_is_compared_to_the_letter) {
    fixture *f = *given;
    static const char *const changes[] = {
        "CREATE TABLE extra (a)",
        "CREATE VIEW extra AS SELECT 1",
        "CREATE TRIGGER extra AFTER INSERT ON clip BEGIN SELECT 1; END",
        "CREATE INDEX extra ON clip (licence)",
        "DROP INDEX clip_by_digest",
        "DROP TABLE run_metric",
        "ALTER TABLE clip ADD COLUMN extra TEXT",
        "ALTER TABLE clip RENAME COLUMN licence TO license",
        "INSERT INTO clip SELECT 1, 'a', zeroblob(32), '', '', zeroblob(32), '', 1, 1.0, 0, 0, 0;"
        "ANALYZE",
    };
    size_t size;
    sqlite3 *db = NULL;
    fixture_reopen(f);
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    OWN_MEMORY unsigned char *whole = fixture_read(f->path, &size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fixture_write(f->path, whole, size);
        fixture_sql(f->path, changes[i]);
        assert_ok(tr_database_open(f->path, TR_DATABASE_READER, false, &db, &f->error));
        assert_status(TR_FAILED_PRECONDITION,
                      tr_schema_compare(db, &tr_schema_migrations, &f->error));
        sqlite3_close(db);
    }
    fixture_write(f->path, whole, size);
    assert_ok(tr_database_open(f->path, TR_DATABASE_READER, false, &db, &f->error));
    assert_ok(tr_schema_compare(db, &tr_schema_migrations, &f->error));
    sqlite3_close(db);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
