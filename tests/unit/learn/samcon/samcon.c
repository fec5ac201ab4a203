#include "cmocka_test.h"

#include "learn/samcon/refine.h"
#include "learn/samcon/skill.h"
#include "math/hash.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>

static tr_model *model;
static tr_controller *controller; /* swaying, without feedback */

FIXTURE(load) {
    model = sway_model();
    OWN(tr_motion) *motion = sway_motion(model, true);
    tr_skill_def def = {"sway", "a", 0.005, true};
    int failed = tr_skill_create(model, motion, &def, &controller, NULL) != TR_OK;
    assert_int_equal(failed, 0);
}

FIXTURE(unload) {
    tr_controller_destroy(controller);
    tr_model_destroy(model);
}

static tr_samcon_def walk_def(void) {
    return (tr_samcon_def){.stages = 12,
                           .samples = 30,
                           .elites = 10,
                           .noise_rad = 0.02,
                           .push_n = 50,
                           .push_probability = 0.4,
                           .cost_max = 8,
                           .rollback = 3,
                           .failures_max = 20,
                           .weights = tr_cost_weights_default(),
                           .seed = 5};
}

static uint64_t walk_hash(const tr_walk *walk) {
    uint64_t hash = TR_HASH_START;
    for (int q = 0; q < walk->count; q++) {
        const tr_walk_step *step = &walk->step[q];
        hash = tr_hash_add(hash, &step->cost, sizeof step->cost);
        hash = tr_hash_add(hash, step->action, sizeof step->action);
        hash = tr_hash_add(hash, &step->features, sizeof step->features);
        hash = tr_hash_add(hash, &step->end, sizeof step->end);
    }
    return hash;
}

TEST(the_walk_does_not_depend_on_threads) {
    uint64_t first = 0;
    for (int threads = 1; threads <= 3; threads++) {
        OWN(tr_ensemble) *ensemble = sway_ensemble(model, threads);
        tr_samcon_def def = walk_def();
        tr_walk walk;
        assert_int_equal(tr_samcon_walk(ensemble, controller, &def, &walk), TR_OK);
        if (threads == 1)
            first = walk_hash(&walk);
        assert_true(walk_hash(&walk) == first);
        tr_walk_deinit(&walk);
    }
}

/* Each step must start where the one before it ended: performing the recorded actions from the
 * recorded states without noise and pushes gives the recorded ends. */
TEST(the_path_is_one_the_simulation_takes) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_samcon_def def = walk_def();
    tr_walk walk;
    def.noise_rad = 0;
    def.push_n = 0;
    assert_int_equal(tr_samcon_walk(ensemble, controller, &def, &walk), TR_OK);
    assert_int_equal(walk.count, def.stages);
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    tr_state now = controller->spawn;
    for (int q = 0; q < walk.count; q++) {
        const tr_walk_step *step = &walk.step[q];
        tr_rehearsal_part part = {&tr_controller_bank(controller)->action,
                                  &tr_controller_bank(controller)->fragment[step->fragment],
                                  step->action};
        assert_int_equal(step->fragment, q % tr_controller_bank(controller)->fragment_count);
        assert_int_equal(tr_rehearsal_place(rehearsal, &now), TR_OK);
        tr_features s =
            tr_features_of(model, &now, tr_world_bodies(rehearsal->world, rehearsal->character));
        assert_memory_equal(&s, &step->features, sizeof s);
        assert_int_equal(tr_rehearsal_perform(rehearsal, &part), TR_OK);
        assert_int_equal(tr_world_get_state(rehearsal->world, rehearsal->character, &now), TR_OK);
        if (step->fragment == tr_controller_bank(controller)->fragment_count - 1)
            now = tr_state_mirror(model, &now);
        assert_memory_equal(&now.pose.root_pos, &step->end.pose.root_pos, sizeof(tr_vec3));
        assert_memory_equal(&now.joint_rate[1], &step->end.joint_rate[1], sizeof(tr_vec3));
    }
    tr_walk_deinit(&walk);
}

TEST(more_samples_find_a_cheaper_walk) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    double cost[2];
    for (int i = 0; i < 2; i++) {
        tr_samcon_def def = walk_def();
        tr_walk walk;
        def.push_n = 0;
        def.samples = i ? 300 : 10;
        def.elites = i ? 30 : 1;
        OWN(tr_controller) *explorer = NULL;
        assert_int_equal(tr_controller_copy(controller, model, &explorer), TR_OK);
        tr_refine_reset_policies(tr_controller_bank(explorer), 0.05);
        assert_int_equal(tr_samcon_walk(ensemble, explorer, &def, &walk), TR_OK);
        cost[i] = walk.cost;
        tr_walk_deinit(&walk);
    }
    assert_true(cost[1] < cost[0]);
}

TEST(a_hopeless_walk_is_given_up) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_samcon_def def = walk_def();
    tr_walk walk = {.count = -1};
    def.cost_max = 1e-9;
    def.failures_max = 3;
    assert_int_equal(tr_samcon_walk(ensemble, controller, &def, &walk), TR_ABORTED);
    assert_int_equal(walk.count, -1);
    def.elites = 0;
    assert_int_equal(tr_samcon_walk(ensemble, controller, &def, &walk), TR_INVALID_ARGUMENT);
    def.elites = def.samples + 1;
    assert_int_equal(tr_samcon_walk(ensemble, controller, &def, &walk), TR_INVALID_ARGUMENT);
}

TEST(refinement_composes_the_mean_action) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *refined = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &refined), TR_OK);
    tr_refine_def def = {.walk = walk_def(), .sigma_rad = 0.05, .skipped_visits = 1};
    def.walk.push_n = def.walk.noise_rad = 0;
    double cost = 0;
    int rollbacks = -1;
    assert_int_equal(tr_refine_round(ensemble, &def, refined, &cost, &rollbacks), TR_OK);
    assert_true(cost > 0 && rollbacks >= 0);
    tr_walk walk;
    OWN(tr_controller) *explorer = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &explorer), TR_OK);
    tr_refine_reset_policies(tr_controller_bank(explorer), def.sigma_rad);
    assert_int_equal(tr_samcon_walk(ensemble, explorer, &def.walk, &walk), TR_OK);
    int knee = tr_model_find_body(model, "lshank"), at = 0;
    for (int j = 0; tr_controller_bank(controller)->action.body[j] != knee; j++)
        at += model->body[tr_controller_bank(controller)->action.body[j]].joint == TR_JOINT_HINGE
                  ? 1
                  : 3;
    for (int k = 0; k < tr_controller_bank(controller)->fragment_count; k++) {
        double mean = 0;
        for (int q = tr_controller_bank(controller)->fragment_count; q < walk.count; q++)
            if (walk.step[q].fragment == k)
                mean += walk.step[q].action[at] / 2; /* two visits are averaged */
        tr_quat before = tr_controller_bank(controller)->fragment[k].target[knee];
        tr_quat after = tr_controller_bank(refined)->fragment[k].target[knee];
        double turned = tr_quat_log(tr_quat_mul(after, tr_quat_conj(before))).y;
        assert_near(turned, mean, 1e-9);
    }
    tr_walk_deinit(&walk);
}

/* --- samples drawn elsewhere --- */

TEST(a_chain_starts_again_in_one_of_its_starts) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *chain = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &chain), TR_OK);
    tr_controller_bank(chain)->cyclic = tr_controller_bank(chain)->mirrored = false;
    tr_state start[2] = {chain->spawn, chain->spawn};
    start[0].root_vel.x = 0.01;
    start[1].root_vel.x = 0.02;
    tr_samcon_def def = walk_def();
    tr_walk walk;
    def.stages = 6 * tr_controller_bank(chain)->fragment_count;
    def.starts = (tr_starts){start, 2};
    assert_int_equal(tr_samcon_walk(ensemble, chain, &def, &walk), TR_OK);
    int seen[2] = {0};
    for (int q = 0; q < walk.count; q++) {
        const tr_state *begin = &walk.step[q].start;
        if (q % tr_controller_bank(chain)->fragment_count != 0) {
            assert_memory_equal(begin, &walk.step[q - 1].end, sizeof *begin);
            continue;
        }
        int which = begin->root_vel.x > 0.015;
        assert_memory_equal(begin, &start[which], sizeof *begin);
        seen[which]++;
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    tr_walk_deinit(&walk);
}

SUITE_FIXTURE(load, unload);
