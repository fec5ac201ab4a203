#include "cmocka_test.h"

#include "learn/samcon/skill.h"
#include "learn/train/steering_fit.h"
#include "model/mjcf.h"
#include "unit/learn/sway.h"

#include <string.h>

static tr_model *model;
static tr_controller *stander; /* holds the rest pose, open loop: it can be turned on its feet */

FIXTURE(load) {
    model = sway_model();
    tr_motion *motion = sway_motion(model, false);
    tr_skill_def def = {"stand", "a", 0.005, true};
    int failed = tr_skill_create(model, motion, &def, &stander, NULL) != TR_OK;
    tr_motion_destroy(motion);
    tr_pose rest = tr_pose_rest(model);
    tr_state at_rest = tr_state_at_rest(model, &rest);
    stander->spawn = at_rest;
    for (int k = 0; k < tr_controller_bank(stander)->fragment_count; k++) {
        tr_fragment *fragment = &tr_controller_bank(stander)->fragment[k];
        fragment->start = fragment->end = at_rest;
        for (int i = 0; i < fragment->steps * model->body_count; i++)
            fragment->target[i] = tr_quat_identity();
    }
    assert_int_equal(failed, 0);
}

FIXTURE(unload) {
    tr_controller_destroy(stander);
    tr_model_destroy(model);
}

static const tr_steering_fit_def quick = {
    .part = TR_STEERING_FASTER, .rate = 0.02, .generations = 1, .samples = 8, .seed = 5};

typedef struct tale {
    int generations;
    double cost;
} tale;

static void listen(void *context, int generation, const tr_steering_score *best) {
    tale *t = context;
    assert_int_equal(generation, t->generations + 1);
    t->generations++;
    assert_true(t->generations == 1 || best->cost <= t->cost); /* the best so far never worsens */
    t->cost = best->cost;
}

static tr_status fit(int threads, const tr_steering_fit_def *def, tale *t, tr_steering *out) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, threads);
    tr_steering_score score;
    tr_status status = tr_steering_fit(ensemble, stander, def, listen, t, out, &score);
    return status;
}

TEST(threads_do_not_change_the_result) {
    tale t[2] = {{0}, {0}};
    tr_steering steering[2];
    memset(steering, 0, sizeof steering);
    for (int i = 0; i < 2; i++) {
        steering[i].turn_rad_s = 0.4; /* the other parts stay */
        steering[i].turn[0] = 0.3;
        assert_int_equal(fit(i + 1, &quick, &t[i], &steering[i]), TR_OK);
    }
    assert_memory_equal(&steering[0], &steering[1], sizeof steering[0]);
    assert_int_equal(t[0].generations, 1);
    assert_true(steering[0].turn_rad_s == 0.4 && steering[0].turn[0] == 0.3);
    assert_true(steering[0].slower_mps == 0 && steering[0].slower[0] == 0);
    assert_true(steering[0].faster_mps >= 0 && steering[0].speed_mps > 0);
    tr_chain_of(stander)->steering = steering[0];
    assert_int_equal(tr_controller_check(stander, model, NULL), TR_OK);
    memset(&tr_chain_of(stander)->steering, 0, sizeof tr_chain_of(stander)->steering);
}

TEST(an_impossible_fit_is_reported) {
    tale t = {0};
    tr_steering steering = {0};
    tr_steering_fit_def bad[] = {quick, quick, quick};
    bad[0].rate = 0;
    bad[1].generations = 0;
    bad[2].samples = 201;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(fit(1, &bad[i], &t, &steering), TR_INVALID_ARGUMENT);
    tr_controller_bank(stander)->cyclic = false;
    assert_int_equal(fit(1, &quick, &t, &steering), TR_FAILED_PRECONDITION);
    tr_controller_bank(stander)->cyclic = true;
    tr_state upright = stander->spawn;
    stander->spawn.pose.root_pos.z += 2; /* falls from there */
    assert_int_equal(fit(1, &quick, &t, &steering), TR_FAILED_PRECONDITION);
    stander->spawn = upright;
    assert_int_equal(t.generations, 0);
}

SUITE_FIXTURE(load, unload);
