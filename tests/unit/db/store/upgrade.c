#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/store/database.h"
#include "db/store/schema.h"
#include "db/store/upgrade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUNDLE TR_SOURCE_DIR "/tests/data/db/two.troupe"

static void put_clip(fixture *f, const char *name) {
    tr_row_id id = 0;
    tr_clip_row clip = fixture_clip(name);
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
}

static void assert_has_clip(fixture *f, const char *path, const char *name, tr_status expected) {
    OWN(tr_catalogue) *opened = NULL;
    tr_clip_row out;
    assert_ok(tr_catalogue_open(path, TR_CATALOGUE_READ, &opened, &f->error));
    assert_int_equal(expected, tr_clips_find(opened, name, &out, &f->error));
}

/* What a build before the oldest schema wrote. Nothing in the file changes. */
TEST(an_older_schema_than_all_known_is_refused_with_the_remedy) {
    fixture *f = *given;
    size_t size, after_size;
    const char *path = fixture_file(f, "old.troupe");
    OWN_MEMORY unsigned char *whole = fixture_read(BUNDLE, &size);
    fixture_write(path, whole, size);
    fixture_sql(path, "PRAGMA user_version = 6");
    OWN_MEMORY unsigned char *before = fixture_read(path, &size);
    for (int mode = TR_CATALOGUE_READ; mode <= TR_CATALOGUE_CREATE + 1; mode++) {
        tr_catalogue *opened = NULL;
        tr_status status =
            mode > TR_CATALOGUE_CREATE
                ? tr_bundle_check(path, &f->error)
                : tr_catalogue_open(path, (tr_catalogue_mode)mode, &opened, &f->error);
        assert_status(TR_FAILED_PRECONDITION, status);
        assert_non_null(strstr(f->error.message, "schema 6 is older than 7"));
        assert_non_null(strstr(f->error.message, "open it once with"));
    }
    OWN_MEMORY unsigned char *after = fixture_read(path, &after_size);
    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
}

TEST(the_copy_that_is_kept_is_a_catalogue_and_replaces_an_earlier_one) {
    fixture *f = *given;
    char kept[128];
    snprintf(kept, sizeof kept, "%s.schema-7", f->path);
    for (int i = 0; i < 2; i++) {
        assert_ok(tr_upgrade_keep(f->catalogue->db, f->path, 7, &f->error));
        put_clip(f, i ? "third" : "second");
    }
    assert_has_clip(f, kept, "second", TR_OK);
    assert_has_clip(f, kept, "third", TR_NOT_FOUND);
}

TEST(without_room_for_the_copy_nothing_is_kept) {
    fixture *f = *given;
    char partial[128];
    snprintf(partial, sizeof partial, "%s.schema-7.partial", f->path);
    assert_int_equal(0, mkdir(partial, 0700));
    tr_status status = tr_upgrade_keep(f->catalogue->db, f->path, 7, &f->error);
    rmdir(partial);
    assert_status(TR_PERMISSION_DENIED, status);
    assert_non_null(strstr(f->error.message, "schema-7.partial"));
}

TEST(a_private_copy_leaves_the_file_as_it_is) {
    fixture *f = *given;
    put_clip(f, "first");
    assert_ok(tr_upgrade_copy(&f->catalogue->db, tr_schema_migrations.latest, &f->error));
    assert_ok(tr_database_exec(f->catalogue->db, "PRAGMA query_only = OFF", &f->error));
    put_clip(f, "second");
    assert_has_clip(f, f->path, "first", TR_OK);
    assert_has_clip(f, f->path, "second", TR_NOT_FOUND);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
