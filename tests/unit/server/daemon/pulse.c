/* Whether all worlds that should tick do so, by a clock that the test controls. */
#include "cmocka_test.h"

#include "server/daemon/pulse.h"

static const tr_world_info live = {.step_s = 0.005, .rate = 1};

static bool beats(tr_pulse *pulse, uint32_t id, tr_world_mode mode, const tr_world_info *info,
                  uint64_t now_ms) {
    tr_pulse_observe(pulse, id, mode, info, now_ms);
    return tr_pulses_beat(pulse, 1);
}

TEST(test_a_world_that_ticks_beats) {
    tr_pulse pulse = {0};
    tr_world_info info = live;
    for (uint64_t now_ms = 0; now_ms < 60000; now_ms += 1000, info.steps_made += 200)
        assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &info, now_ms));
}

TEST(test_a_world_that_hangs_does_not_beat) {
    tr_pulse pulse = {0};
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &live, 1000));
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &live, 1000 + TR_PULSE_STALL_MS));
    assert_false(beats(&pulse, 1, TR_MODE_REAL_TIME, &live, 1100 + TR_PULSE_STALL_MS));
    tr_world_info moved = live;
    moved.steps_made = 1;
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &moved, 60000));
}

TEST(test_a_world_that_waits_by_right_beats) {
    tr_world_info paused = live, replay = live;
    paused.paused = true;
    replay.replays = true;
    tr_pulse pulse[4] = {{0}};
    for (uint64_t now_ms = 0; now_ms < 600000; now_ms += 1000) {
        assert_true(beats(&pulse[0], 1, TR_MODE_REAL_TIME, &paused, now_ms));
        assert_true(beats(&pulse[1], 1, TR_MODE_STEPPED, &live, now_ms));
        assert_true(beats(&pulse[2], 1, TR_MODE_FAST, &live, now_ms));
        assert_true(beats(&pulse[3], 1, TR_MODE_REAL_TIME, &replay, now_ms));
    }
    /* After the pause its full time begins again. */
    assert_true(beats(&pulse[0], 1, TR_MODE_REAL_TIME, &live, 600000));
    assert_false(beats(&pulse[0], 1, TR_MODE_REAL_TIME, &live, 610000));
}

/* It has a thread; only one that waits for a thread shows that none runs the worlds. */
TEST(test_a_world_in_the_middle_of_a_step_beats) {
    tr_pulse pulse = {0};
    tr_world_info stepping = live;
    for (int s = 0; s < 60; s++) {
        stepping.turn_s = 0.5 + s;
        assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &stepping, 1000 * (uint64_t)s));
    }
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &live, 60000));
    assert_false(beats(&pulse, 1, TR_MODE_REAL_TIME, &live, 70000));
}

/* One step of 5 ms at a thousandth of the clock's rate takes 5 s. */
TEST(test_slow_worlds_have_longer) {
    tr_pulse pulse = {0};
    tr_world_info slow = live;
    slow.rate = 0.001;
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &slow, 0));
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &slow, 20000));
    assert_false(beats(&pulse, 1, TR_MODE_REAL_TIME, &slow, 30000));
}

TEST(test_a_new_world_in_an_old_place_starts_fresh) {
    tr_pulse pulse = {0};
    assert_true(beats(&pulse, 1, TR_MODE_REAL_TIME, &live, 0));
    assert_true(beats(&pulse, 257, TR_MODE_REAL_TIME, &live, 60000));
}

/* Those beyond their budgets come after all others: one that waits for its thread ends nobody. */
TEST(test_worlds_beyond_their_budgets_wait_by_right) {
    tr_world_info heavy = live, waiting = live;
    heavy.over_budget = waiting.over_budget = true;
    tr_pulse pulse[3] = {{0}};
    for (uint64_t s = 0; s < 60; s++, heavy.steps_made++) {
        tr_pulse_observe(&pulse[0], 1, TR_MODE_REAL_TIME, &heavy, 1000 * s);
        tr_pulse_observe(&pulse[1], 2, TR_MODE_REAL_TIME, &waiting, 1000 * s);
        assert_true(tr_pulses_beat(pulse, 3));
    }
    /* In the middle of a step that lasts. */
    heavy.turn_s = 30;
    tr_pulse_observe(&pulse[0], 1, TR_MODE_REAL_TIME, &heavy, 90000);
    assert_true(tr_pulses_beat(pulse, 3));
    /* A world within its budget has no such excuse, and if none of all moves, no thread runs. */
    tr_pulse_observe(&pulse[2], 3, TR_MODE_REAL_TIME, &live, 60000);
    tr_pulse_observe(&pulse[2], 3, TR_MODE_REAL_TIME, &live, 90000);
    assert_false(tr_pulses_beat(pulse, 3));
    pulse[2] = (tr_pulse){0};
    heavy.turn_s = 0;
    tr_pulse_observe(&pulse[0], 1, TR_MODE_REAL_TIME, &heavy, 99000);
    assert_false(tr_pulses_beat(pulse, 3));
}
