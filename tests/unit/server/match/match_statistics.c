/* Intervals against published and independently computed values. */
#include "cmocka_test.h"

#include "server/match/match_statistics.h"

#include <math.h>
#include <string.h>

static void near(double expected, double value, double tolerance) {
    assert_true(fabs(expected - value) <= tolerance);
}

/* R: prop.test(x, n, correct = FALSE)$conf.int; and Wilson's ends at 0 and 1 by hand. */
TEST(proportions) {
    tr_interval half = tr_interval_of_proportion(50, 100);
    near(0.5, half.value, 0);
    near(0.4038315, half.low, 1e-6);
    near(0.5961685, half.high, 1e-6);
    tr_interval few = tr_interval_of_proportion(1, 10);
    near(0.0178762, few.low, 1e-6);
    near(0.4041500, few.high, 1e-6);
    tr_interval none = tr_interval_of_proportion(0, 20), all = tr_interval_of_proportion(20, 20);
    near(0, none.low, 0);
    near(0.1611252, none.high, 1e-6);
    near(1, all.high, 0);
    near(1 - 0.1611252, all.low, 1e-6);
    tr_interval nothing = tr_interval_of_proportion(0, 0);
    near(0, nothing.low, 0);
    near(1, nothing.high, 0);
}

/* R: qt(0.975, n - 1) * sd / sqrt(n). */
TEST(means) {
    const struct {
        int count;
        double half;
    } rows[] = {{2, 6.353102}, {3, 2.484138}, {6, 1.963252}, {7, 1.997897}, {11, 2.228139}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tr_mean mean = {0};
        for (int k = 0; k < rows[i].count; k++)
            tr_mean_add(&mean, 1e6 + k);
        tr_interval interval = tr_interval_of_mean(&mean);
        near(1e6 + (rows[i].count - 1) / 2.0, interval.value, 1e-9);
        near(rows[i].half, interval.value - interval.low, 1e-3 * rows[i].half);
        near(interval.high - interval.value, interval.value - interval.low, 1e-6);
    }
    tr_mean one = {0};
    tr_mean_add(&one, 3);
    near(3, tr_interval_of_mean(&one).low, 0);
    near(3, tr_interval_of_mean(&one).high, 0);
}

static tr_bout_row make_bout(int position, int outcome, int winner) {
    return (tr_bout_row){.position = position,
                         .outcome = outcome,
                         .winner = winner,
                         .ticks = 100,
                         .score = {position, -position}};
}

TEST(voids_do_not_count) {
    tr_match_statistics statistics = tr_match_statistics_start(2);
    const tr_bout_row bouts[] = {make_bout(0, 0, 0), make_bout(1, 0, 1), make_bout(2, 1, -1),
                                 make_bout(3, 2, -1), make_bout(4, 0, 1)};
    for (int i = 0; i < 5; i++)
        tr_match_statistics_add(&statistics, &bouts[i]);
    assert_int_equal(statistics.wins[0], 1);
    assert_int_equal(statistics.wins[1], 2);
    assert_int_equal(statistics.draws, 1);
    assert_int_equal(statistics.voids, 1);
    assert_int_equal(statistics.counted, 4);
    assert_int_equal(statistics.score[0].count, 4);
    near((0 + 1 + 2 + 4) / 4.0, statistics.score[0].mean, 1e-12);
}

TEST(the_hash_covers_every_field) {
    tr_bout_row rows[8];
    for (int i = 0; i < 8; i++)
        rows[i] = make_bout(3, 0, 0);
    rows[1].position = 4;
    rows[2].seed = 1;
    rows[3].outcome = 1;
    rows[4].winner = 1;
    rows[5].ticks = 101;
    rows[6].hash = 1;
    rows[7].score[1] = -3.0000000001;
    uint64_t hash[8];
    for (int i = 0; i < 8; i++) {
        tr_match_statistics statistics = tr_match_statistics_start(2);
        tr_match_statistics_add(&statistics, &rows[i]);
        hash[i] = statistics.results_hash;
        for (int k = 0; k < i; k++)
            assert_true(hash[i] != hash[k]);
    }
    strcpy(rows[0].reason, "for people"); /* is no part of the result */
    rows[0].score[2] = 5;                 /* of a team that is not there */
    tr_match_statistics statistics = tr_match_statistics_start(2);
    tr_match_statistics_add(&statistics, &rows[0]);
    assert_true(statistics.results_hash == hash[0]);
}
