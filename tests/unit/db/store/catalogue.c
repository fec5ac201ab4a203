#include "unit/db/fixture.h"

#include "db/store/database.h"
#include "db/store/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tr_status reopen(fixture *f, tr_catalogue_mode mode) {
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    return tr_catalogue_open(f->path, mode, &f->catalogue, &f->error);
}

TEST(modes_act_as_documented) {
    fixture *f = *given;
    const char *missing = fixture_file(f, "missing");
    tr_catalogue *other = NULL;
    tr_row_id id = 0;
    tr_clip_row clip = fixture_clip("clip"), out;
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_status(TR_NOT_FOUND, tr_catalogue_open(missing, TR_CATALOGUE_READ, &other, &f->error));
    assert_status(TR_NOT_FOUND, tr_catalogue_open(missing, TR_CATALOGUE_WRITE, &other, &f->error));
    assert_null(other);
    assert_int_not_equal(0, access(missing, F_OK));

    assert_ok(reopen(f, TR_CATALOGUE_READ));
    assert_ok(tr_clips_get(f->catalogue, id, &out, &f->error));
    strcpy(clip.name, "other");
    assert_status(TR_PERMISSION_DENIED, tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_status(TR_PERMISSION_DENIED, tr_rows_remove(f->catalogue, TR_NOUN_CLIP, id, &f->error));
    assert_status(TR_PERMISSION_DENIED, tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(reopen(f, TR_CATALOGUE_CREATE));
    assert_ok(tr_clips_get(f->catalogue, id, &out, &f->error));
}

TEST(a_scratch_is_written_and_the_file_is_not) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("clip"), out;
    tr_row_id id = 0;
    tr_catalogue *other = NULL;
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(reopen(f, TR_CATALOGUE_SCRATCH));
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &other, &f->error));
    assert_ok(tr_clips_find(f->catalogue, "clip", &out, &f->error));
    strcpy(clip.name, "other");
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(tr_catalogue_commit(f->catalogue, &f->error));
    assert_ok(tr_clips_find(f->catalogue, "other", &out, &f->error));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    assert_status(TR_NOT_FOUND, tr_clips_find(other, "other", &out, &f->error));
    tr_catalogue_close(other);
    assert_ok(reopen(f, TR_CATALOGUE_READ));
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, "other", &out, &f->error));
}

TEST(a_second_writer_is_refused) {
    fixture *f = *given;
    tr_catalogue *other = NULL;
    assert_status(TR_UNAVAILABLE,
                  tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &other, &f->error));
    assert_non_null(strstr(f->error.message, "in use"));
    assert_non_null(strstr(f->error.message, f->path));
    assert_ok(reopen(f, TR_CATALOGUE_WRITE));
}

TEST(a_file_that_is_not_a_catalogue_is_not_changed) {
    fixture *f = *given;
    tr_catalogue *other = NULL;
    static const char text[] = "This is a text of more than sixteen bytes, and no database at all.";
    const char *path = fixture_file(f, "other");
    fixture_write(path, text, sizeof text);
    assert_status(TR_FAILED_PRECONDITION,
                  tr_catalogue_open(path, TR_CATALOGUE_CREATE, &other, &f->error));
    size_t size;
    unsigned char *after = fixture_read(path, &size);
    assert_int_equal(sizeof text, size);
    assert_memory_equal(text, after, size);
    free(after);

    unlink(path);
    fixture_sql(path, "CREATE TABLE notes (text)");
    unsigned char *before = fixture_read(path, &size);
    assert_status(TR_FAILED_PRECONDITION,
                  tr_catalogue_open(path, TR_CATALOGUE_CREATE, &other, &f->error));
    assert_non_null(strstr(f->error.message, "not a catalogue"));
    after = fixture_read(path, &size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    assert_null(other);
}

TEST(an_empty_file_is_only_created_into) {
    fixture *f = *given;
    OWN(tr_catalogue) *other = NULL;
    const char *path = fixture_file(f, "empty");
    fixture_write(path, "", 0);
    assert_status(TR_FAILED_PRECONDITION,
                  tr_catalogue_open(path, TR_CATALOGUE_WRITE, &other, &f->error));
    assert_ok(tr_catalogue_open(path, TR_CATALOGUE_CREATE, &other, &f->error));
}

TEST(several_puts_are_one) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("a"), bad = fixture_clip("a"), out;
    tr_row_id id = 0;
    bad.last_frame++;
    assert_status(TR_FAILED_PRECONDITION, tr_catalogue_commit(f->catalogue, &f->error));
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    assert_status(TR_FAILED_PRECONDITION, tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_status(TR_ALREADY_EXISTS, tr_clips_put(f->catalogue, &bad, &id, &f->error));
    strcpy(clip.name, "b");
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    tr_catalogue_rollback(f->catalogue);
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, "a", &out, &f->error));

    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(tr_catalogue_commit(f->catalogue, &f->error));
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    strcpy(clip.name, "c");
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(reopen(f, TR_CATALOGUE_WRITE)); /* closed without a commit */
    assert_ok(tr_clips_find(f->catalogue, "b", &out, &f->error));
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, "c", &out, &f->error));
}

TEST(an_end_commits_after_success) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("a"), out;
    tr_row_id id = 0;
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_status(TR_ABORTED, tr_catalogue_end(f->catalogue, TR_ABORTED, &f->error));
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, "a", &out, &f->error));
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(tr_catalogue_end(f->catalogue, TR_OK, &f->error));
    assert_ok(reopen(f, TR_CATALOGUE_WRITE));
    assert_ok(tr_clips_find(f->catalogue, "a", &out, &f->error));
    assert_status(TR_FAILED_PRECONDITION, tr_catalogue_end(f->catalogue, TR_OK, &f->error));
}

TEST(a_damaged_file_is_reported_on_opening) {
    fixture *f = *given;
    size_t size;
    fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    OWN_MEMORY unsigned char *bytes = fixture_read(f->path, &size);
    memset(bytes + size / 2 / 4096 * 4096, 0xee, 64);
    fixture_write(f->path, bytes, size);
    assert_status(TR_DATA_LOSS,
                  tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
    assert_null(f->catalogue);
}

TEST(the_check_reads_every_row) {
    fixture *f = *given;
    static const char *const damage[] = {
        "UPDATE clip SET licence = 'none'",
        "UPDATE clip SET file_digest = zeroblob(32)",
        "UPDATE clip SET name = ' x'",
        "UPDATE clip SET last_frame = 5000",
        "UPDATE run SET seed = 8",
        "UPDATE run SET host = CAST(x'ff' AS TEXT)",
        "UPDATE run SET ended_ns = 0",
        "UPDATE run_metric SET value = value + 1e-9 WHERE iteration = 1",
        "DELETE FROM run_metric WHERE iteration = 1",
        "UPDATE run_metric SET value = 9e999 WHERE iteration = 1",
        "UPDATE model SET body_count = 3",
        "UPDATE model SET mjcf = 'x'",
        "DELETE FROM controller_fragment; DELETE FROM controller",
        "DELETE FROM run",
        "INSERT INTO run_parent VALUES (1, 0, 1)",
    };
    size_t size;
    fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    OWN_MEMORY unsigned char *whole = fixture_read(f->path, &size);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        fixture_write(f->path, whole, size);
        fixture_sql(f->path, damage[i]);
        tr_status status = tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error);
        if (!status)
            status = tr_catalogue_check(f->catalogue, &f->error);
        if (status != TR_DATA_LOSS && status != TR_INVALID_ARGUMENT)
            fail_msg("%s: %s", damage[i], tr_status_name(status));
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
    }
}

TEST(texts_cannot_become_sql) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("'; DROP TABLE clip; --"), out;
    tr_row_id id = 0;
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(tr_clips_find(f->catalogue, clip.name, &out, &f->error));
    assert_string_equal(clip.name, out.name);
}

/* A rollback needs memory; without it the transaction stays open. */
TEST(a_transaction_that_was_not_rolled_back_is_later) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("refused"), out;
    tr_row_id id = 0;
    assert_ok(tr_database_exec(f->catalogue->db, "BEGIN IMMEDIATE", &f->error));
    f->catalogue->depth = 1, f->catalogue->entered = true;
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    f->catalogue->depth = 0, f->catalogue->entered = false;
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, clip.name, &out, &f->error));
    assert_ok(tr_database_exec(f->catalogue->db, "BEGIN IMMEDIATE", &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    assert_ok(tr_clips_find(f->catalogue, clip.name, &out, &f->error));
}

/* Another user, who may read the file alone: root's own rights would hide it. */
TEST(a_file_of_another_user_is_read_unless_a_daemon_has_changed_it) {
    fixture *f = *given;
    tr_catalogue *other = NULL;
    char log[128];
    snprintf(log, sizeof log, "%s-wal", f->path);
    const uid_t mine = getuid();
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_int_equal(setreuid(mine ? mine : 65534, mine), 0);
    tr_status written = tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &other, &f->error);
    tr_status absent = tr_catalogue_open("/no/such", TR_CATALOGUE_READ, &other, NULL);
    tr_status read = tr_catalogue_open(f->path, TR_CATALOGUE_READ, &other, &f->error);
    tr_catalogue_close(other);
    assert_int_equal(setreuid(mine, mine), 0);
    assert_int_equal(chmod(f->folder, 0755), 0);
    fixture_write(log, "not yet in the file", 19);
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_int_equal(setreuid(mine ? mine : 65534, mine), 0);
    tr_status changed = tr_catalogue_open(f->path, TR_CATALOGUE_READ, &other, &f->error);
    assert_int_equal(setreuid(mine, mine), 0);
    assert_int_equal(chmod(f->folder, 0755), 0);
    assert_status(TR_PERMISSION_DENIED, written);
    assert_status(TR_NOT_FOUND, absent);
    assert_ok(read);
    assert_status(TR_PERMISSION_DENIED, changed);
    assert_non_null(strstr(f->error.message, "-wal): copy both files"));
    assert_int_equal(unlink(log), 0);
}

TEST(a_transaction_with_a_lost_change_does_not_commit) {
    fixture *f = *given;
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    f->catalogue->spoiled = true;
    assert_status(TR_ABORTED, tr_catalogue_commit(f->catalogue, &f->error));
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    assert_ok(tr_database_exec(f->catalogue->db, "ROLLBACK", &f->error));
    assert_status(TR_ABORTED, tr_catalogue_commit(f->catalogue, &f->error));
    assert_status(
        TR_FAILED_PRECONDITION,
        tr_catalogue_open(TR_SOURCE_DIR "/README.md", TR_CATALOGUE_READ, &f->catalogue, NULL));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
