#include "cmocka_test.h"

#include "learn/measure/evaluate.h"
#include "learn/train/harden.h"
#include "math/hash.h"
#include "unit/learn/sway_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tr_harden_def definition(void) {
    return (tr_harden_def){.updates = 1,
                           .directions = 6,
                           .best = 4,
                           .trials = 4,
                           .candidates = 1,
                           .spacing = 1,
                           .sigma_rad = 0.01,
                           .rate = 0.5,
                           .push_n = 160,
                           .after_s = 1,
                           .weights = tr_cost_weights_default(),
                           .seed = 3};
}

static tr_status harden(const tr_harden_def *def, int threads, tr_controller *controller,
                        double *out_return) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, threads);
    tr_status status = tr_harden(ensemble, def, controller, out_return);
    for (int i = 0; i < ensemble->worlds;
         i++) /* no ground remains in the worlds for the next test */
        assert_int_equal(tr_world_scenery(ensemble->rehearsal[i].world, NULL, 0), 0);
    return status;
}

/* Hash of the result and its return. */
static uint64_t hardened(const tr_harden_def *def, int threads) {
    OWN(tr_controller) *controller = sway_stander(model, true);
    double mean_return = 0;
    assert_int_equal(harden(def, threads, controller, &mean_return), TR_OK);
    assert_true(mean_return < 0 && mean_return > -1);
    uint64_t hash = tr_controller_hash(controller, model);
    return tr_hash_add(hash, &mean_return, sizeof mean_return);
}

TEST(threads_do_not_change_the_result) {
    tr_harden_def def = definition(), other = definition();
    other.seed = 4;
    uint64_t one = hardened(&def, 1);
    assert_true(hardened(&def, 3) == one);
    assert_true(hardened(&other, 1) != one);
}

/* Where a model has no limits of torque, more strength changes nothing: trials in worlds of their
 * own are those of the ensemble. */
TEST(trials_may_have_worlds_of_their_own) {
    tr_harden_def def = definition();
    uint64_t plain = hardened(&def, 1);
    def.extra[0] = 1;
    assert_true(hardened(&def, 1) == plain);
    def.vary = 0.1;
    uint64_t varied = hardened(&def, 1);
    assert_true(varied != plain);
    assert_true(hardened(&def, 3) == varied);
    OWN(tr_controller) *controller = sway_stander(model, true);
    double unused = 0;
    def.vary = 1;
    assert_int_equal(harden(&def, 1, controller, &unused), TR_INVALID_ARGUMENT);
    def.vary = 0;
    def.extra[1] = -1;
    assert_int_equal(harden(&def, 1, controller, &unused), TR_INVALID_ARGUMENT);
}

/* If a world cannot be made, the search ends and the controller is unchanged. */
TEST(a_world_that_fails_ends_the_search) {
    tr_harden_def def = definition();
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *controller = sway_stander(model, true);
    uint64_t before;
    OWN_MEMORY tr_model *without_gains = malloc(sizeof *without_gains);
    double unused = 7;
    assert_non_null(without_gains);
    *without_gains = *model;
    without_gains->gain_set_count = 0;
    ensemble->model = without_gains;
    assert_int_equal(tr_harden(ensemble, &def, controller, &unused), TR_OK); /* opens no world */
    before = tr_controller_hash(controller, model);
    def.vary = 0.1;
    unused = 7;
    assert_int_equal(tr_harden(ensemble, &def, controller, &unused), TR_NOT_FOUND);
    assert_true(unused == 7);
    assert_true(tr_controller_hash(controller, model) == before);
    ensemble->model = model;
}

/* Every other fragment bends the knees, so that the feet hit the ground. */
static tr_controller *stamper(void) {
    static const char *const body[] = {"lthigh", "rthigh", "lshank", "rshank", "lfoot", "rfoot"};
    const double bend[] = {-0.3, -0.3, 0.6, 0.6, -0.3, -0.3};
    tr_controller *controller = sway_stander(model, true);
    tr_bank *bank = tr_controller_bank(controller);
    for (int k = 0; k < bank->fragment_count; k += 2)
        for (int i = 0; i < bank->fragment[k].steps; i++)
            for (int b = 0; b < 6; b++) {
                int at = tr_model_find_body(model, body[b]);
                assert_true(at > 0);
                bank->fragment[k].target[i * model->body_count + at] =
                    tr_quat_exp((tr_vec3){0, bend[b], 0});
            }
    return controller;
}

TEST(hard_steps_may_cost) {
    tr_harden_def def = definition();
    OWN(tr_controller) *controller = stamper();
    def.rate = 0;
    double without = 0, with = 0;
    assert_int_equal(harden(&def, 1, controller, &without), TR_OK);
    def.strike = 1;
    assert_int_equal(harden(&def, 1, controller, &with), TR_OK);
    assert_true(with < without - 0.005);
    def.strike = -1;
    assert_int_equal(harden(&def, 1, controller, &with), TR_INVALID_ARGUMENT);
}

/* Steps in the worlds are kept if no other ground is trained on. */
TEST(what_lies_in_the_worlds_stays) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *controller = sway_stander(model, true);
    tr_harden_def def = definition();
    tr_steps steps;
    double mean_return = 0;
    def.trials = 2;
    assert_int_equal(tr_steps_read("3:0.2", &steps, NULL), TR_OK);
    assert_int_equal(tr_steps_lay(&steps, ensemble->rehearsal[0].world), TR_OK);
    assert_int_equal(tr_harden(ensemble, &def, controller, &mean_return), TR_OK);
    assert_int_equal(tr_world_scenery(ensemble->rehearsal[0].world, NULL, 0), 1);
}

/* So the chosen trials cost every candidate more. */
TEST(the_hardest_of_several_pushes_is_met) {
    tr_harden_def def = definition();
    def.rate = 0;
    def.directions = def.best = 2;
    def.sigma_rad = 1e-4;
    def.trials = 24;
    tr_controller *controller = sway_stander(model, true);
    double drawn = 0, hardest = 0;
    assert_int_equal(harden(&def, 1, controller, &drawn), TR_OK);
    def.candidates = 6;
    assert_int_equal(harden(&def, 1, controller, &hardest), TR_OK);
    assert_true(hardest < drawn - 0.01);
    tr_controller_destroy(controller);
    def = definition();
    def.candidates = 6;
    assert_true(hardened(&def, 1) == hardened(&def, 3));
}

/* If all trials are on other ground only K changes; with trials on the plane everything does. */
TEST(on_ground_alone_only_the_answer_to_ground_changes) {
    tr_harden_def def = definition();
    def.ground = (tr_harden_ground){.share = 1, .slope_deg = 5, .kerb_m = 0.05, .uneven_m = 0.05};
    assert_true(hardened(&def, 1) == hardened(&def, 3));
    OWN(tr_controller) *before = sway_stander(model, true), *after = sway_stander(model, true);
    double unused = 0;
    assert_int_equal(harden(&def, 1, after, &unused), TR_OK);
    const tr_policy *a = &tr_controller_bank(before)->fragment[0].policy;
    const tr_policy *b = &tr_controller_bank(after)->fragment[0].policy;
    assert_memory_equal(a->m, b->m, sizeof a->m);
    assert_memory_equal(a->offset, b->offset, sizeof a->offset);
    assert_int_equal(0, tr_policy_ground_count(a));
    assert_int_equal(TR_GROUND_COUNT, tr_policy_ground_count(b));
    tr_controller *sloped = sway_stander(model, true);
    tr_policy *c = &tr_controller_bank(sloped)->fragment[0].policy;
    def.ground.kerb_m = def.ground.uneven_m = 0;
    assert_int_equal(harden(&def, 1, sloped, &unused), TR_OK);
    assert_int_equal(TR_GROUND_SLOPES, tr_policy_ground_count(c));
    tr_policy known = *c;
    def.ground = (tr_harden_ground){.share = 1, .kerb_m = 0.05};
    assert_int_equal(harden(&def, 1, sloped, &unused), TR_OK);
    assert_int_equal(TR_GROUND_COUNT, tr_policy_ground_count(c));
    for (int i = 0; i < TR_ACTION_MAX; i++)
        assert_memory_equal(known.ground[i], c->ground[i], TR_GROUND_SLOPES * sizeof(double));
    tr_controller_destroy(sloped);
    def.ground.slope_deg = 5;
    def.ground.share = 0.5;
    assert_int_equal(harden(&def, 1, after, &unused), TR_OK);
    assert_memory_not_equal(a->m, b->m, sizeof a->m);
    def.ground = (tr_harden_ground){.share = 0.5};
    assert_int_equal(harden(&def, 1, after, &unused), TR_INVALID_ARGUMENT);
}

/* A chain that ends, as one that gets up, learns on slopes what skills learn there. */
TEST(a_chain_that_ends_learns_on_slopes_alone) {
    tr_harden_def def = definition();
    double unused = 0;
    OWN(tr_controller) *chain = sway_stander(model, true);
    tr_bank *bank = tr_controller_bank(chain);
    bank->cyclic = bank->mirrored = false;
    def.ground = (tr_harden_ground){.share = 1, .slope_deg = 5};
    assert_int_equal(harden(&def, 1, chain, &unused), TR_OK);
    assert_int_equal(TR_GROUND_SLOPES, tr_policy_ground_count(&bank->fragment[0].policy));
    def.ground.kerb_m = 0.05;
    assert_int_equal(harden(&def, 1, chain, &unused), TR_INVALID_ARGUMENT);
}

/* With a rate of 0 nothing moves: the return is that of the controller with small shifts. */
static double returned(const tr_controller *controller) {
    tr_harden_def def = definition();
    double mean_return = 0;
    OWN(tr_controller) *copy = NULL;
    def.rate = 0;
    def.directions = def.best = 2;
    def.sigma_rad = 1e-4;
    def.trials = 24;
    def.seed = 77;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(harden(&def, 2, copy, &mean_return), TR_OK);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(controller, model));
    return mean_return;
}

/* How far the first action of each fragment moves at its reference start, in one update. */
static void moved(const tr_harden_def *def, tr_controller *trained, double *out) {
    double unused = 0, action[TR_ACTION_MAX];
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &trained->spawn, bodies);
    const tr_features at = tr_features_of(model, &trained->spawn, bodies);
    for (int side = -1; side <= 1; side += 2) {
        if (side > 0)
            assert_int_equal(harden(def, 1, trained, &unused), TR_OK);
        for (int k = 0; k < tr_controller_bank(trained)->fragment_count; k++) {
            tr_policy_evaluate(&tr_controller_bank(trained)->fragment[k].policy,
                               tr_controller_bank(trained)->action.size, &at, action);
            out[k] = side < 0 ? action[0] : action[0] - out[k];
        }
    }
}

/* Drawn for the first and the last of n fragments, x and y beside a common c: in between
 * c + (a x + b y) / sqrt(a^2 + b^2), b = k / (n - 1) = 1 - a. c from one in the middle. */
TEST(shifts_between_drawn_ones_are_blended) {
    OWN(tr_controller) *trained = sway_stander(model, true);
    tr_harden_def def = definition();
    double d[TR_BANK_FRAGMENT_MAX];
    int last = tr_controller_bank(trained)->fragment_count - 1, middle = last / 2;
    def.directions = def.best = 1;
    def.spacing = 100;
    moved(&def, trained, d);
    double b = (double)middle / last, a = 1 - b, size = hypot(a, b);
    double c = (d[middle] * size - a * d[0] - b * d[last]) / (size - 1);
    assert_true(last >= 5 && d[0] != d[last]);
    for (int k = 0; k <= last; k++) {
        b = (double)k / last, a = 1 - b;
        double expected = c + (a * (d[0] - c) + b * (d[last] - c)) / hypot(a, b);
        assert_true(fabs(d[k] - expected) < 1e-9);
    }
}

static tr_controller *after_updates(int updates, int averaged) {
    tr_harden_def def = definition();
    tr_controller *trained = sway_stander(model, true);
    double unused = 0;
    def.updates = updates;
    def.averaged = averaged;
    assert_int_equal(harden(&def, 1, trained, &unused), TR_OK);
    return trained;
}

/* The mean may also be a second result: the first is what it is without a mean. */
TEST(the_result_may_be_the_mean_of_the_last_updates) {
    tr_harden_def def = definition();
    tr_policy second[TR_BANK_FRAGMENT_MAX];
    OWN(tr_controller) *two = after_updates(2, 0), *three = after_updates(3, 0),
                       *mean = after_updates(3, 2), *trained = sway_stander(model, true);
    double unused = 0;
    def.updates = 3;
    def.averaged = 2;
    def.mean = second;
    assert_int_equal(harden(&def, 1, trained, &unused), TR_OK);
    assert_true(tr_controller_hash(trained, model) == tr_controller_hash(three, model));
    for (int k = 0; k < tr_controller_bank(mean)->fragment_count; k++) {
        const tr_policy *a = &tr_controller_bank(two)->fragment[k].policy,
                        *b = &tr_controller_bank(three)->fragment[k].policy;
        const tr_policy *m = &tr_controller_bank(mean)->fragment[k].policy;
        for (int i = 0; i < tr_controller_bank(mean)->action.size; i++) {
            assert_true(a->offset[i] != b->offset[i]);
            assert_true(fabs(m->offset[i] - (a->offset[i] + b->offset[i]) / 2) < 1e-12);
            assert_true(fabs(m->m[i][6] - (a->m[i][6] + b->m[i][6]) / 2) < 1e-12);
        }
        tr_controller_bank(trained)->fragment[k].policy = second[k];
    }
    assert_true(tr_controller_hash(trained, model) == tr_controller_hash(mean, model));
    def.averaged = 1;
    assert_int_equal(harden(&def, 1, trained, &unused), TR_INVALID_ARGUMENT);
}

TEST(pushes_are_answered_better) {
    OWN(tr_controller) *controller = sway_stander(model, true);
    tr_harden_def def = definition();
    double before = returned(controller), unused = 0;
    def.updates = 6;
    def.directions = 12;
    def.best = 6;
    def.trials = 8;
    assert_int_equal(harden(&def, 2, controller, &unused), TR_OK);
    double after = returned(controller);
    assert_true(after > before + 0.01);
}

static double held_s(const tr_controller *controller) {
    tr_hold_test test = {.trials = 8, .cap_s = 20, .seed = 5};
    tr_hold_result result;
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    assert_int_equal(tr_evaluate_hold(ensemble, controller, &test, &result), TR_OK);
    return result.mean_s;
}

/* Lost too early for any push; it learns from the reference starts. */
TEST(a_controller_that_falls_unpushed_learns_to_hold) {
    OWN(tr_controller) *controller = sway_stander(model, true);
    tr_harden_def def = definition();
    double unused = 0;
    for (int k = 0; k < tr_controller_bank(controller)->fragment_count; k++)
        tr_controller_bank(controller)->fragment[k].policy.offset[1] = 0.15;
    assert_true(held_s(controller) < 5);
    def.updates = 8;
    def.directions = 12;
    def.best = 6;
    def.trials = 8;
    def.sigma_rad = 0.02;
    assert_int_equal(harden(&def, 2, controller, &unused), TR_OK);
    assert_true(held_s(controller) > 15);
}

/* Starts high in the air are lost at once. Half of the trials begin where the chain passes from its
 * own start instead, and cost little. */
TEST(on_steps_lost_trials_begin_where_the_chain_passes) {
    OWN(tr_controller) *chain = sway_stander(model, true);
    tr_state high = chain->spawn;
    tr_harden_def def = definition();
    double mean_return = 0;
    tr_controller_bank(chain)->cyclic = false;
    high.pose.root_pos.z += 2;
    def.starts = (tr_starts){&high, 1};
    def.on_steps = true;
    def.trials = 8;
    def.push_n = 0;
    assert_int_equal(harden(&def, 2, chain, &mean_return), TR_OK);
    assert_true(mean_return > -0.8);
}

TEST(the_first_fragments_of_a_chain_may_be_kept) {
    OWN(tr_controller) *chain = sway_stander(model, true), *before = NULL;
    tr_harden_def def = definition();
    double mean_return = 0;
    tr_controller_bank(chain)->cyclic = tr_controller_bank(chain)->mirrored = false;
    def.first = tr_controller_bank(chain)->fragment_count - 1;
    assert_int_equal(tr_controller_copy(chain, model, &before), TR_OK);
    assert_int_equal(harden(&def, 1, chain, &mean_return), TR_OK);
    for (int k = 0; k < tr_controller_bank(chain)->fragment_count; k++) {
        const tr_policy *policy = &tr_controller_bank(chain)->fragment[k].policy;
        bool same =
            memcmp(policy, &tr_controller_bank(before)->fragment[k].policy, sizeof *policy) == 0;
        assert_true(same == (k < def.first));
    }
    def.first = tr_controller_bank(chain)->fragment_count;
    assert_int_equal(harden(&def, 1, chain, &mean_return), TR_INVALID_ARGUMENT);
    tr_controller_bank(chain)->cyclic = true;
    def.first = 1;
    assert_int_equal(harden(&def, 1, chain, &mean_return), TR_INVALID_ARGUMENT);
}

TEST(senseless_counts_are_refused) {
    OWN(tr_controller) *controller = sway_stander(model, true);
    double unused = 0;
    for (int i = 0; i < 9; i++) {
        tr_harden_def def = definition();
        int *count[] = {&def.updates, &def.directions, &def.best,
                        &def.trials,  &def.candidates, &def.spacing};
        if (i < 6)
            *count[i] = 0;
        else if (i == 6)
            def.best = def.directions + 1;
        else if (i == 7)
            def.averaged = def.updates + 1;
        else
            def.after_s = 0;
        assert_int_equal(harden(&def, 1, controller, &unused), TR_INVALID_ARGUMENT);
    }
}

SUITE_FIXTURE(load, unload);
