#include "cmocka_test.h"

#include "server/world/pace.h"

#include <math.h>

#define MS INT64_C(1000000)

static int run(tr_pace *pace, int64_t now_ns) {
    int steps = 0;
    while (tr_pace_due(pace, now_ns) > 0) {
        tr_pace_step(pace);
        steps++;
    }
    return steps;
}

TEST(test_one_step_each_interval) {
    tr_pace pace = tr_pace_start(0.005, 1, 100 * MS);
    assert_int_equal(tr_pace_deadline_ns(&pace), 105 * MS);
    assert_int_equal(tr_pace_due(&pace, 104 * MS), 0);
    assert_int_equal(run(&pace, 105 * MS), 1);
    assert_int_equal(tr_pace_deadline_ns(&pace), 110 * MS);
}

TEST(test_rate) {
    tr_pace pace = tr_pace_start(0.005, 0.5, 0);
    assert_int_equal(tr_pace_deadline_ns(&pace), 10 * MS);
    tr_pace_resume(&pace, 5, 50 * MS);
    assert_int_equal(tr_pace_deadline_ns(&pace), 51 * MS);
}

/* A step of a third of a millisecond is no whole number of nanoseconds: after an hour nothing has
 * drifted. */
TEST(test_no_drift) {
    tr_pace pace = tr_pace_start(1.0 / 3000, 1, 0);
    int64_t steps = INT64_C(3000) * 3600;
    for (int64_t i = 0; i < steps; i++)
        tr_pace_step(&pace);
    assert_int_equal(tr_pace_deadline_ns(&pace), INT64_C(3600) * 1000 * MS + 333333);
}

TEST(test_lateness_is_caught_up) {
    tr_pace pace = tr_pace_start(0.005, 1, 0);
    assert_int_equal(run(&pace, 17 * MS), 3);
    assert_int_equal(pace.dropped_steps, 0);
    assert_int_equal(pace.max_late_ns, 12 * MS);
    assert_int_equal(tr_pace_deadline_ns(&pace), 20 * MS);
}

TEST(test_a_long_pause_is_dropped_and_counted) {
    tr_pace pace = tr_pace_start(0.005, 1, 0);
    assert_int_equal(run(&pace, 1000 * MS), TR_PACE_CATCH_UP_MAX);
    assert_int_equal(pace.dropped_steps, 200 - TR_PACE_CATCH_UP_MAX);
    assert_int_equal(tr_pace_deadline_ns(&pace), 1005 * MS);
    assert_int_equal(run(&pace, 1005 * MS), 1);
    assert_int_equal(pace.dropped_steps, 200 - TR_PACE_CATCH_UP_MAX);
}

/* Whenever it is called, steps done and dropped add up to the time that
 * passed. */
/* Whenever they were made, paused or overrun, worlds of two phases are never due together. */
TEST(test_phases_keep_apart) {
    for (int64_t made_ns = 0; made_ns < 20 * MS; made_ns += 777777) {
        tr_pace a = tr_pace_start(0.005, 1, made_ns), b = tr_pace_start(0.005, 1, 3 * made_ns);
        tr_pace_align(&a, 0.25, made_ns);
        tr_pace_align(&b, 0.75, 3 * made_ns);
        assert_true(tr_pace_deadline_ns(&a) > made_ns);
        assert_true(tr_pace_deadline_ns(&a) <= made_ns + 5 * MS + 1);
        tr_pace_resume(&a, 1, 100 * MS + made_ns);
        (void)tr_pace_due(&b, 400 * MS + made_ns); /* far behind: steps are dropped */
        assert_int_equal(run(&b, 400 * MS + made_ns), TR_PACE_CATCH_UP_MAX);
        int64_t past_a = tr_pace_deadline_ns(&a) % (5 * MS),
                past_b = tr_pace_deadline_ns(&b) % (5 * MS);
        assert_in_range(past_a, 1250000 - 2, 1250000 + 2);
        assert_in_range(past_b, 3750000 - 2, 3750000 + 2);
    }
}

TEST(test_slots_have_phases_far_apart) {
    for (int count = 2; count <= 20; count++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < i; j++) {
                double apart = fabs(tr_pace_phase_of(i) - tr_pace_phase_of(j));
                apart = apart < 0.5 ? apart : 1 - apart;
                assert_true(apart > 0.35 / count);
            }
}

TEST(test_every_due_tick_is_made_or_dropped) {
    tr_pace pace = tr_pace_start(0.005, 1, 0);
    int64_t now_ns = 0, done = 0;
    uint64_t random = 1;
    for (int i = 0; i < 10000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        now_ns += (int64_t)(random >> 33) % (40 * MS);
        done += run(&pace, now_ns);
        int64_t elapsed = done + pace.dropped_steps;
        /* A drop resets the deadlines at the moment it is seen, at most one interval early each
         * time. */
        assert_true(tr_pace_deadline_ns(&pace) > now_ns);
        assert_true(elapsed * 5 * MS <= now_ns + 5 * MS);
    }
    assert_true(pace.dropped_steps > 0);
}
