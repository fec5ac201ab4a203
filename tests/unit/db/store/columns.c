/* Tables of columns: rows are read as they were written, and no member of a struct lacks a column. */
#include "../fixture.h"
#include "db/store/rows.h"
#include "db/tables/certificates.h"
#include "db/tables/matches.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 20 };

/* All members of all structs, none zero: the compiler refuses a list that lacks one. What a table
 * keeps elsewhere is zero. */
static const tr_model_row model = {1, "m", {{1}}, 2, 3, 9};
static const tr_clip_row clip = {1, "c", "s", "l", {{1}}, "k", 9, 1.5, 1, 2, true, {{1}}};
static const tr_run_row run = {1, "r", "m", "g", "c", "p", 2, 3, "v", "h", 4, 5, 0, {0}, 6, {{1}}};
static const tr_run_metric metric = {"m", 1, 2.5};
static const tr_controller_row controller = {1, "c", "s", "chain", "g", 0.1, true, true, 1,    2.5,
                                             1, "m", 1,   "r",     1,   "c", "s",  "s",  {{1}}};
static const tr_match_row match = {1, "m", "r", 2, 3, 2, 4, TR_MATCH_DONE, "r", 5, 6, 7, {{1}}};
static const tr_certificate_row certificate = {1, 1, 2, 3, 4, "c", "v", "h", 5, 6, {{1}}};
static const tr_certificate_figure figure = {"q", "i", 1.5};
static const tr_certificate_push push = {1, 2.5, 3, 2};

static const struct {
    const tr_table *table;
    const void *full;
} cases[] = {{&tr_model_columns, &model},
             {&tr_clip_columns, &clip},
             {&tr_run_columns, &run},
             {&tr_run_metric_columns, &metric},
             {&tr_controller_columns, &controller},
             {&tr_match_columns, &match},
             {&tr_certificate_columns, &certificate},
             {&tr_certificate_figure_columns, &figure},
             {&tr_certificate_push_columns, &push}};

enum { CASES = sizeof cases / sizeof *cases };

TEST(no_member_lacks_a_column) {
    for (int i = 0; i < CASES; i++) {
        const tr_table *table = cases[i].table;
        char row[TR_ROW_SIZE_MAX];
        memcpy(row, cases[i].full, table->size);
        for (int c = 0; c < table->column_count; c++)
            if (table->column[c].offset < table->size)
                memset(row + table->column[c].offset, 0, table->column[c].size);
        for (size_t at = 0; at < table->size; at++)
            if (row[at] != 0)
                fail_msg("%s: no column for the member at byte %zu", table->name, at);
    }
}

/* --- random rows --- */

static uint32_t draw(uint32_t *random) {
    return *random = *random * 1664525 + 1013904223;
}

static void fill_number(const tr_table_column *column, void *at, uint32_t value) {
    const bool is_free = column->low == 0 && column->high == 0;
    const double room = is_free ? 1e6 : column->high - column->low;
    const double number = column->low + (double)(value % 100 + 1) * (room < 100 ? room / 100 : 1);
    if (column->kind == TR_COLUMN_INT)
        *(int *)at = (int)number;
    else if (column->kind == TR_COLUMN_DOUBLE)
        *(double *)at = number;
    else
        *(int64_t *)at = (int64_t)number - (is_free ? INT64_MAX : 0);
}

/* A value that its column allows. */
static void fill(const tr_table_column *column, void *row, uint32_t *random) {
    static const tr_blob_view blobs[] = {{"one", 3}, {"two", 3}, {"four", 4}};
    void *at = (char *)row + column->offset;
    const uint32_t value = draw(random) >> 8;
    if (column->kind == TR_COLUMN_ID)
        *(tr_row_id *)at = 1;
    else if (column->kind == TR_COLUMN_BOOL)
        *(bool *)at = value & 1;
    else if (column->kind == TR_COLUMN_DIGEST)
        memcpy(at, &value, sizeof value);
    else if (column->kind == TR_COLUMN_BLOB || column->kind == TR_COLUMN_BYTES)
        *(tr_blob_view *)at = blobs[value % 3];
    else if (column->kind == TR_COLUMN_NAME || column->kind == TR_COLUMN_TEXT)
        snprintf(at, column->size, "%x", value);
    else
        fill_number(column, at, value);
}

static void fill_all(const tr_table *table, void *row, uint32_t *random) {
    memset(row, 0, TR_ROW_SIZE_MAX);
    for (int c = 0; c < table->column_count; c++)
        if (!(table->column[c].left_out & TR_NOT_INSERTED))
            fill(&table->column[c], row, random);
}

static void expect_equal(const tr_table *table, const char *row, const char *again) {
    for (int c = 0; c < table->column_count; c++) {
        const tr_table_column *column = &table->column[c];
        if (!(column->left_out & (TR_NOT_INSERTED | TR_NOT_SELECTED)) &&
            memcmp(row + column->offset, again + column->offset, column->size) != 0)
            fail_msg("%s.%s: not read as it was written", table->name, column->name);
    }
}

/* References find a row of their kind; the constraints between columns are not the matter here. */
static void make_parents(fixture *f) {
    char *error = NULL;
    fixture_put_controller(f, "controller", 1, fixture_put_model(f, "model"));
    assert_int_equal(SQLITE_OK, sqlite3_exec(f->catalogue->db,
                                             "PRAGMA foreign_keys = OFF;"
                                             "PRAGMA ignore_check_constraints = ON",
                                             NULL, NULL, &error));
}

TEST_WITH(random_rows_are_read_as_they_were_written, fixture_setup, fixture_teardown) {
    fixture *f = *given;
    uint32_t random = 1;
    make_parents(f);
    for (int i = 0; i < CASES * SEEDS; i++) {
        const tr_table *table = cases[i % CASES].table;
        _Alignas(max_align_t) char row[TR_ROW_SIZE_MAX], again[TR_ROW_SIZE_MAX];
        const tr_row_id owner = 100 + i;
        fill_all(table, row, &random);
        assert_ok(tr_columns_insert_all(f->catalogue, table, owner, row, 1, &f->error));
        char rest[64];
        snprintf(rest, sizeof rest, "WHERE %s.%s = ?", table->name,
                 table->owner ? table->owner : "id");
        tr_query query = tr_columns_select(f->catalogue, table, rest, &f->error);
        tr_query_bind_int(&query,
                          table->owner ? owner : sqlite3_last_insert_rowid(f->catalogue->db));
        assert_true(tr_query_next(&query));
        tr_columns_read(&query, table, again);
        assert_ok(tr_query_end(&query));
        expect_equal(table, row, again);
    }
}

/* --- digests --- */

static tr_digest digest_of(fixture *f, const tr_table *table, const void *row) {
    tr_digest out = {{0}};
    assert_ok(tr_rows_digest_alone(f->catalogue, table, row, &out, &f->error));
    return out;
}

/* Only what is left out may change without it. */
TEST_WITH(every_column_changes_the_digest, fixture_setup, fixture_teardown) {
    fixture *f = *given;
    uint32_t random = 2;
    make_parents(f);
    for (int i = 0; i < CASES; i++) {
        const tr_table *table = cases[i].table;
        _Alignas(max_align_t) char row[TR_ROW_SIZE_MAX], other[TR_ROW_SIZE_MAX];
        fill_all(table, row, &random);
        const tr_digest before = digest_of(f, table, row);
        for (int c = 0; c < table->column_count; c++) {
            const tr_table_column *column = &table->column[c];
            memcpy(other, row, sizeof other);
            if (column->kind == TR_COLUMN_ID)
                memset(other + column->offset, 0, column->size);
            while (memcmp(row, other, sizeof row) == 0 && !(column->left_out & TR_NOT_INSERTED))
                fill(column, other, &random);
            const tr_digest after = digest_of(f, table, other);
            if (tr_digest_equal(&before, &after) != ((column->left_out & TR_NOT_DIGESTED) != 0))
                fail_msg("%s.%s: in the digest?", table->name, column->name);
        }
    }
}

TEST_WITH(values_outside_their_bounds_are_refused, fixture_setup, fixture_teardown) {
    fixture *f = *given;
    tr_clip_row row = clip;
    assert_ok(tr_columns_check(&tr_clip_columns, &row, &f->error));
    row.frame_count = 0;
    assert_status(TR_INVALID_ARGUMENT, tr_columns_check(&tr_clip_columns, &row, &f->error));
    assert_string_equal("clip 'c': frame_count: 0; expected at least 1", f->error.message);
    row.frame_count = 9;
    row.frames_per_s = 0;
    assert_status(TR_INVALID_ARGUMENT, tr_columns_check(&tr_clip_columns, &row, &f->error));
    assert_string_equal("clip 'c': frames_per_s: 0; expected more than 0", f->error.message);
    const tr_certificate_push far = {TR_CERTIFICATE_DIRECTION_MAX, 1, 1, 1};
    assert_status(TR_INVALID_ARGUMENT,
                  tr_columns_check(&tr_certificate_push_columns, &far, &f->error));
    assert_string_equal("certificate_push: direction: 64; expected 0 to 63", f->error.message);
}

TEST_WITH(damaged_numbers_are_refused_when_they_are_read, fixture_setup, fixture_teardown) {
    fixture *f = *given;
    tr_clip_row row = clip;
    tr_row_id id = 0;
    make_parents(f);
    assert_ok(tr_columns_insert(f->catalogue, &tr_clip_columns, &row, &id, &f->error));
    assert_ok(tr_database_exec(f->catalogue->db, "UPDATE clip SET frames_per_s = -1", &f->error));
    assert_status(TR_DATA_LOSS, tr_clips_get(f->catalogue, id, &row, &f->error));
    assert_string_equal("clip.frames_per_s: expected a number within its bounds", f->error.message);
}
