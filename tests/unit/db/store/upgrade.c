#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/store/database.h"
#include "db/store/schema.h"
#include "unit/db/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OLD_BUNDLE TR_SOURCE_DIR "/tests/data/db/schema_1.troupe"

/* What a build of schema 1 wrote: a bundle as a catalogue at f->path. */
static void lay_old_catalogue(fixture *f) {
    size_t size;
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    unsigned char *bytes = fixture_read(OLD_BUNDLE, &size);
    fixture_write(f->path, bytes, size);
    free(bytes);
}

static int version_of(fixture *f, const char *path) {
    sqlite3 *db = NULL;
    tr_schema_state state;
    assert_ok(tr_database_open(path, TR_DATABASE_WRITER, false, &db, &f->error));
    assert_ok(tr_schema_inspect(db, tr_schema_migrations.count, &state, &f->error));
    assert_ok(tr_database_check(db, "integrity_check", &f->error));
    tr_migrations migrations = tr_schema_migrations;
    migrations.count = state.version;
    assert_ok(tr_schema_compare(db, &migrations, &f->error));
    sqlite3_close(db);
    return state.version;
}

static void assert_old_content(fixture *f, tr_catalogue *catalogue) {
    tr_controller_row row;
    tr_run_row run;
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_check(catalogue, &f->error));
    assert_ok(tr_catalogue_summarize(catalogue, &summary, &f->error));
    assert_int_equal(tr_schema_migrations.count, summary.schema_version);
    assert_int_equal(2, summary.controllers);
    assert_ok(tr_controllers_find(catalogue, "sway", &row, &f->error));
    assert_ok(tr_runs_get(catalogue, row.run_id, &run, &f->error));
    assert_int_equal(3, run.metric_count);
}

TEST(an_old_bundle_is_imported) {
    fixture *f = *given;
    size_t size, after_size;
    unsigned char *before = fixture_read(OLD_BUNDLE, &size);
    assert_ok(tr_bundle_check(OLD_BUNDLE, &f->error));
    assert_ok(tr_bundle_import(f->catalogue, OLD_BUNDLE, TR_BUNDLE_REFUSE, NULL, &f->error));
    assert_old_content(f, f->catalogue);
    unsigned char *after = fixture_read(OLD_BUNDLE, &after_size);
    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
}

/* The content is exported with the present schema, and both exports hold the same rows. */
TEST(an_old_bundle_is_exported_again) {
    fixture *f = *given;
    tr_controller_row row, again;
    const char *path = fixture_file(f, "new");
    assert_ok(tr_bundle_import(f->catalogue, OLD_BUNDLE, TR_BUNDLE_REFUSE, NULL, &f->error));
    assert_ok(tr_controllers_find(f->catalogue, "hold", &row, &f->error));
    assert_ok(tr_bundle_export(f->catalogue, &row.id, 1, path, &f->error));
    assert_int_equal(tr_schema_migrations.count, version_of(f, path));
    tr_catalogue *bundle = NULL;
    assert_ok(tr_catalogue_open(OLD_BUNDLE, TR_CATALOGUE_READ, &bundle, &f->error));
    assert_ok(tr_controllers_find(bundle, "hold", &again, &f->error));
    assert_true(tr_digest_equal(&row.digest, &again.digest));
    tr_catalogue_close(bundle);
}

TEST(an_old_catalogue_is_read_unchanged) {
    fixture *f = *given;
    tr_row_id id = 0;
    tr_clip_row clip = fixture_clip("clip");
    lay_old_catalogue(f);
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_READ, &f->catalogue, &f->error));
    assert_old_content(f, f->catalogue);
    assert_status(TR_PERMISSION_DENIED, tr_clips_put(f->catalogue, &clip, &id, &f->error));
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    assert_int_equal(1, version_of(f, f->path));
}

TEST(an_old_catalogue_is_upgraded_beside_a_copy) {
    fixture *f = *given;
    char kept[128];
    snprintf(kept, sizeof kept, "%s.schema-1", f->path);
    lay_old_catalogue(f);
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
    assert_old_content(f, f->catalogue);
    tr_row_id id = 0;
    tr_clip_row clip = fixture_clip("put since"), out;
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    assert_int_equal(tr_schema_migrations.count, version_of(f, f->path));
    assert_int_equal(1, version_of(f, kept));

    /* Back, and forward again: what was put since is gone, all else is there. */
    assert_int_equal(0, rename(kept, f->path));
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
    assert_old_content(f, f->catalogue);
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, "put since", &out, &f->error));
    assert_int_equal(0, access(kept, F_OK));
}

TEST(without_room_for_the_copy_nothing_is_upgraded) {
    fixture *f = *given;
    char partial[128];
    snprintf(partial, sizeof partial, "%s.schema-1.partial", f->path);
    lay_old_catalogue(f);
    assert_int_equal(0, mkdir(partial, 0700));
    tr_status status = tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error);
    rmdir(partial);
    assert_status(TR_PERMISSION_DENIED, status);
    assert_non_null(strstr(f->error.message, "schema-1.partial"));
    assert_int_equal(1, version_of(f, f->path));
}

/* Killed at any change, the catalogue has one whole schema, and opens again. */
TEST(an_upgrade_killed_at_any_change_can_be_repeated) {
    fixture *f = *given;
    char wal[128];
    snprintf(wal, sizeof wal, "%s-wal", f->path);
    int countdown = 0, status = 1, old = 0;
    while (status != 0) {
        unlink(wal);
        lay_old_catalogue(f);
        pid_t child = fork();
        if (child == 0) {
            tr_catalogue *opened = NULL;
            faults_install(FAULT_KILL, countdown + fixture_stride());
            if (tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &opened, NULL))
                _exit(1);
            tr_catalogue_close(opened);
            _exit(0);
        }
        countdown += fixture_stride();
        assert_int_equal(child, waitpid(child, &status, 0));
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        old += version_of(f, f->path) == 1;
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
        assert_old_content(f, f->catalogue);
    }
    print_message("killed at up to %d changes, %d before the migration\n", countdown - 1, old);
    assert_true(countdown > old && old > 5 / fixture_stride());
}

/* Old bundles are distrusted like new ones. */
TEST(a_changed_old_bundle_is_refused) {
    fixture *f = *given;
    static const char *const changes[] = {
        "CREATE TABLE extra (a)",
        "CREATE TABLE certificate (id INTEGER PRIMARY KEY)",
        "DROP INDEX clip_by_digest",
        "CREATE TRIGGER t AFTER INSERT ON clip BEGIN DELETE FROM clip; END",
        "UPDATE run SET seed = 8",
        "UPDATE controller SET model = 77",
        "PRAGMA user_version = 2",
    };
    size_t size;
    unsigned char *whole = fixture_read(OLD_BUNDLE, &size);
    const char *path = fixture_file(f, "changed");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fixture_write(path, whole, size);
        fixture_sql(path, changes[i]);
        if (!tr_bundle_import(f->catalogue, path, TR_BUNDLE_REFUSE, NULL, &f->error))
            fail_msg("imported after: %s", changes[i]);
    }
    free(whole);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
