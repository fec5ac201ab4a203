#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "math/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 1024 }; /* of a bundle, bytes */

typedef struct attack {
    fixture *f;
    unsigned char *whole; /* a sound bundle */
    size_t size;
    char path[128]; /* where its changed copies go */
    int refused, sound;
    int flips; /* asked for; every fixture_stride()-th is done */
} attack;

static attack prepare(fixture *f) {
    attack a = {.f = f};
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id ids[2] = {fixture_put_controller(f, "run", 1, model),
                        fixture_put_controller(f, "walk", 2, model)};
    snprintf(a.path, sizeof a.path, "%s/bundle", f->folder);
    assert_ok(tr_bundle_export(f->catalogue, ids, 2, a.path, &f->error));
    a.whole = fixture_read(a.path, &a.size);
    tr_catalogue_close(f->catalogue);
    unlink(f->path);
    f->catalogue = NULL;
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_CREATE, &f->catalogue, &f->error));
    return a;
}

static int64_t rows_in(fixture *f) {
    tr_catalogue_summary s;
    assert_ok(tr_catalogue_summarize(f->catalogue, &s, &f->error));
    return s.models + s.clips + s.runs + s.fragments + s.controllers;
}

/* Imports the file at a.path and removes it again. A change of bytes that are never read leaves the
 * bundle sound: then all of it must arrive. Otherwise: an error with a message, and not a row. */
static tr_status strike(attack *a) {
    fixture *f = a->f;
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    f->error.message[0] = '\0';
    tr_status status = tr_bundle_import(f->catalogue, a->path, TR_BUNDLE_REFUSE, NULL, &f->error);
    if (!status) {
        a->sound++;
        assert_int_equal(1 + 2 + 2 + 6 + 2, rows_in(f));
        assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    } else {
        a->refused++;
        assert_true(f->error.message[0] != '\0');
        assert_int_equal(0, rows_in(f));
    }
    tr_catalogue_rollback(f->catalogue);
    return status;
}

static void write_changed(const attack *a, size_t at, unsigned char value) {
    FILE *file = fopen(a->path, "r+b");
    assert_non_null(file);
    fseek(file, (long)at, SEEK_SET);
    fputc(value, file);
    assert_int_equal(0, fclose(file));
}

static void flip(attack *a, size_t at, unsigned char bits) {
    if (a->flips++ % fixture_stride() != 0)
        return;
    write_changed(a, at, a->whole[at] ^ bits);
    strike(a);
    write_changed(a, at, a->whole[at]);
}

/* Every byte of each page's header, and a draw of the rest: 26 flips a page, which the stride does
 * not divide, so that all kinds get their turn when it thins them out. */
TEST(flipped_bytes_are_an_error_or_nothing) {
    attack a = prepare(*given);
    tr_random random = tr_random_seed(5);
    assert_int_equal(TR_OK, strike(&a));
    for (size_t page = 0; page < a.size; page += PAGE) {
        for (size_t i = 0; i < 12; i++)
            flip(&a, page + i, (unsigned char)(1u << tr_random_next(&random) % 8));
        for (size_t i = 0; i < 12; i++)
            flip(&a, page + tr_random_next(&random) % PAGE, (unsigned char)(1 + i * 19));
        flip(&a, page + 8, 0xff);
        flip(&a, page + PAGE - 1, 0xff);
    }
    for (size_t i = 0; i < 100; i++)
        flip(&a, i, 0xff);
    print_message("%d refused, %d sound\n", a.refused, a.sound);
    assert_true(a.refused > 400 / fixture_stride());
    free(a.whole);
}

TEST(swapped_and_blanked_pages_are_an_error) {
    attack a = prepare(*given);
    unsigned char *changed = malloc(a.size);
    size_t pages = a.size / PAGE, stride = (size_t)fixture_stride();
    for (size_t page = 0; page < pages; page += stride) {
        memcpy(changed, a.whole, a.size);
        memset(changed + page * PAGE, 0, PAGE);
        fixture_write(a.path, changed, a.size);
        strike(&a);
        memcpy(changed + page * PAGE, a.whole + (page + 1) % pages * PAGE, PAGE);
        fixture_write(a.path, changed, a.size);
        strike(&a);
    }
    assert_true(a.sound < 10); /* two empty pages of a kind may stand for each other */
    free(changed);
    free(a.whole);
}

TEST(truncated_files_are_an_error) {
    attack a = prepare(*given);
    size_t stride = (size_t)fixture_stride();
    for (size_t size = 0; size < a.size; size += size < 600 ? stride : 509 * stride) {
        fixture_write(a.path, a.whole, size);
        strike(&a);
    }
    unsigned char *longer = calloc(1, a.size + PAGE);
    memcpy(longer, a.whole, a.size);
    fixture_write(a.path, longer, a.size + PAGE);
    strike(&a);
    fixture_write(a.path, longer, a.size + 1);
    strike(&a);
    free(longer);
    assert_int_equal(0, a.sound);
    free(a.whole);
}

/* Changes to a bundle by an attacker: to its schema, then to its rows. */
static const char *const changes[] = {
    /* schema */
    "CREATE TRIGGER t AFTER INSERT ON clip BEGIN DELETE FROM clip; END",
    "CREATE VIEW v AS SELECT load_extension('x')",
    "CREATE TABLE extra (a)",
    "CREATE INDEX i ON clip (length(licence))",
    "ANALYZE",
    "DROP INDEX run_by_digest",
    "ALTER TABLE clip ADD COLUMN extra TEXT",
    "CREATE VIRTUAL TABLE words USING fts5 (a)",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') "
    "WHERE name = 'clip'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'clip'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'run'",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = -1",
    "PRAGMA application_id = 7",
    "PRAGMA journal_mode = WAL",
    /* rows */
    "UPDATE controller SET spawn_state = zeroblob(3000000)",
    "UPDATE fragment SET targets = zeroblob(1000000)",
    "UPDATE fragment SET policy = CAST('text' AS BLOB)",
    "UPDATE fragment SET digest = randomblob(32)",
    "UPDATE fragment SET start_state = end_state WHERE id = 1",
    "DELETE FROM state WHERE id = 1",
    "INSERT INTO state (seal, content) SELECT seal, content FROM state",
    "UPDATE state SET content = x'02ffffff7f00'",
    "UPDATE fragment SET steps = 1000000",
    "UPDATE fragment SET step_s = -1.0",
    "UPDATE fragment SET model = 9",
    "UPDATE controller SET name = CAST(x'fffe' AS TEXT) WHERE id = 1",
    "UPDATE controller SET name = CAST(x'610062' AS TEXT) WHERE id = 1",
    "UPDATE controller SET name = printf('%.1000c', 'x') WHERE id = 1",
    "UPDATE controller SET name = '' WHERE id = 1",
    "UPDATE controller SET gain_set = 'z'",
    "UPDATE controller SET step_s = 1e300",
    "UPDATE controller SET mirrored = 2",
    "UPDATE controller SET run = 2 WHERE run = 1",
    "UPDATE controller SET clip = NULL",
    "UPDATE controller SET model = 77",
    "UPDATE controller_fragment SET position = position + 1 WHERE position = 2",
    "UPDATE controller_fragment SET fragment = 4 WHERE controller = 1",
    "WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
    "INSERT INTO controller_fragment SELECT 1, i, 1 FROM n",
    "DELETE FROM controller_fragment WHERE controller = 1",
    "DELETE FROM fragment WHERE id = 2",
    "UPDATE model SET mjcf = '<mujoco/>'",
    "UPDATE model SET mjcf = printf('%.1500000c', ' ')",
    "UPDATE model SET dof_count = -5",
    "UPDATE model SET id = 0; UPDATE fragment SET model = 0; UPDATE controller SET model = 0",
    "UPDATE model SET id = -3; UPDATE fragment SET model = -3; UPDATE controller SET model = "
    "-3",
    "UPDATE clip SET frames_per_s = 9e999",
    "UPDATE clip SET frame_count = 9223372036854775807",
    "UPDATE clip SET digest = zeroblob(16)",
    "UPDATE run SET digest = zeroblob(32)",
    "UPDATE run SET threads = 0",
    "INSERT INTO run_parent VALUES (1, 0, 2)",
    "INSERT INTO run_parent VALUES (1, 0, 1)",
    "INSERT INTO run_parent VALUES (1, 0, 2), (2, 0, 1)",
    "INSERT INTO run_parent VALUES (2, 0, 1)",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) "
    "INSERT INTO run_metric SELECT 1, i + 100, 'm', 1.0 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
    "INSERT INTO clip SELECT i + 100, 'c' || i, digest, source, licence, file_digest, "
    "skeleton, "
    "frame_count, frames_per_s, first_frame, last_frame, cyclic FROM clip, n WHERE id = 1",
    "UPDATE run_metric SET name = '' WHERE iteration = 1",
    "UPDATE run_input SET content = x'00' WHERE run = 1",
    "UPDATE run_input SET role = 'control' WHERE run = 1",
    "UPDATE run_input SET role = '' WHERE run = 1",
    "DELETE FROM run_input WHERE run = 1",
    "INSERT INTO run_input VALUES (1, 'starts', 7, x'00')",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) "
    "INSERT INTO run_input SELECT 1, 'starts', i, zeroblob(1000000) FROM n",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) "
    "INSERT INTO run_input SELECT 1, 'r' || i, 0, x'00' FROM n",
    /* 'stored' by pack(): a form and four bytes of length before them */
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) "
    "INSERT INTO run_input SELECT 1, 'r' || i, 0, x'000100000061' FROM n",
    "INSERT INTO run_input VALUES (1, 'aaa', 0, x'0000000000')",
    "INSERT INTO controller_section VALUES (1, 'more', 0, 0, x'000100000061')",
    "UPDATE controller SET kind = 'unknown'",
    "UPDATE controller SET duration_s = duration_s + 1",
    "INSERT INTO guide VALUES (1, 'skills', '')",
    "INSERT INTO guide VALUES (1, '', 'runs')",
    "INSERT INTO former_name VALUES (' x', 1)",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) "
    "INSERT INTO former_name SELECT 'n' || i, 1 FROM n",
    "UPDATE run_metric SET name = name || '\x01'",
    "UPDATE run SET name = CAST(x'c3' AS TEXT) WHERE id = 1",
    "UPDATE clip SET frame_count = -9223372036854775807",
};

TEST(changed_content_is_an_error) {
    attack a = prepare(*given);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fixture_write(a.path, a.whole, a.size);
        fixture_sql(a.path, changes[i]);
        if (!strike(&a))
            fail_msg("imported after: %s", changes[i]);
    }
    print_message("%d refused\n", a.refused);
    free(a.whole);
}

TEST(what_is_no_file_is_an_error) {
    attack a = prepare(*given);
    fixture *f = a.f;
    fixture_write(a.path, "SQLite format 3", 16);
    strike(&a);
    unlink(a.path);
    assert_int_equal(TR_NOT_FOUND, strike(&a));
    snprintf(a.path, sizeof a.path, "%s", f->folder);
    assert_int_equal(TR_FAILED_PRECONDITION, strike(&a));
    snprintf(a.path, sizeof a.path, "/dev/zero");
    assert_int_equal(TR_FAILED_PRECONDITION, strike(&a));
    snprintf(a.path, sizeof a.path, "%s", f->path);
    assert_int_equal(TR_FAILED_PRECONDITION, strike(&a));
    assert_non_null(strstr(f->error.message, "live catalogue"));
    free(a.whole);
}

/* Bytes of the header, each as it should not be (fileformat2.html, section 1.3). */
TEST(a_header_that_sqlite_would_not_write_is_refused) {
    static const struct {
        unsigned char at, value;
    } cases[] = {{0, 's'}, {16, 0},  {16, 3},  {17, 1},  {18, 2}, {18, 3}, {19, 2},
                 {19, 0},  {21, 63}, {22, 33}, {23, 31}, {28, 1}, {31, 0}, {59, 2}};
    attack a = prepare(*given);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_changed(&a, cases[i].at, cases[i].value);
        if (cases[i].at == 17) /* pages of 65536 bytes */
            write_changed(&a, 16, 0);
        if (!strike(&a))
            fail_msg("byte %d as %d is taken", cases[i].at, cases[i].value);
        fixture_write(a.path, a.whole, a.size);
    }
    tr_error error = {0};
    assert_int_equal(truncate(a.path, (long)TR_BUNDLE_SIZE_MAX + 4096), 0);
    assert_int_equal(tr_bundle_check(a.path, &error), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(truncate(a.path, 0), 0);
    fixture_sql(a.path, "CREATE TABLE t (a); DROP TABLE t");
    if (tr_bundle_check(a.path, &error) != TR_FAILED_PRECONDITION ||
        !strstr(error.message, "empty"))
        fail_msg("%s", error.message);
    free(a.whole);
}

/* A bundle is one file: logs and journals laid beside it are not read. */
TEST(files_beside_a_bundle_do_not_count) {
    attack a = prepare(*given);
    static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s%s", a.path, suffixes[i]);
        fixture_write(path, a.whole, 8192);
        assert_int_equal(TR_OK, strike(&a));
    }
    free(a.whole);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
