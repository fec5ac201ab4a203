#include "cmocka_test.h"

#include "learn/graph/graph_bank.h"
#include "learn/graph/polish.h"
#include "model/mjcf.h"
#include "unit/learn/sway.h"

#include <string.h>

enum { CHAIN = 1 }; /* of the bank's nodes: stand, over, wait */

SUITE_OWN(tr_model, model);

static tr_controller *holding(const char *skill, bool cyclic) {
    tr_controller *out = sway_stander(model, true);
    strcpy(out->skill, skill);
    tr_controller_bank(out)->cyclic = cyclic;
    tr_controller_bank(out)->mirrored = tr_controller_bank(out)->mirrored && cyclic;
    return out;
}

/* From standing over a chain that stands to standing again. */
static tr_controller *bank_of_three(void) {
    tr_controller *from = holding("stand", true), *chain = holding("over", false),
                  *to = holding("wait", true), *bank = NULL;
    const tr_controller *skill[] = {from, chain, to};
    int first = tr_controller_bank(from)->fragment_count,
        past = first + tr_controller_bank(chain)->fragment_count;
    const tr_graph_edge edge[] = {{first - 1, first, false}, {past - 1, past, false}};
    tr_graph_bank_def def = {"three", skill, edge, 3, 2, NULL};
    tr_error error = {0};
    if (tr_graph_bank_create(model, &def, &bank, &error))
        fail_msg("%s", error.message);
    tr_controller_destroy(from);
    tr_controller_destroy(chain);
    tr_controller_destroy(to);
    return bank;
}

static tr_graph_transition transition_of(const tr_controller *bank) {
    tr_graph_transition transition = {0};
    assert_true(tr_graph_transition_over(tr_graph_of(bank), CHAIN, &transition));
    return transition;
}

/* Swings a leg up for as long as the chain lasts, so that every character falls. */
static void spoil(tr_controller *bank, const tr_graph_transition *transition) {
    int hip = tr_model_find_body(model, "lthigh");
    for (int k = transition->first; k < transition->first + transition->count; k++)
        for (int s = 0; s < tr_controller_bank(bank)->fragment[k].steps; s++)
            tr_controller_bank(bank)->fragment[k].target[s * model->body_count + hip] =
                tr_quat_exp((tr_vec3){0, -1.5, 0});
}

static const tr_graph_transition_test test = {.trials = 4, .after_s = 1.5, .seed = 9};

static tr_harden_def quick(const tr_graph_transition *transition) {
    return (tr_harden_def){.updates = 1,
                           .directions = 2,
                           .best = 2,
                           .trials = 4,
                           .candidates = 1,
                           .spacing = 1,
                           .sigma_rad = 0.02,
                           .rate = 1,
                           .after_s = 0.5,
                           .weights = tr_cost_weights_default(),
                           .seed = 5,
                           .transition = transition};
}

TEST(the_larger_share_is_better) {
    const tr_graph_transition_count none = {0}, half = {.came = 4, .held = 2},
                                    most = {.came = 3, .held = 2}, all = {.came = 2, .held = 2};
    assert_true(tr_polish_is_better(most, half));
    assert_true(tr_polish_is_better(all, most));
    assert_true(tr_polish_is_better(half, none));
    assert_false(tr_polish_is_better(half, half));
    assert_false(tr_polish_is_better(none, none));
}

/* A standing character reaches the transition and holds, without turning; a pushed one does not
 * hold. */
TEST(a_transition_is_tried) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    OWN(tr_controller) *bank = bank_of_three();
    tr_graph_transition transition = transition_of(bank);
    tr_graph_transition_count count;
    assert_int_equal(tr_graph_transition_try(ensemble, bank, &transition, &test, &count), TR_OK);
    assert_int_equal(count.came, 4);
    assert_int_equal(count.held, 4);
    assert_true(count.turn_rad >= 0 && count.turn_rad < 0.1);
    assert_true(count.distance > 0 && count.distance < 0.15);
    spoil(bank, &transition);
    assert_int_equal(tr_graph_transition_try(ensemble, bank, &transition, &test, &count), TR_OK);
    assert_int_equal(count.came, 4);
    assert_int_equal(count.held, 0);
    assert_true(count.turn_rad == 0 && count.distance == 0);
}

/* The same hardening of a chain that throws the character down, after all trials held and after
 * none did. */
TEST(what_holds_less_is_taken_back) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    for (int held = 4; held >= 0; held -= 4) {
        OWN(tr_controller) *bank = bank_of_three();
        tr_graph_transition transition = transition_of(bank);
        const tr_harden_def def = quick(&transition);
        const tr_graph_transition_count before = {.came = 4, .held = held};
        tr_graph_transition_count after;
        spoil(bank, &transition);
        uint64_t hash = tr_controller_hash(bank, model);
        assert_int_equal(tr_polish(ensemble, &def, &test, before, bank, &after), TR_OK);
        assert_int_equal(after.held, 0);
        assert_int_equal(tr_controller_hash(bank, model) == hash, held > 0);
    }
}

/* The skill after a transition may learn instead of the chain; a result that holds as often is
 * kept. */
TEST(a_skill_learns_from_trials_that_reach_it) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    for (int teaches = 0; teaches < 2; teaches++) {
        OWN(tr_controller) *bank = bank_of_three(), *before = bank_of_three();
        tr_graph_transition transition = transition_of(bank);
        tr_harden_def def = quick(&transition);
        tr_graph_transition_count after;
        def.after_s = 1.5; /* over the chain and into the skill */
        if (teaches)
            tr_graph_transition_teach_skill(&transition, tr_graph_of(bank));
        const tr_graph_node *node = &tr_graph_of(bank)->node[teaches ? 2 : CHAIN];
        assert_int_equal(transition.learns, node->first);
        assert_int_equal(transition.learns_count, node->count);
        assert_int_equal(
            tr_polish(ensemble, &def, &test, (tr_graph_transition_count){.came = 4}, bank, &after),
            TR_OK);
        for (int k = 0; k < tr_controller_bank(bank)->fragment_count; k++) {
            bool learns = k >= node->first && k < node->first + node->count;
            assert_int_equal(memcmp(&tr_controller_bank(bank)->fragment[k].policy,
                                    &tr_controller_bank(before)->fragment[k].policy,
                                    sizeof(tr_policy)) != 0,
                             learns);
        }
    }
}

/* The cost of the last trial: without it the sum is less by this. */
static double last_cost(const tr_harden_def *def, tr_ensemble *ensemble, tr_controller *bank) {
    double all = 0, first = 0;
    tr_harden_def fewer = *def;
    fewer.trials--;
    assert_int_equal(tr_harden(ensemble, def, bank, &all), TR_OK);
    assert_int_equal(tr_harden(ensemble, &fewer, bank, &first), TR_OK);
    return fewer.trials * first - def->trials * all;
}

/* Of several approaches to a transition the hardest is used, also in the fourth trial, which has no
 * push. */
TEST(the_hardest_of_several_approaches_is_met) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    OWN(tr_controller) *bank = bank_of_three();
    tr_graph_transition transition = transition_of(bank);
    tr_harden_def def = quick(&transition);
    def.rate = 0;
    def.sigma_rad = 1e-4;
    for (def.trials = 3; def.trials <= 4; def.trials++) {
        def.candidates = 1;
        double drawn = last_cost(&def, ensemble, bank);
        def.candidates = 6;
        double hardest = last_cost(&def, ensemble, bank);
        assert_true(hardest > drawn + 1e-3);
    }
}

/* A reference 0.1 m off is followed, but no trial is settled there. */
TEST(a_trial_settles_or_is_lost) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    OWN(tr_controller) *stand = holding("stand", true);
    for (int far = 0; far < 2; far++) {
        tr_trial trial;
        tr_controller_bank(stand)->fragment[1].end.pose.root_pos.z -= 0.1 * far;
        assert_int_equal(tr_trial_begin(&trial, stand, rehearsal, &stand->spawn), TR_OK);
        tr_trial_settle_at(&trial, rehearsal, 1);
        assert_int_equal(trial.lost, far);
        assert_int_equal(trial.watch.entry, 1);
    }
}

BEFORE_ALL() {
    model = sway_model();
}
