#include "cmocka_test.h"

#include "learn/train/learner.h"
#include "learn/train/warm_start.h"
#include "math/random.h"
#include "model/mjcf.h"
#include "model/model_build.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_model, tall);
SUITE_OWN(tr_model, heavy);
SUITE_OWN(tr_model, other);
SUITE_OWN(tr_model, limited);
SUITE_OWN(tr_controller, stander); /* with policies at random */

static tr_model *body(const char *path) {
    tr_model *loaded = NULL;
    tr_error error = {0};
    if (tr_mjcf_load(path, &loaded, &error))
        fail_msg("%s", error.message);
    return loaded;
}

BEFORE_ALL() {
    model = sway_model();
    tall = body(TR_MODEL_DIR "/humanoid_long_legs.xml");
    heavy = body(TR_MODEL_DIR "/humanoid_heavy_arms.xml");
    other = body(TR_MODEL_DIR "/humanoid51.xml");
    limited = body(TR_MODEL_DIR "/humanoid_limited.xml");
    stander = sway_stander(model, true);
    tr_random random = tr_random_split(1, 0, 0);
    for (int k = 0; k < tr_controller_bank(stander)->fragment_count; k++)
        for (int i = 0; i < tr_controller_bank(stander)->action.size; i++)
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                tr_controller_bank(stander)->fragment[k].policy.m[i][j] =
                    0.1 * tr_random_normal(&random);
}

/* What a controller's policy answers at the reference start of fragment k. */
static void act_at_start(const tr_model *of, const tr_controller *controller, int k,
                         double *out_action) {
    const tr_fragment *fragment = &tr_controller_bank(controller)->fragment[k];
    tr_features features = tr_features_at(of, &fragment->start);
    tr_policy_evaluate(&fragment->policy, tr_controller_bank(controller)->action.size, &features,
                       out_action);
}

static tr_status warm_start(const tr_model *from_model, const tr_controller *from,
                            const tr_model *to_model, tr_controller *to) {
    return tr_warm_start(from_model, tr_controller_bank(from), to_model, tr_controller_bank(to));
}

TEST(the_new_body_acts_as_the_old_one_did) {
    const tr_model *bodies[] = {tall, heavy};
    for (int b = 0; b < 2; b++) {
        OWN(tr_controller) *warm = sway_stander(bodies[b], true);
        assert_int_equal(warm_start(model, stander, bodies[b], warm), TR_OK);
        assert_int_equal(tr_controller_check(warm, bodies[b], NULL), TR_OK);
        for (int k = 0; k < tr_controller_bank(warm)->fragment_count; k++) {
            double before[TR_ACTION_MAX], now[TR_ACTION_MAX];
            act_at_start(model, stander, k, before);
            act_at_start(bodies[b], warm, k, now);
            for (int i = 0; i < tr_controller_bank(warm)->action.size; i++)
                assert_near(now[i], before[i], 1e-9);
            assert_near(tr_controller_bank(warm)->fragment[k].policy.m[3][4],
                        tr_controller_bank(stander)->fragment[k].policy.m[3][4], 0);
        }
    }
}

TEST(only_the_same_joints_fit) {
    assert_true(tr_warm_start_fits(model, tall));
    assert_true(tr_warm_start_fits(tall, heavy));
    assert_false(tr_warm_start_fits(model, other));
    tr_model changed = *tall;
    changed.body[5].joint = changed.body[5].joint == TR_JOINT_BALL ? TR_JOINT_HINGE : TR_JOINT_BALL;
    assert_false(tr_warm_start_fits(model, &changed));
    changed = *tall;
    changed.trunk = changed.head;
    assert_false(tr_warm_start_fits(model, &changed));
    OWN(tr_controller) *warm = sway_stander(model, true);
    assert_int_equal(warm_start(other, stander, model, warm), TR_INVALID_ARGUMENT);
}

static tr_status learn_on(const tr_model *to, const tr_model *from_model, int refine_rounds,
                          tr_learner **out) {
    OWN(tr_motion) *motion = sway_motion(to, false);
    tr_learner_def def = {.model = to,
                          .motion = motion,
                          .name = "tall",
                          .parameters = sway_parameters(),
                          .from = stander,
                          .from_model = from_model,
                          .threads = 2};
    def.parameters.refine_rounds = refine_rounds;
    tr_status status = tr_learner_create(&def, out, NULL);
    return status;
}

static tr_status learn_from(const tr_model *from_model, int refine_rounds, tr_learner **out) {
    return learn_on(tall, from_model, refine_rounds, out);
}

/* References too: a limit of torque does not change the motion of a skill. */
TEST(the_same_limbs_take_a_skill_unchanged) {
    assert_true(tr_warm_start_same_limbs(model, limited));
    assert_false(tr_warm_start_same_limbs(model, tall));
    tr_model soft = *limited;
    soft.geom[3].softness = 1e-3;
    tr_model_finish(&soft);
    assert_true(soft.hash != limited->hash && tr_warm_start_same_limbs(model, &soft));
    OWN(tr_learner) *learner = NULL;
    assert_int_equal(learn_on(limited, model, 0, &learner), TR_OK);
    const tr_controller *begun = tr_learner_best(learner);
    assert_int_equal(tr_controller_check(begun, limited, NULL), TR_OK);
    const tr_fragment *now = tr_controller_bank(begun)->fragment;
    const tr_fragment *before = tr_controller_bank(stander)->fragment;
    assert_memory_equal(&now[1].policy, &before[1].policy, sizeof now[1].policy);
    assert_near(now[1].start.pose.root_pos.z, before[1].start.pose.root_pos.z, 0);
}

/* Training continues it unchanged, or first refines its open loop on the new body. */
TEST(a_training_begins_with_another_bodys_skill) {
    tr_learner *learner = NULL;
    assert_int_equal(learn_from(NULL, 0, &learner), TR_INVALID_ARGUMENT);
    assert_int_equal(learn_from(other, 0, &learner), TR_INVALID_ARGUMENT);
    assert_null(learner);
    assert_int_equal(learn_from(model, 0, &learner), TR_OK);
    const tr_controller *begun = tr_learner_best(learner);
    assert_true(begun->model_hash == tall->hash);
    assert_near(tr_controller_bank(begun)->fragment[2].policy.m[1][1],
                tr_controller_bank(stander)->fragment[2].policy.m[1][1], 0);
    tr_learner_destroy(learner);
    learner = NULL;
    assert_int_equal(learn_from(model, 1, &learner), TR_OK);
    assert_int_equal(tr_learner_advance(learner, NULL), TR_OK);
    assert_int_equal(learner->progress.record.row[0].phase, TR_TRAINING_REFINE);
    assert_near(tr_controller_bank(tr_learner_best(learner))->fragment[2].policy.m[1][1], 0, 0);
    tr_learner_destroy(learner);
}
