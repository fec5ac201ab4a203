/* The accounts of a match: bouts handed out, waiting and stored. */
#include "cmocka_test.h"

#include "math/random.h"
#include "server/match/contest.h"

static tr_contest *make(int bouts) {
    static tr_match_def def;
    def = (tr_match_def){.seed = 3, .bout_count = bouts, .team_count = 2};
    tr_match_row row = {.bout_count = bouts, .team_count = 2};
    tr_contest *contest = tr_contest_create(&row, &def);
    assert_non_null(contest);
    return contest;
}

static tr_bout_result won(int winner) {
    return (tr_bout_result){.outcome = TR_BOUT_WON, .winner = winner, .ticks = 7, .score = {1, 2}};
}

TEST(positions_are_handed_out_in_order) {
    OWN(tr_contest) *contest = make(5);
    int position = -1;
    for (int i = 0; i < 5; i++) {
        assert_true(tr_contest_hand_out(contest, &position));
        assert_int_equal(position, i);
    }
    assert_false(tr_contest_hand_out(contest, &position));
    tr_contest_hand_back(contest, 2);
    assert_true(tr_contest_hand_out(contest, &position));
    assert_int_equal(position, 2);
    for (int i = 0; i < 5; i++)
        tr_contest_hand_back(contest, i);
}

TEST(results_wait_until_they_are_stored) {
    OWN(tr_contest) *contest = make(3);
    tr_bout_result result = won(1);
    int position = 0;
    for (int i = 0; i < 3; i++)
        assert_true(tr_contest_hand_out(contest, &position));
    tr_contest_add(contest, 2, &result);
    tr_contest_add(contest, 0, &result);
    assert_int_equal(tr_contest_state(contest), TR_MATCH_RUNNING);
    assert_int_equal(contest->unsaved_count, 2);
    assert_int_equal(contest->unsaved[0].position, 2);
    assert_true(contest->unsaved[0].seed == tr_match_bout_seed(&contest->def, 2));
    tr_contest_saved(contest, 1);
    assert_int_equal(contest->stored, 1);
    assert_int_equal(contest->last.position, 2);
    assert_int_equal(contest->unsaved_count, 1);
    assert_int_equal(contest->unsaved[0].position, 0);
    tr_contest_add(contest, 1, &result);
    assert_int_equal(tr_contest_state(contest), TR_MATCH_DONE);
    tr_contest_saved(contest, 2);
    assert_int_equal(contest->statistics.wins[1], 3);
}

TEST(what_was_recalled_is_not_fought_again) {
    OWN(tr_contest) *contest = make(20);
    for (int position = 0; position < 20; position += 2) {
        tr_bout_row bout = {.position = position, .outcome = 0, .winner = 0};
        tr_contest_recall(contest, &bout);
        tr_contest_recall(contest, &bout); /* twice is once */
    }
    tr_contest_recall(contest, &(tr_bout_row){.position = 20}); /* not of this match */
    assert_int_equal(contest->stored, 10);
    int position = 0;
    for (int expected = 1; expected < 20; expected += 2) {
        assert_true(tr_contest_hand_out(contest, &position));
        assert_int_equal(position, expected);
    }
    assert_false(tr_contest_hand_out(contest, &position));
    for (int i = 1; i < 20; i += 2)
        tr_contest_hand_back(contest, i);
}

TEST(a_catalogue_that_does_not_store_stops_the_fighting) {
    OWN(tr_contest) *contest = make(1000);
    tr_bout_result result = won(0);
    int position = 0, count = 0;
    while (tr_contest_hand_out(contest, &position)) {
        count++;
        tr_contest_add(contest, position, &result);
    }
    assert_int_equal(count, TR_CONTEST_UNSAVED_MAX);
    tr_contest_saved(contest, 10);
    for (count = 0; tr_contest_hand_out(contest, &position); count++)
        assert_int_equal(position, TR_CONTEST_UNSAVED_MAX + count);
    assert_int_equal(count, 10);
    while (count-- > 0)
        tr_contest_hand_back(contest, TR_CONTEST_UNSAVED_MAX + count);
}

/* Each wrong caller is noticed; matches.c then fails the match. */
TEST(books_that_do_not_balance_are_noticed) {
    const tr_bout_result result = won(0);
    for (int which = 0; which < 4; which++) {
        OWN(tr_contest) *contest = make(3);
        int position = 0;
        assert_true(tr_contest_hand_out(contest, &position));
        tr_contest_add(contest, position, &result);
        tr_contest_must_hold(contest);
        assert_null(contest->invariant.what);
        if (which == 0)
            tr_contest_hand_back(contest, 1); /* it was not handed out */
        else if (which == 1)
            tr_contest_add(contest, 2, &result); /* neither was this one */
        else if (which == 2)
            tr_contest_saved(contest, 2); /* one has arrived */
        else
            for (contest->unsaved_count = 4; contest->unsaved_count > 0;)
                tr_contest_saved(contest, 1); /* four of three */
        tr_contest_must_hold(contest);
        assert_non_null(contest->invariant.what);
        contest->fighting = 0;
    }
}

/* In any order of results, stored + unsaved + fighting + free is the number of bouts. */
TEST(the_books_balance) {
    enum { BOUTS = 300 };
    tr_random draw = tr_random_seed(1);
    OWN(tr_contest) *contest = make(BOUTS);
    int fighting[BOUTS], count = 0;
    tr_bout_result result = won(0);
    while (contest->stored < BOUTS) {
        uint64_t what = tr_random_next(&draw) % 4;
        int at = count > 0 ? (int)(tr_random_next(&draw) % (uint64_t)count) : 0;
        if (what == 0 && tr_contest_hand_out(contest, &fighting[count])) {
            count++;
        } else if (what == 1 && count > 0) {
            tr_contest_add(contest, fighting[at], &result);
            fighting[at] = fighting[--count];
        } else if (what == 2 && count > 20) {
            tr_contest_hand_back(contest, fighting[at]);
            fighting[at] = fighting[--count];
        } else if (what == 3) {
            tr_contest_saved(contest, contest->unsaved_count);
        }
        assert_int_equal(contest->fighting, count);
    }
    assert_int_equal(contest->fighting + contest->unsaved_count, 0);
    assert_int_equal(contest->statistics.wins[0], BOUTS);
}
