#include "cmocka_test.h"

#include "learn/schedule/replay_memory.h"

TEST(the_oldest_is_forgotten) {
    tr_replay_memory replay;
    tr_random random = tr_random_seed(1);
    int drawn[8] = {0};
    assert_int_equal(tr_replay_memory_init(&replay, 5), TR_OK);
    for (int i = 0; i < 8; i++)
        tr_replay_memory_add(&replay, &(tr_transition){.action = (int16_t)i});
    assert_int_equal(replay.count, 5);
    for (int i = 0; i < 1000; i++)
        drawn[tr_replay_memory_draw(&replay, &random)->action]++;
    for (int i = 0; i < 8; i++)
        assert_true(i < 3 ? drawn[i] == 0 : drawn[i] > 120); /* 200 each, evenly */
    tr_replay_memory_deinit(&replay);
}

TEST(a_glance_unfolds_to_the_observation) {
    const tr_scheduler scheduler = {.entry_count = 4, .request_count = 3};
    float input[TR_FEATURE_COUNT + 7] = {0}, out[TR_FEATURE_COUNT + 7];
    for (int previous = -1; previous < 4; previous++) {
        int request = previous % 3;
        for (int i = 0; i < TR_FEATURE_COUNT + 4; i++)
            input[i] = i < TR_FEATURE_COUNT ? (float)(i - 5) : (i - TR_FEATURE_COUNT == previous);
        for (int i = 0; i < 3; i++)
            input[TR_FEATURE_COUNT + 4 + i] = i == request;
        tr_glance glance = tr_glance_of(&scheduler, input);
        assert_true(glance.previous == previous && glance.request == request);
        tr_glance_unfold(&scheduler, &glance, out);
        assert_memory_equal(out, input, sizeof out);
    }
}

TEST(a_capacity_out_of_bounds_is_refused) {
    OWN_BY(tr_replay_memory_deinit) tr_replay_memory replay = {0};
    assert_int_equal(tr_replay_memory_init(&replay, 0), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_replay_memory_init(&replay, TR_REPLAY_MEMORY_MAX + 1), TR_INVALID_ARGUMENT);
}
