#include "cmocka_test.h"

#include "control/fragments/features.h"
#include "learn/train/target_blend.h"
#include "math/random.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_controller,
          jumpy); /* random targets, constant within a fragment, and random policies */

static void shake(tr_fragment *fragment, int bodies, tr_random *random) {
    for (int b = 1; b < bodies; b++) {
        tr_vec3 turn = {0, 0.3 * tr_random_normal(random), 0};
        for (int step = 0; step < fragment->steps; step++)
            fragment->target[step * bodies + b] = tr_quat_exp(turn);
    }
    for (int i = 0; i < TR_ACTION_MAX; i++)
        fragment->policy.offset[i] = 0.1 * tr_random_normal(random);
}

BEFORE_ALL() {
    tr_random random = tr_random_split(5, 0, 0);
    model = sway_model();
    jumpy = sway_stander(model, true);
    for (int k = 0; k < tr_controller_bank(jumpy)->fragment_count; k++)
        shake(&tr_controller_bank(jumpy)->fragment[k], model->body_count, &random);
}

static tr_quat turned_target(const tr_bank *bank, int k, int step, int body) {
    double action[TR_ACTION_MAX];
    tr_quat turn[TR_BODY_MAX];
    const tr_fragment *fragment = &bank->fragment[k];
    tr_features features = tr_features_at(model, &fragment->start);
    tr_policy_evaluate(&fragment->policy, bank->action.size, &features, action);
    for (int b = 0; b < model->body_count; b++)
        turn[b] = fragment->target[step * model->body_count + b];
    tr_action_apply(model, &bank->action, action, turn);
    return turn[body];
}

/* The largest turn of a target from the last step of a fragment to the first of the next, rad. */
static double largest_jump(const tr_bank *bank) {
    double most = 0;
    for (int k = 0; k < bank->fragment_count; k++)
        for (int b = 1; b < model->body_count; b++) {
            const int before = k > 0 ? k - 1 : bank->fragment_count - 1;
            const bool mirrored = k == 0 && bank->mirrored;
            tr_quat last = turned_target(bank, before, bank->fragment[before].steps - 1,
                                         mirrored ? model->body[b].mirror : b);
            last = mirrored ? tr_quat_mirror(last) : last;
            most = fmax(most, tr_quat_angle(last, turned_target(bank, k, 0, b)));
        }
    return most;
}

/* Over 4 steps the first step has a fifth of the jump left, and the fifth step none. */
TEST(a_fragment_begins_where_the_one_before_ends) {
    OWN(tr_controller) *copy = NULL;
    assert_int_equal(tr_controller_copy(jumpy, model, &copy), TR_OK);
    tr_bank *bank = tr_controller_bank(copy);
    double before = largest_jump(bank);
    assert_true(before > 0.3);
    tr_target_blend(model, bank, 0);
    assert_near(largest_jump(bank), before, 0);
    tr_target_blend(model, bank, 4);
    assert_near(largest_jump(bank), before / 5, 1e-9);
    size_t tail = 4 * (size_t)model->body_count;
    for (int k = 0; k < bank->fragment_count; k++)
        assert_memory_equal(
            bank->fragment[k].target + tail, tr_controller_bank(jumpy)->fragment[k].target + tail,
            sizeof(tr_quat) * ((size_t)bank->fragment[k].steps * (size_t)model->body_count - tail));
}

TEST(a_chain_keeps_its_first_fragment) {
    OWN(tr_controller) *copy = NULL;
    assert_int_equal(tr_controller_copy(jumpy, model, &copy), TR_OK);
    tr_bank *bank = tr_controller_bank(copy);
    bank->cyclic = false;
    tr_target_blend(model, bank, 4);
    const tr_quat *first = tr_controller_bank(jumpy)->fragment[0].target;
    assert_memory_equal(bank->fragment[0].target, first,
                        sizeof(tr_quat) * (size_t)model->body_count);
    assert_memory_not_equal(bank->fragment[1].target, tr_controller_bank(jumpy)->fragment[1].target,
                            sizeof(tr_quat) * (size_t)model->body_count);
}
