#include "cmocka_test.h"

#include "control/recovery/recovery.h"
#include "learn/graph/graph_bank.h"
#include "learn/measure/rising.h"
#include "learn/samcon/skill.h"
#include "model/mjcf.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SUITE_OWN(tr_model, model);

/* Lies face down, joints as at rest; a chain of two fragments that stays lying. */
static tr_controller *lier(double pitch) {
    OWN(tr_motion) *motion = NULL;
    tr_controller *chain = NULL;
    tr_error error = {0};
    tr_skill_def def = {"rise", "a", 0.005, true};
    assert_int_equal(tr_motion_create(model, 41, 0.005, &motion), TR_OK);
    for (int i = 0; i < motion->frame_count; i++) {
        motion->poses[i].root_rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, pitch);
        motion->poses[i].root_pos.z = 0.2;
    }
    strcpy(motion->name, "rise");
    assert_int_equal(tr_skill_create(model, motion, &def, &chain, &error), TR_OK);
    return chain;
}

static tr_controller *graph_of(bool rises) {
    OWN(tr_controller) *stand = sway_stander(model, true), *prone = lier(TR_PI / 2);
    const tr_controller *skills[] = {stand, prone};
    int end =
        tr_controller_bank(stand)->fragment_count + tr_controller_bank(prone)->fragment_count - 1;
    tr_graph_edge edge = {end, 0, false};
    tr_graph_bank_def def = {"g", skills, &edge, rises ? 2 : 1, rises ? 1 : 0, NULL};
    tr_controller *graph = NULL;
    tr_error error = {0};
    strcpy(stand->skill, "stand");
    assert_int_equal(tr_graph_bank_create(model, &def, &graph, &error), TR_OK);
    assert_int_equal(tr_recovery_add(graph), TR_OK);
    return graph;
}

/* Turned about the axis to the left, a root looks up first, then down; about its own, to a side. */
TEST(postures_are_distinguished) {
    static const struct {
        tr_vec3 axis;
        double angle_rad;
        tr_rising_posture posture;
    } lying[] = {
        {{0, 1, 0}, -TR_PI / 2, TR_RISING_SUPINE}, {{0, 1, 0}, TR_PI / 2, TR_RISING_PRONE},
        {{0, 1, 0}, -0.8, TR_RISING_SUPINE},       {{0, 1, 0}, -0.75, TR_RISING_SIDE},
        {{1, 0, 0}, TR_PI / 2, TR_RISING_SIDE},    {{1, 0, 0}, -TR_PI / 2, TR_RISING_SIDE}};
    for (size_t i = 0; i < sizeof lying / sizeof *lying; i++) {
        tr_pose pose = tr_pose_rest(model);
        pose.root_rot = tr_quat_from_axis_angle(lying[i].axis, lying[i].angle_rad);
        tr_state lies = tr_state_at_rest(model, &pose);
        assert_int_equal(tr_rising_posture_of(&lies), lying[i].posture);
    }
}

TEST(all_characters_fall_and_those_that_cannot_rise_stay_down) {
    enum { TRIALS = 6 };
    OWN(tr_controller) *graph = graph_of(true);
    tr_rising_test test = tr_rising_test_default();
    tr_rising_trial one[TRIALS], two[TRIALS];
    tr_pool *pool = NULL;
    test.trials = TRIALS;
    test.within_s = 3;
    test.stays_s = 0; /* even then it has to be up */
    for (int threads = 1; threads <= 2; threads++) {
        assert_int_equal(tr_pool_create(threads, &pool), TR_OK);
        assert_int_equal(tr_rising_measure(model, graph, &test, pool, threads == 1 ? one : two),
                         TR_OK);
        tr_pool_destroy(pool);
    }
    int tries = 0;
    for (int i = 0; i < TRIALS; i++) {
        assert_true(one[i].fell);
        assert_true(!one[i].stands && !one[i].steady && isnan(one[i].steady_s));
        assert_int_equal(one[i].from, 0);
        assert_int_equal(one[i].tries, two[i].tries);
        double down_s = 0;
        for (int p = 0; p < TR_RECOVERY_PHASES; p++)
            down_s += one[i].phase_s[p];
        assert_true(fabs(down_s - 3 - graph->step_s) < 1e-9); /* all the time after the fall */
        assert_true(one[i].phase_s[TR_RECOVERY_FALL] > 0.29);
        if (one[i].tries > 0) {
            assert_int_equal(one[i].node, 1);
            assert_true(one[i].start.pose.root_pos.z < 0.4);
            assert_memory_equal(&one[i].start, &two[i].start, sizeof(tr_state));
        }
        tries += one[i].tries;
    }
    assert_true(tries > 0);
}

/* The graph has one cyclic skill, so a request for it changes nothing. */
TEST(a_requested_skill_is_one_that_repeats) {
    static const char *const refused[] = {"rise", "dance"};
    OWN(tr_controller) *graph = graph_of(true);
    tr_rising_test test = tr_rising_test_default();
    tr_rising_trial any[2], again[2];
    OWN(tr_pool) *pool = NULL;
    test.trials = 2;
    test.within_s = 1;
    assert_int_equal(tr_pool_create(1, &pool), TR_OK);
    assert_int_equal(tr_rising_measure(model, graph, &test, pool, any), TR_OK);
    test.again = "stand";
    assert_int_equal(tr_rising_measure(model, graph, &test, pool, again), TR_OK);
    for (int i = 0; i < 2; i++)
        assert_true(any[i].blow_ns == again[i].blow_ns);
    for (int i = 0; i < 2; i++) {
        test.again = refused[i];
        assert_int_equal(tr_rising_measure(model, graph, &test, pool, again), TR_INVALID_ARGUMENT);
    }
}

TEST(trials_are_added_up) {
    static const tr_rising_trial trial[] = {
        {.fell = true, .stands = true, .steady = true, .steady_s = 3, .blow_ns = 30},
        {.fell = true, .steady = true, .steady_s = 2, .blow_ns = 60},
        {.fell = true, .steady = true, .steady_s = 7},
        {.fell = false, .blow_ns = 90}};
    tr_rising_count sum;
    assert_int_equal(tr_rising_add_up(trial, 4, &sum), TR_OK);
    assert_true(sum.fell == 3 && sum.stands == 1 && sum.steady == 3);
    assert_true(sum.steady_s == 3 && fabs(sum.head_ns - 30) < 1e-12);
    assert_int_equal(tr_rising_add_up(trial + 3, 1, &sum), TR_OK);
    assert_true(sum.fell == 0 && isnan(sum.steady_s));
}

TEST(what_cannot_be_measured_is_refused) {
    tr_controller *graph = graph_of(false), *stand = sway_stander(model, true);
    tr_rising_test test = tr_rising_test_default();
    tr_rising_trial out[1];
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(1, &pool), TR_OK);
    test.trials = 1;
    assert_int_equal(tr_rising_measure(model, graph, &test, pool, out), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_rising_measure(model, stand, &test, pool, out), TR_INVALID_ARGUMENT);
    tr_controller_destroy(graph);
    graph = graph_of(true);
    test.trials = 0;
    assert_int_equal(tr_rising_measure(model, graph, &test, pool, out), TR_INVALID_ARGUMENT);
    tr_pool_destroy(pool);
    tr_controller_destroy(graph);
    tr_controller_destroy(stand);
}

BEFORE_ALL() {
    tr_physics_init();
    model = sway_model();
}
