/* controllers/learn/latent/value_iteration.h, latent_check.h: values satisfy Bellman's equation, and
 * with them a character made by hand is steered. */
#include "cmocka_test.h"

#include "learn/latent/latent_check.h"
#include "learn/latent/task_training.h"
#include "learn/method/work_file.h"
#include "learn/methods.h"
#include "unit/control/latent/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_latent_space, space);
SUITE_OWN(tr_pool, pool);

/* Its root does not follow its feet, so no foot may count as standing. */
FIXTURE(make_space) {
    model = loops_model();
    tr_latent_space_def def = loops_definition(model);
    tr_error error = {0};
    memset(def.standing, 0, (size_t)def.frame_count);
    assert_false(tr_latent_space_create(model, &def, &space, &error));
    assert_int_equal(tr_pool_create(2, &pool), 0);
}

static tr_task_parameters small_parameters(void) {
    tr_task_parameters p = {0};
    tr_parameter_reset(&tr_task_parameter_table, &p);
    p.bearing_cells = 12;
    p.discount = 0.9;
    p.refinements = 1;
    return p;
}

/* The policy of a whole training, which is interrupted after its first round. */
static tr_latent_policy *train(const tr_task_parameters *p, tr_pool *with) {
    static const tr_work_bond bond = {.method = "latent_task"};
    static const char path[] = "latent_task.checkpoint";
    tr_task_training training[2];
    tr_method_row row;
    for (int i = 0; i < 2; i++) {
        training[i] =
            (tr_task_training){.model = model, .parameters = *p, .pool = with, .space = space};
        assert_int_equal(tr_task_training_start(&training[i], NULL), TR_OK);
    }
    assert_int_equal(tr_latent_task_method.advance(&training[0], &row, NULL), TR_OK);
    const tr_work_file saved = {&tr_latent_task_method, &training[0], &bond, NULL, NULL},
                       loaded = {&tr_latent_task_method, &training[1], &bond, NULL, NULL};
    assert_int_equal(tr_work_file_save(&saved, path, NULL), TR_OK);
    assert_int_equal(tr_work_file_load(&loaded, path, NULL), TR_OK);
    while (!tr_latent_task_method.is_done(&training[1]))
        assert_int_equal(tr_latent_task_method.advance(&training[1], &row, NULL), TR_OK);
    tr_latent_policy_destroy(training[0].policy);
    assert_int_equal(unlink(path), 0);
    return training[1].policy;
}

/* V(s_i) = max R + R_Q + gamma V at the samples: what a decision there expects is their value. It
 * has no targets that a check could count. */
TEST(test_values_satisfy_bellmans_equation) {
    tr_task_parameters p = small_parameters();
    p.refinements = 0;
    OWN(tr_latent_policy) *policy = train(&p, pool);
    for (int i = 0; i < policy->sample_count; i += 5)
        for (int c = 0; c < policy->cell_count; c++) {
            tr_latent_state at = tr_latent_policy_sample(policy, i);
            tr_goal goal = tr_goal_grid_goal(&policy->task.grid, c);
            tr_latent_decision d = tr_latent_policy_decide(policy, space, model, &at, &goal);
            assert_true(fabs(d.total - policy->value[i * policy->cell_count + c]) < 1e-3);
        }
    const tr_latent_check check = {.policy = policy, .characters = 1, .targets = 1};
    tr_target_check_result result;
    assert_int_equal(tr_latent_check_targets(&check, &result), TR_INVALID_ARGUMENT);
}

static void check_samples(const tr_latent_policy *policy) {
    const int frames = space->learned.frame_count;
    assert_int_equal(policy->sample_count, frames + frames / 2);
    for (int i = frames; i < policy->sample_count; i++) {
        tr_latent_state s = tr_latent_policy_sample(policy, i);
        double radius = sqrt(s.x[0] * s.x[0] + s.x[1] * s.x[1]);
        assert_true(radius > 0.4 && radius < 1.6 && fabs(s.x[2]) < 1);
    }
}

TEST(test_refinement_adds_samples_near_visited_states_whatever_the_threads) {
    tr_task_parameters p = small_parameters();
    tr_pool *one;
    assert_int_equal(tr_pool_create(1, &one), TR_OK);
    OWN(tr_latent_policy) *a = train(&p, pool), *b = train(&p, one);
    check_samples(a);
    size_t values = (size_t)a->sample_count * (size_t)a->cell_count;
    assert_memory_equal(a->value, b->value, values * sizeof *a->value);
    assert_memory_equal(a->sample, b->sample,
                        2 * LOOP_DIMENSION * (size_t)a->stride * sizeof *a->sample);
    tr_pool_destroy(one);
}

TEST(test_character_is_steered) {
    tr_task_parameters p = small_parameters();
    p.discount = 0.97;
    OWN(tr_latent_policy) *policy = train(&p, pool);
    tr_latent_check check = {.model = model,
                             .space = space,
                             .policy = policy,
                             .pool = pool,
                             .characters = 12,
                             .steps = 300,
                             .goal_steps = 100,
                             .seed = 1};
    tr_latent_check_result steered;
    assert_int_equal(tr_latent_check_run(&check, &steered), TR_OK);
    assert_true(steered.heading.reward.median > 600);
    assert_true(steered.heading.deviation_deg.median < 15);
    assert_true(steered.speed_mps.median > 1.2);
    assert_true(steered.clip_jerk > 0 && steered.jerk.median > 0);
    memset(policy->value, 0,
           (size_t)policy->sample_count * (size_t)policy->cell_count * sizeof *policy->value);
    tr_latent_check_result greedy;
    assert_int_equal(tr_latent_check_run(&check, &greedy), TR_OK);
    assert_true(greedy.heading.reward.median < 0.8 * steered.heading.reward.median);
}

static tr_target_check_result count_hits(const tr_latent_policy *policy, tr_pool *with) {
    const tr_latent_check check = {.model = model,
                                   .space = space,
                                   .policy = policy,
                                   .pool = with,
                                   .characters = 16,
                                   .targets = 10,
                                   .decisions = true,
                                   .seed = 1};
    tr_target_check_result result;
    assert_int_equal(tr_latent_check_targets(&check, &result), TR_OK);
    return result;
}

/* The hand hangs beside a character that can turn on its way. */
TEST(test_targets_are_hit_by_values) {
    tr_task_parameters p = small_parameters();
    strcpy(p.task, "target");
    p.discount = 0.95;
    p.height_m = 0.75;
    p.body_speed_mps = 0;
    p.refinements = 3;
    tr_pool *one;
    assert_int_equal(tr_pool_create(1, &one), TR_OK);
    tr_latent_policy *policy = train(&p, pool);
    tr_target_check_result a = count_hits(policy, pool), b = count_hits(policy, one);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.trials, 160);
    assert_true(a.low < (double)a.hits / a.trials && a.high > (double)a.hits / a.trials);
    size_t values = (size_t)policy->sample_count * (size_t)policy->cell_count;
    memset(policy->value, 0, values * sizeof *policy->value);
    policy->task.sharpness = 0;
    tr_target_check_result aimless = count_hits(policy, pool);
    assert_true(a.hits > aimless.hits + 10);
    tr_pool_destroy(one);
    tr_latent_policy_destroy(policy);
}

TEST(test_wrong_tasks_are_refused) {
    tr_task_parameters p = small_parameters();
    tr_task_training training = {.model = model, .space = space};
    tr_error error = {0};
    strcpy(p.task, "dance");
    training.parameters = p;
    assert_int_equal(tr_task_training_start(&training, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "dance"));
    strcpy(training.parameters.task, "target");
    strcpy(training.parameters.body, "tail");
    assert_int_equal(tr_task_training_start(&training, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "tail"));
    assert_null(training.policy);
}

SUITE_FIXTURE(make_space, NULL);
