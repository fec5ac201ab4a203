/* controllers/learn/measure/heading_record.h: measures of characters that follow headings. */
#include "cmocka_test.h"

#include "learn/measure/heading_record.h"
#include "math/quat.h"

#include <math.h>

enum { CHARACTERS = 3, STEPS = 20, GOAL = 10 };

static double off[CHARACTERS][STEPS];

static const tr_heading_record record = {CHARACTERS, STEPS, GOAL, 0.1, off[0], 0.35};

/* Each goal begins `begins_rad` off, and is reached after `reached` steps. */
static void fill(int character, double begins_rad, int reached) {
    for (int k = 0; k < STEPS; k++)
        off[character][k] = k % GOAL < reached ? begins_rad : 0;
}

TEST(rewards_deviations_and_times_are_those_of_the_definition) {
    tr_heading_summary s;
    for (int i = 0; i < CHARACTERS; i++)
        fill(i, 2, 4);
    assert_int_equal(tr_heading_summarise(&record, &s), TR_OK);
    assert_true(fabs(s.reward.median - 1000 * (0.4 * exp(-6) + 0.6)) < 1e-9);
    assert_true(s.deviation_deg.median == 0 && s.deviation_mean_deg == 0);
    assert_true(fabs(s.reach_s.median - 0.4) < 1e-12 && fabs(s.turn_s.median - 0.4) < 1e-12);
    assert_true(s.missed == 0);
}

TEST(goals_never_reached_count_as_the_whole_time) {
    tr_heading_summary s;
    fill(0, 1, GOAL);
    fill(1, 1, GOAL);
    fill(2, 0.1, GOAL);
    assert_int_equal(tr_heading_summarise(&record, &s), TR_OK);
    assert_true(fabs(s.missed - 2.0 / 3) < 1e-12);
    assert_int_equal(s.goals, CHARACTERS * STEPS / GOAL);
    assert_int_equal(s.reached, s.goals / 3);
    assert_true(fabs(s.reach_s.median - 1) < 1e-12 && s.reach_s.low == 0);
    assert_true(isnan(s.turn_s.median)); /* none began more than 90 degrees off */
    assert_true(fabs(s.deviation_deg.median - 180 / TR_PI) < 1e-9);
    assert_true(fabs(s.reward.high - 1000 * exp(-0.3)) < 1e-9);
}

TEST(a_goal_is_reached_within_what_counts_as_near) {
    tr_heading_summary wide, narrow;
    tr_heading_record near = record;
    for (int i = 0; i < CHARACTERS; i++)
        fill(i, 0.3, GOAL);
    assert_int_equal(tr_heading_summarise(&record, &wide), TR_OK);
    near.near_rad = 0.25;
    assert_int_equal(tr_heading_summarise(&near, &narrow), TR_OK);
    assert_true(wide.reached == wide.goals && narrow.reached == 0);
}
