#include "unit/db/fixture.h"

#include "db/tables/matches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char definition[] = "two\0teams";

static tr_match_row make_match(const char *name) {
    tr_match_row match = {.seed = UINT64_MAX - 1,
                          .bout_count = 100,
                          .team_count = 2,
                          .cast_hash = UINT64_C(0x8000000000000001),
                          .created_ns = 17};
    strcpy(match.name, name);
    strcpy(match.rule, "sumo");
    return match;
}

static tr_row_id put(fixture *f, const char *name) {
    tr_match_row match = make_match(name);
    tr_row_id id = 0;
    assert_ok(tr_matches_put(f->catalogue, &match, definition, sizeof definition, &id, &f->error));
    return id;
}

static tr_bout_row make_bout(int position) {
    tr_bout_row bout = {.position = position,
                        .seed = UINT64_MAX - (uint64_t)position,
                        .outcome = position % 3,
                        .winner = position % 3 == 0 ? position % 2 : -1,
                        .ticks = 10 * position,
                        .hash = UINT64_C(0xfedcba9876543210) + (uint64_t)position,
                        .score = {0.1 * position, -1e-300}};
    strcpy(bout.reason, "last team in");
    return bout;
}

TEST(fields_come_back) {
    fixture *f = *given;
    tr_row_id id = put(f, "first");
    fixture_reopen(f);
    tr_match_row expected = make_match("first"), out;
    assert_ok(tr_matches_find(f->catalogue, "first", &out, &f->error));
    assert_int_equal(id, out.id);
    assert_string_equal("first", out.name);
    assert_string_equal("sumo", out.rule);
    assert_true(out.seed == expected.seed && out.cast_hash == expected.cast_hash);
    assert_int_equal(100, out.bout_count);
    assert_int_equal(2, out.team_count);
    assert_int_equal(TR_MATCH_RUNNING, out.state);
    assert_int_equal(17, out.created_ns);
    assert_int_equal(0, out.ended_ns);
    assert_int_equal(0, out.bouts_stored);
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(tr_matches_definition(f->catalogue, id, &bytes, &size, &f->error));
    assert_int_equal(sizeof definition, size);
    assert_memory_equal(definition, bytes, size);
    free(bytes);
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(bouts_are_returned_in_order_whatever_their_arrival) {
    fixture *f = *given;
    tr_row_id id = put(f, "batch");
    tr_bout_row late[2] = {make_bout(7), make_bout(3)}, early[3] = {make_bout(0), make_bout(99)};
    early[2] = make_bout(3);
    assert_ok(tr_matches_add_bouts(f->catalogue, id, late, 2, &f->error));
    early[2].ticks = 4711; /* the one that is there stays */
    assert_ok(tr_matches_add_bouts(f->catalogue, id, early, 3, &f->error));
    fixture_reopen(f);
    tr_bout_row out[8];
    int count = 3;
    assert_ok(tr_matches_bouts(f->catalogue, id, 0, out, &count, &f->error));
    assert_int_equal(3, count);
    count = 5;
    assert_ok(tr_matches_bouts(f->catalogue, id, out[2].position + 1, out + 3, &count, &f->error));
    assert_int_equal(1, count);
    const int positions[] = {0, 3, 7, 99};
    for (int i = 0; i < 4; i++) {
        tr_bout_row expected = make_bout(positions[i]);
        assert_int_equal(positions[i], out[i].position);
        assert_true(out[i].seed == expected.seed && out[i].hash == expected.hash);
        assert_int_equal(expected.outcome, out[i].outcome);
        assert_int_equal(expected.winner, out[i].winner);
        assert_int_equal(expected.ticks, out[i].ticks);
        assert_memory_equal(expected.score, out[i].score, sizeof expected.score);
        assert_string_equal(expected.reason, out[i].reason);
    }
    tr_match_row match;
    assert_ok(tr_matches_get(f->catalogue, id, &match, &f->error));
    assert_int_equal(4, match.bouts_stored);
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(all_results_are_stored_or_no_result) {
    fixture *f = *given;
    tr_row_id id = put(f, "batch");
    tr_bout_row bouts[3] = {make_bout(1), make_bout(2), make_bout(100)};
    assert_status(TR_INVALID_ARGUMENT, tr_matches_add_bouts(f->catalogue, id, bouts, 3, &f->error));
    bouts[2] = make_bout(3);
    bouts[2].winner = 2; /* there are two teams */
    assert_status(TR_INVALID_ARGUMENT, tr_matches_add_bouts(f->catalogue, id, bouts, 3, &f->error));
    bouts[2].winner = -1; /* won, but without a winner */
    assert_status(TR_INVALID_ARGUMENT, tr_matches_add_bouts(f->catalogue, id, bouts, 3, &f->error));
    tr_match_row match;
    assert_ok(tr_matches_get(f->catalogue, id, &match, &f->error));
    assert_int_equal(0, match.bouts_stored);
    assert_status(TR_NOT_FOUND, tr_matches_add_bouts(f->catalogue, id + 1, bouts, 1, &f->error));
}

TEST(a_match_ends_once) {
    fixture *f = *given;
    tr_row_id id = put(f, "first"), second = put(f, "second");
    assert_status(TR_FAILED_PRECONDITION, tr_matches_remove(f->catalogue, id, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_end(f->catalogue, id, TR_MATCH_RUNNING, "", 20, &f->error));
    assert_ok(tr_matches_end(f->catalogue, id, TR_MATCH_FAILED, "no such rule", 20, &f->error));
    assert_status(TR_FAILED_PRECONDITION,
                  tr_matches_end(f->catalogue, id, TR_MATCH_DONE, "", 21, &f->error));
    tr_match_row rows[4];
    int count = 4;
    assert_ok(tr_matches_list(f->catalogue, &(tr_match_filter){0}, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_int_equal(TR_MATCH_FAILED, rows[0].state);
    assert_string_equal("no such rule", rows[0].reason);
    assert_int_equal(20, rows[0].ended_ns);
    count = 4;
    assert_ok(tr_matches_list(f->catalogue, &(tr_match_filter){.running = true}, rows, &count,
                              &f->error));
    assert_int_equal(1, count);
    assert_int_equal(second, rows[0].id);
    count = 4;
    assert_ok(tr_matches_list(f->catalogue, &(tr_match_filter){.after = second}, rows, &count,
                              &f->error));
    assert_int_equal(0, count);
}

TEST(a_removed_match_takes_its_bouts_along) {
    fixture *f = *given;
    tr_row_id id = put(f, "first");
    tr_bout_row bout = make_bout(5);
    assert_ok(tr_matches_add_bouts(f->catalogue, id, &bout, 1, &f->error));
    assert_ok(tr_matches_end(f->catalogue, id, TR_MATCH_CANCELLED, "", 20, &f->error));
    assert_ok(tr_matches_remove(f->catalogue, id, &f->error));
    assert_status(TR_NOT_FOUND, tr_matches_get(f->catalogue, id, &(tr_match_row){0}, &f->error));
    assert_int_equal(id, put(f, "first")); /* the number is free again, and so must be its bouts */
    int count = 4;
    tr_bout_row out[4];
    assert_ok(tr_matches_bouts(f->catalogue, id, 0, out, &count, &f->error));
    assert_int_equal(0, count);
}

TEST(a_name_is_taken_once) {
    fixture *f = *given;
    tr_match_row match = make_match("first");
    tr_row_id id = put(f, "first");
    assert_status(TR_ALREADY_EXISTS, tr_matches_put(f->catalogue, &match, definition,
                                                    sizeof definition, &id, &f->error));
    match.name[0] = '\0';
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_put(f->catalogue, &match, definition, 3, &id, &f->error));
    match = make_match("other");
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_put(f->catalogue, &match, definition, 0, &id, &f->error));
    match.team_count = TR_BOUT_SCORE_MAX + 1;
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_put(f->catalogue, &match, definition, 3, &id, &f->error));
    match = make_match("other");
    match.bout_count = 0;
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_put(f->catalogue, &match, definition, 3, &id, &f->error));
}

TEST(damage_is_found) {
    fixture *f = *given;
    static const char *const damage[] = {"UPDATE match SET seed = seed + 1",
                                         "UPDATE match SET definition = x'00'",
                                         "UPDATE bout SET scores = x'5452' WHERE position = 2",
                                         "UPDATE bout SET winner = 1 WHERE position = 2",
                                         "UPDATE bout SET position = 100 WHERE position = 2"};
    tr_row_id id = put(f, "first");
    tr_bout_row bout[2] = {make_bout(1), make_bout(2)};
    assert_ok(tr_matches_add_bouts(f->catalogue, id, bout, 2, &f->error));
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        tr_catalogue_close(f->catalogue);
        size_t size = 0;
        unsigned char *sound = fixture_read(f->path, &size);
        fixture_sql(f->path, damage[i]);
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
        assert_true(tr_catalogue_check(f->catalogue, &f->error) != TR_OK);
        tr_catalogue_close(f->catalogue);
        fixture_write(f->path, sound, size);
        free(sound);
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
        assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    }
}

TEST(values_out_of_their_bounds_are_refused) {
    fixture *f = *given;
    tr_match_row match = make_match("other");
    tr_row_id id = put(f, "first"), ended = put(f, "second"), other = 0;
    tr_bout_row bouts[] = {make_bout(1), make_bout(1), make_bout(1), make_bout(1), make_bout(1)};
    char reason[TR_SHORT_TEXT_MAX + 1];
    int count = 0;
    memset(reason, 'x', sizeof reason - 1);
    reason[sizeof reason - 1] = '\0';
    bouts[0].outcome = 3;
    bouts[1].position = 100;
    bouts[2].winner = 1;
    bouts[3].outcome = 0, bouts[3].winner = 2;
    bouts[4].score[1] = (double)INFINITY;
    for (int i = 0; i < 5; i++)
        assert_status(TR_INVALID_ARGUMENT,
                      tr_matches_add_bouts(f->catalogue, id, &bouts[i], 1, &f->error));
    assert_status(TR_NOT_FOUND, tr_matches_add_bouts(f->catalogue, 99, bouts, 1, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_put(f->catalogue, &match, definition, TR_MATCH_DEFINITION_MAX + 1,
                                 &other, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_end(f->catalogue, id, TR_MATCH_RUNNING, "", 20, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_end(f->catalogue, id, TR_MATCH_FAILED, reason, 20, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_end(f->catalogue, id, TR_MATCH_FAILED, "", -1, &f->error));
    assert_status(TR_NOT_FOUND, tr_matches_end(f->catalogue, 99, TR_MATCH_DONE, "", 20, &f->error));
    assert_status(TR_FAILED_PRECONDITION, tr_matches_remove(f->catalogue, id, &f->error));
    assert_status(TR_NOT_FOUND, tr_matches_remove(f->catalogue, 99, &f->error));
    assert_ok(tr_matches_end(f->catalogue, ended, TR_MATCH_DONE, "", 20, &f->error));
    assert_ok(tr_matches_remove(f->catalogue, ended, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_list(f->catalogue, &(tr_match_filter){0}, NULL, &count, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_bouts(f->catalogue, id, 0, NULL, &count, &f->error));
    count = TR_MATCH_BOUT_MAX + 1;
    assert_status(TR_INVALID_ARGUMENT,
                  tr_matches_bouts(f->catalogue, id, 0, NULL, &count, &f->error));
}

/* More bouts than are read at once. */
TEST(the_check_reads_every_page_of_bouts) {
    fixture *f = *given;
    tr_row_id id = put(f, "first");
    for (int i = 0; i < 70; i++) {
        tr_bout_row bout = make_bout(i);
        assert_ok(tr_matches_add_bouts(f->catalogue, id, &bout, 1, &f->error));
    }
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
