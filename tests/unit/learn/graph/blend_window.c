#include "cmocka_test.h"

#include "learn/graph/blend_window.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_controller, one);
SUITE_OWN(tr_controller, other); /* differ in every fragment */

/* Reference states that differ; each fragment starts where the one before it ends. */
static void give_states(tr_controller *skill, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    int count = tr_controller_bank(skill)->fragment_count;
    for (int k = 0; k < count; k++) {
        tr_state state = puppet_state(model, &random, 0, 1);
        tr_quat level = tr_quat_from_heading(-tr_quat_heading(state.pose.root_rot));
        state.pose.root_rot = tr_quat_mul(level, state.pose.root_rot);
        state.pose.root_pos.x = state.pose.root_pos.y = 0;
        tr_controller_bank(skill)->fragment[k].start =
            tr_controller_bank(skill)->fragment[(k + count - 1) % count].end = state;
    }
}

BEFORE_ALL() {
    model = puppet_model();
    one = puppet_sway(model, 4, 20, 1);
    other = puppet_sway(model, 5, 22, 2);
    strcpy(one->skill, "walk");
    strcpy(other->skill, "run");
    tr_controller_bank(other)->mirrored = true;
    give_states(one, 3);
    give_states(other, 4);
}

TEST(windows_come_nearest_first) {
    OWN_MEMORY tr_blend_window *windows = NULL;
    int count = 0;
    assert_int_equal(tr_blend_windows(model, one, other, 2, 4, &windows, &count), TR_OK);
    assert_int_equal(count, 4 * 5 * 3 * 2);
    for (int i = 1; i < count; i++)
        assert_true(windows[i].distance >= windows[i - 1].distance);
}

/* A skill leads over into itself where the window ends where it would have come anyway. */
TEST(a_skill_is_nearest_to_itself) {
    OWN_MEMORY tr_blend_window *windows = NULL;
    int count = 0;
    assert_int_equal(tr_blend_windows(model, one, one, 3, 3, &windows, &count), TR_OK);
    assert_int_equal(count, 4 * 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(windows[i].to, (windows[i].from + 1 + 3) % 4);
        assert_true(windows[i].distance < 1e-6);
    }
}

static double policy_difference(const tr_policy *a, const tr_policy *b) {
    double worst = 0;
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        worst = fmax(worst, fabs(a->offset[i] - b->offset[i]));
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            worst = fmax(worst, fabs(a->m[i][j] - b->m[i][j]));
    }
    return worst;
}

/* Faded into itself at the same phase, a skill is what it was. */
TEST(a_window_between_equal_skills_changes_nothing) {
    const tr_blend_window window = {.from = 1, .to = 1, .count = 3};
    OWN(tr_controller) *chain = NULL;
    assert_int_equal(tr_blend_window_fill(model, one, one, &window, &chain), TR_OK);
    for (int k = 0; k < 3; k++) {
        const tr_fragment *expected = &tr_controller_bank(one)->fragment[(2 + k) % 4],
                          *found = &tr_controller_bank(chain)->fragment[k];
        assert_int_equal(found->steps, expected->steps);
        assert_true(puppet_distance(model, &found->start, &expected->start) < 1e-9);
        assert_true(policy_difference(&found->policy, &expected->policy) < 1e-12);
        for (int i = 0; i < found->steps * model->body_count; i++)
            assert_true(tr_quat_angle(found->target[i], expected->target[i]) < 1e-7);
    }
}

/* It begins as the first and ends as the second, in the requested half. */
TEST(it_fades_from_one_to_the_other) {
    /* Back from fragment 1: the last two of the half before, mirrored; which `flips` undoes. */
    const tr_blend_window window = {.from = 3, .to = 1, .count = 3, .flips = true};
    OWN(tr_controller) *chain = NULL;
    assert_int_equal(tr_blend_window_fill(model, one, other, &window, &chain), TR_OK);
    assert_string_equal(chain->skill, "walk-to-run");
    assert_false(tr_controller_bank(chain)->cyclic);
    assert_int_equal(tr_controller_check(chain, model, NULL), TR_OK);
    assert_true(puppet_distance(model, &tr_controller_bank(chain)->fragment[0].start,
                                &tr_controller_bank(one)->fragment[0].start) < 1e-9);
    tr_state end = tr_state_mirror(model, &tr_controller_bank(other)->fragment[0].end);
    assert_true(puppet_distance(model, &tr_controller_bank(chain)->fragment[2].end, &end) < 1e-9);
    const tr_fragment *last = &tr_controller_bank(chain)->fragment[2],
                      *whole = &tr_controller_bank(other)->fragment[0];
    assert_int_equal(last->steps, 22);
    for (int b = 1; b < model->body_count; b++) {
        tr_quat found = last->target[21 * model->body_count + model->body[b].mirror];
        tr_quat expected = tr_quat_mirror(whole->target[21 * model->body_count + b]);
        assert_true(tr_quat_angle(found, expected) < 0.01);
    }
}

/* Past the end of the second skill into its other half, and no farther when asked again. */
TEST(a_chain_continues_in_the_second) {
    tr_blend_window window = {.from = 3, .to = 4, .count = 3};
    OWN(tr_controller) *chain = NULL;
    assert_int_equal(tr_blend_window_fill(model, one, other, &window, &chain), TR_OK);
    tr_policy last_faded = tr_controller_bank(chain)->fragment[2].policy;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(tr_blend_window_append(model, other, 2, &window, &chain), TR_OK);
        assert_int_equal(tr_controller_bank(chain)->fragment_count, 5);
        assert_int_equal(window.count, 5);
        assert_int_equal(window.to, 1);
        assert_true(window.flips);
        assert_string_equal(chain->skill, "walk-to-run");
        assert_int_equal(tr_controller_check(chain, model, NULL), TR_OK);
        tr_controller_bank(chain)->fragment[3].policy.offset[2] +=
            0.1; /* as where the chain was hardened */
    }
    assert_int_equal(tr_blend_window_append(model, other, 3, &window, &chain), TR_OK);
    assert_int_equal(tr_controller_bank(chain)->fragment_count, 6);
    assert_int_equal(window.to, 2);
    assert_memory_equal(&tr_controller_bank(chain)->fragment[2].policy, &last_faded,
                        sizeof last_faded);
    const tr_fragment *found = &tr_controller_bank(chain)->fragment[3],
                      *expected = &tr_controller_bank(other)->fragment[4];
    assert_true(found->policy.offset[2] > expected->policy.offset[2] + 0.15);
    assert_memory_equal(found->target, expected->target,
                        (size_t)found->steps * (size_t)model->body_count * sizeof *found->target);
    tr_state end = tr_state_mirror(model, &tr_controller_bank(other)->fragment[0].end);
    assert_true(puppet_distance(model, &tr_controller_bank(chain)->fragment[4].end, &end) < 1e-12);
}

TEST(what_cannot_be_faded_is_refused) {
    tr_blend_window *windows = NULL;
    int count = 0;
    assert_int_equal(tr_blend_windows(model, one, other, 0, 4, &windows, &count),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_blend_windows(model, one, other, 3, 2, &windows, &count),
                     TR_INVALID_ARGUMENT);
    tr_controller_bank(one)->cyclic = false;
    assert_int_equal(tr_blend_windows(model, one, other, 2, 4, &windows, &count),
                     TR_INVALID_ARGUMENT);
    tr_controller_bank(one)->cyclic = true;
    assert_null(windows);
}
