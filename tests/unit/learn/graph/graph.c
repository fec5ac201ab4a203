#include "cmocka_test.h"

#include "learn/graph/graph_build.h"
#include "learn/graph/graph_harden.h"
#include "learn/graph/graph_loosen.h"
#include "learn/graph/graph_shorten.h"
#include "learn/graph/graph_slopes.h"
#include "learn/graph/jump.h"
#include "learn/rehearsal/random_walk.h"
#include "unit/learn/graph/two_skills.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(skills_that_hold_each_other_are_joined) {
    two_skills_tale t = {0};
    OWN(tr_controller) *graph = two_skills_build(2, &t);
    assert_int_equal(t.links, 2);
    assert_int_equal(tr_graph_of(graph)->edge_count, t.kept);
    assert_int_equal(tr_controller_bank(graph)->fragment_count,
                     tr_controller_bank(two_skills[0])->fragment_count +
                         tr_controller_bank(two_skills[1])->fragment_count);
    assert_int_equal(tr_control_graph_find(tr_graph_of(graph), "nod"), 1);
    assert_int_equal(tr_controller_check(graph, two_skills_model, NULL), TR_OK);
    two_skills_tale again = {0};
    OWN(tr_controller) *other = two_skills_build(1, &again);
    assert_true(tr_controller_hash(graph, two_skills_model) ==
                tr_controller_hash(other, two_skills_model));
}

/* A cycle's turn is known of skills that turning is done by, and of no other. */
TEST(skills_to_turn_by_are_known) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 1);
    tr_controller *turn = NULL, *graph = NULL;
    assert_int_equal(tr_controller_copy(two_skills[1], two_skills_model, &turn), TR_OK);
    tr_controller_bank(turn)->mirrored = false;
    for (int k = 0; k < tr_controller_bank(turn)->fragment_count; k++)
        tr_controller_bank(turn)->fragment[k].end.pose.root_rot = tr_quat_from_heading(0.3);
    for (int turns = 0; turns <= 1; turns++) {
        const bool known[] = {true, turns};
        const tr_controller *pair[] = {two_skills[0], turn};
        tr_graph_build_def def = two_skills_quick();
        def.controllers = pair;
        def.link_count = 0;
        def.turns = known;
        assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, NULL), TR_OK);
        double expected = turns ? 0.3 * tr_controller_bank(turn)->fragment_count : 0;
        assert_true(tr_graph_of(graph)->node[0].turn_rad == 0);
        assert_true(fabs(tr_graph_of(graph)->node[1].turn_rad - expected) < 1e-9);
        tr_controller_destroy(graph);
    }
    tr_controller_destroy(turn);
}

/* A character that does not get through may try again; another chain that leads nowhere is
 * refused. */
TEST(a_rising_skill_keeps_its_best_way_out) {
    static const tr_graph_link out = {1, 0}, in_and_out[] = {{0, 1}, {1, 0}};
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 1);
    tr_controller *chain = NULL, *graph = NULL;
    tr_error error = {0};
    assert_int_equal(tr_controller_copy(two_skills[1], two_skills_model, &chain), TR_OK);
    tr_controller_bank(chain)->cyclic = tr_controller_bank(chain)->mirrored = false;
    tr_controller_bank(chain)->fragment[0].end.pose.root_pos.z = 0; /* always lost */
    const tr_controller *pair[] = {two_skills[0], chain};
    tr_graph_build_def def = two_skills_quick();
    def.controllers = pair;
    def.links = &out;
    def.link_count = 1;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_OK);
    assert_int_equal(tr_graph_of(graph)->edge_count, 1);
    assert_true(tr_control_graph_rises(tr_graph_of(graph), 1));
    tr_controller_destroy(graph);
    def.links = in_and_out;
    def.link_count = 2;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_INVALID_ARGUMENT);
    tr_controller_destroy(chain);
}

/* Between two cyclic skills lie two chains, each with one way in and one way out. */
TEST(chains_lead_from_skill_to_skill) {
    OWN(tr_controller) *bank = two_skills_build_learned(2), *same = two_skills_build_learned(1);
    const tr_control_graph *graph = tr_graph_of(bank);
    tr_graph_transition transition;
    assert_int_equal(graph->node_count, 4);
    assert_int_equal(graph->edge_count, 4);
    assert_string_equal(graph->node[2].skill, "stand-to-nod");
    assert_true(tr_graph_transition_over(graph, 2, &transition));
    assert_string_equal(transition.from, "stand");
    assert_string_equal(transition.to, "nod");
    assert_int_equal(transition.first, graph->node[2].first);
    assert_true(tr_graph_transition_fits(&transition, bank));
    assert_false(tr_graph_transition_over(graph, 0, &transition));
    assert_true(tr_controller_hash(bank, two_skills_model) ==
                tr_controller_hash(same, two_skills_model));
}

/* The transitions to the left turn lead to the right one too, out of the other half. */
TEST(ways_to_a_mirror_image_are_mirror_images) {
    static const tr_graph_link all[] = {{0, 1}, {1, 0}, {0, 2}, {2, 0}};
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_transition_def learn = two_skills_quick_learning();
    tr_graph_build_def def = two_skills_quick();
    tr_controller *image = NULL, *bank = NULL;
    tr_controller_bank(two_skills[1])->fragment[0].policy.offset[4] = 0.01;
    assert_int_equal(tr_controller_mirror(two_skills[1], two_skills_model, &image), TR_OK);
    strcpy(image->skill, "don");
    const tr_controller *three[] = {two_skills[0], two_skills[1], image};
    for (int mirrored = 1; mirrored >= 0; mirrored--) {
        tr_graph_transition one, other;
        tr_controller_bank(two_skills[0])->mirrored = mirrored;
        def.controllers = three;
        def.count = 3;
        def.links = all;
        def.link_count = 4;
        def.learn = &learn;
        assert_int_equal(tr_graph_build(ensemble, &def, NULL, &bank, NULL), TR_OK);
        assert_string_equal(tr_graph_of(bank)->node[5].skill, "stand-to-don");
        assert_string_equal(tr_graph_of(bank)->node[6].skill, "don-to-stand");
        for (int n = 3; n <= 4; n++) {
            assert_true(tr_graph_transition_over(tr_graph_of(bank), n, &one));
            assert_true(tr_graph_transition_over(tr_graph_of(bank), n + 2, &other));
            const tr_policy *a = &tr_controller_bank(bank)->fragment[one.first].policy;
            const tr_policy *b = &tr_controller_bank(bank)->fragment[other.first].policy;
            tr_policy expected = *a;
            if (n == 4)
                tr_policy_mirror(two_skills_model, &tr_controller_bank(bank)->action, a, &expected);
            bool same = one.flips != other.flips && one.count == other.count &&
                        memcmp(expected.offset, b->offset, sizeof b->offset) == 0;
            assert_int_equal(same, mirrored);
        }
        tr_controller_destroy(bank);
    }
    tr_controller_bank(two_skills[1])->fragment[0].policy.offset[4] = 0;
    tr_controller_destroy(image);
}

/* A chain is learned once: an extended graph reuses it to the bit, unless a skill has changed. */
TEST(an_extended_graph_learns_only_new_chains) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    two_skills_tale t = {0};
    tr_controller *old = two_skills_build_learned(2), *other = two_skills_build(2, &t),
                  *graph = NULL;
    const int hip = tr_model_find_body(two_skills_model, "lthigh");
    const tr_graph_node *chain = &tr_graph_of(old)->node[2];
    tr_transition_def learn = two_skills_quick_learning();
    tr_graph_build_def def = two_skills_quick();
    def.learn = &learn;
    const tr_controller *known[] = {other, old};
    def.known = known;
    def.known_count = 2;
    tr_controller_bank(old)->fragment[chain->first].policy.offset[3] =
        0.01; /* a chain learned again would not have it */
    for (int changed = 0; changed < 2; changed++) {
        tr_quat kept = tr_controller_bank(two_skills[1])->fragment[0].target[hip];
        if (changed)
            tr_controller_bank(two_skills[1])->fragment[0].target[hip] =
                tr_quat_exp((tr_vec3){0.01, 0, 0});
        assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, NULL), TR_OK);
        const tr_policy *policy =
            &tr_controller_bank(graph)->fragment[tr_graph_of(graph)->node[2].first].policy;
        if (changed)
            assert_true(policy->offset[3] != 0.01);
        else
            assert_true(tr_controller_hash(graph, two_skills_model) ==
                        tr_controller_hash(old, two_skills_model));
        tr_controller_bank(two_skills[1])->fragment[0].target[hip] = kept;
        tr_controller_destroy(graph);
    }
    /* A skill may have another name here; its chains are named after it. */
    strcpy(two_skills[1]->skill, "bow");
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, NULL), TR_OK);
    assert_string_equal(tr_graph_of(graph)->node[2].skill, "stand-to-bow");
    assert_true(
        tr_controller_bank(graph)->fragment[tr_graph_of(graph)->node[2].first].policy.offset[3] ==
        0.01);
    strcpy(two_skills[1]->skill, "nod");
    tr_controller_destroy(graph);
    tr_controller_destroy(other);
    tr_controller_destroy(old);
}

typedef struct hardenings {
    int rows, came, held;
} hardenings;

static void harden(tr_ensemble *ensemble, const tr_graph_harden_def *def, tr_controller *graph,
                   hardenings *all) {
    tr_graph_harden_place place = {0};
    tr_graph_harden_row row;
    tr_graph_transition next;
    assert_int_equal(tr_graph_harden_check(def, graph), TR_OK);
    for (; tr_graph_harden_next(def, tr_graph_of(graph), &place, &next); all->rows++) {
        assert_int_equal(tr_graph_harden(ensemble, def, &place, graph, &row), TR_OK);
        assert_true(row.transition.walks);
        assert_true(row.transition.walk.after == def->walk.after);
        assert_true(row.transition.walk.dwell_s == def->walk.dwell_s);
        all->came += row.before.came;
        all->held += row.before.held;
    }
    assert_true(tr_graph_harden_share(def, tr_graph_of(graph), place) == 1);
}

static tr_graph_harden_def quick_hardening(void) {
    tr_graph_harden_def def = tr_graph_harden_default();
    def.rounds = 1;
    def.harden = two_skills_quick_learning().harden;
    def.test = (tr_graph_transition_test){4, 1.5, 9, 0};
    return def;
}

/* A character that stands and nods reaches every chain, and crosses it. */
TEST(chains_that_hold_are_not_trained) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    tr_graph_harden_def def = quick_hardening();
    uint64_t before = tr_controller_hash(graph, two_skills_model);
    hardenings all = {0};
    harden(ensemble, &def, graph, &all);
    assert_int_equal(all.rows, 2);
    assert_int_equal(all.came, 8);
    assert_int_equal(all.held, 8);
    assert_true(tr_controller_hash(graph, two_skills_model) == before);
    assert_int_equal(tr_graph_harden_check(&def, two_skills[0]), TR_INVALID_ARGUMENT);
}

/* A chain that throws the character down is hardened; the skills at its ends are not touched. */
TEST(only_chains_are_trained) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    tr_graph_harden_def def = quick_hardening();
    const tr_graph_node *chain = &tr_graph_of(graph)->node[2];
    hardenings all = {0};
    two_skills_spoil(graph, chain);
    harden(ensemble, &def, graph, &all);
    assert_true(all.held < all.came);
    for (int k = 0; k < chain->first; k++)
        assert_memory_equal(
            &tr_controller_bank(graph)->fragment[k].policy,
            k < tr_controller_bank(two_skills[0])->fragment_count
                ? &tr_controller_bank(two_skills[0])->fragment[k].policy
                : &tr_controller_bank(two_skills[1])
                       ->fragment[k - tr_controller_bank(two_skills[0])->fragment_count]
                       .policy,
            sizeof(tr_policy));
}

/* The policies of which node of a graph have changed? -1: of none; -2: of several. */
static int changed_node(const tr_controller *graph, const tr_controller *before) {
    int changed = -1;
    for (int k = 0; k < tr_controller_bank(graph)->fragment_count; k++) {
        int node = tr_control_graph_node_of(tr_graph_of(graph), k);
        if (memcmp(&tr_controller_bank(graph)->fragment[k].policy,
                   &tr_controller_bank(before)->fragment[k].policy, sizeof(tr_policy)) == 0)
            continue;
        changed = changed == -1 || changed == node ? node : -2;
    }
    return changed;
}

/* Of two chains that make characters fall, only the named one is trained, or the skill after it. */
TEST(only_named_nodes_are_trained) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_graph_harden_def def = quick_hardening();
    for (int node = 1; node <= 2; node++) {
        OWN(tr_controller) *graph = two_skills_build_learned(2), *before = NULL;
        hardenings all = {0};
        two_skills_spoil(graph, &tr_graph_of(graph)->node[2]);
        two_skills_spoil(graph, &tr_graph_of(graph)->node[3]);
        assert_int_equal(tr_controller_copy(graph, two_skills_model, &before), TR_OK);
        def.learns = tr_graph_of(graph)->node[node].skill;
        harden(ensemble, &def, graph, &all);
        assert_int_equal(all.rows, 1);
        assert_int_equal(changed_node(graph, before), node);
        def.learns = "nod,stand-to-nod";
        all = (hardenings){0};
        harden(ensemble, &def, graph, &all);
        assert_int_equal(all.rows, 2);
        def.learns = "nod,missing";
        assert_int_equal(tr_graph_harden_check(&def, graph), TR_INVALID_ARGUMENT);
        def.learns = NULL;
        def.walk = (tr_random_walk_def){.dwell_s = 2, .after = "nod"};
        all = (hardenings){0};
        harden(ensemble, &def, graph, &all);
        assert_true(all.rows > 0);
        def.walk.after = "nod,stand-to-nod";
        assert_int_equal(tr_graph_harden_check(&def, graph), TR_INVALID_ARGUMENT);
        def.walk = (tr_random_walk_def){0};
    }
}

typedef struct walkers {
    const tr_controller *graph;
    double dwell_s;
    int64_t steps[8];
    int node[8];
} walkers;

/* Out of the second two_skills, to the first. */
static void walk_after(void *context, int item, tr_rehearsal *rehearsal) {
    walkers *all = context;
    const tr_controller *graph = all->graph;
    tr_random random = tr_random_split(5, 1, (uint64_t)item);
    tr_state start = tr_trial_disturbed_start(graph, 5, item);
    tr_trial trial;
    if (tr_trial_begin(&trial, graph, rehearsal, &start))
        return;
    const tr_random_walk_def walk = {.dwell_s = all->dwell_s,
                                     .after = tr_graph_of(graph)->node[1].skill};
    tr_random_walk(&trial, rehearsal, &random, tr_graph_of(graph)->node[0].skill, &walk);
    all->node[item] =
        trial.lost ? -1 : tr_control_graph_node_of(tr_graph_of(graph), trial.watch.entry);
    all->steps[item] = trial.steps;
}

/* Where no chain leads to a named two_skills, it learns along each jump to it; without a name jumps are
 * left alone. */
TEST(a_skill_learns_along_the_jumps_to_it) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_graph_harden_def def = quick_hardening();
    two_skills_tale t = {0};
    OWN(tr_controller) *graph = two_skills_build(2, &t), *before = NULL;
    hardenings all = {0};
    int jumps = 0;
    for (int e = 0; e < tr_graph_of(graph)->edge_count; e++)
        jumps += tr_control_graph_node_of(tr_graph_of(graph), tr_graph_of(graph)->edge[e].to) == 1;
    assert_in_range(jumps, 1, tr_graph_of(graph)->edge_count - 1);
    harden(ensemble, &def, graph, &all);
    assert_int_equal(all.rows, 0);
    assert_int_equal(tr_controller_copy(graph, two_skills_model, &before), TR_OK);
    def.learns = "nod";
    harden(ensemble, &def, graph, &all);
    assert_int_equal(all.rows, jumps);
    assert_in_range(all.came, 1, 4 * jumps);
    assert_int_equal(changed_node(graph, before), 1);
}

TEST(trials_start_in_the_named_skills) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    walkers all = {.graph = graph, .dwell_s = 1}, longer = {.graph = graph, .dwell_s = 5};
    int64_t ways = 0, sum = 0, longer_sum = 0;
    for (int n = 2; n < tr_graph_of(graph)->node_count; n++)
        for (int k = 0; k < tr_graph_of(graph)->node[n].count; k++)
            ways +=
                tr_controller_bank(graph)->fragment[tr_graph_of(graph)->node[n].first + k].steps;
    tr_ensemble_run(ensemble, walk_after, &all, 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(all.node[i], 0);
        assert_true(all.steps[i] > ways);
    }
    tr_ensemble_run(ensemble, walk_after, &longer, 8);
    for (int i = 0; i < 8; i++) {
        sum += all.steps[i];
        longer_sum += longer.steps[i];
    }
    assert_true(longer_sum > sum);
}

/* A trial runs through part of the second skill before it leaves it. */
TEST(a_trial_stays_in_a_skill_that_it_reached) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *brief = two_skills_build_learned(2), *graph = NULL;
    tr_transition_def learn = two_skills_quick_learning();
    tr_graph_build_def def = two_skills_quick();
    const tr_controller *known[] = {brief};
    const int dwell[] = {0, 3};
    def.learn = &learn;
    def.known = known;
    def.known_count = 1;
    def.dwell = dwell;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, NULL), TR_OK);
    const tr_graph_node *before = tr_graph_of(brief)->node, *after = tr_graph_of(graph)->node;
    assert_int_equal(tr_graph_of(graph)->node_count, tr_graph_of(brief)->node_count);
    for (int n = 2; n < tr_graph_of(graph)->node_count; n++)
        assert_int_equal(after[n].count,
                         before[n].count + (strcmp(after[n].skill, "stand-to-nod") == 0 ? 3 : 0));
}

/* Do all policies agree, apart from K? */
static bool agrees_on_the_level(const tr_controller *graph, const tr_controller *before) {
    const tr_bank *a = tr_controller_bank(graph), *b = tr_controller_bank(before);
    bool same = true;
    for (int k = 0; k < a->fragment_count; k++) {
        const tr_policy *one = &a->fragment[k].policy, *other = &b->fragment[k].policy;
        same = same && memcmp(one->m, other->m, sizeof one->m) == 0 &&
               memcmp(one->offset, other->offset, sizeof one->offset) == 0;
    }
    return same;
}

static void set_slopes(tr_controller *controller, double k) {
    for (int f = 0; f < tr_controller_bank(controller)->fragment_count; f++)
        tr_controller_bank(controller)->fragment[f].policy.ground[3][1] = k;
}

/* K of the trained two_skills; faded into the chains; computed where no trained skill is the same. */
TEST(slope_terms_are_those_of_the_trained_skill) {
    tr_graph_slopes_source source[TR_GRAPH_NODE_MAX];
    OWN(tr_controller) *graph = two_skills_build_learned(2), *before = NULL, *trained = NULL;
    const tr_control_graph *g = tr_graph_of(graph);
    assert_int_equal(tr_controller_copy(graph, two_skills_model, &before), TR_OK);
    assert_int_equal(tr_controller_copy(two_skills[1], two_skills_model, &trained), TR_OK);
    strcpy(trained->name, "nod");
    set_slopes(trained, 0.5);
    const tr_controller *const list[] = {trained};
    assert_int_equal(tr_graph_slopes(two_skills_model, list, 1, graph, source), TR_OK);
    const tr_graph_slopes_source expected[] = {TR_GRAPH_SLOPES_LEVEL, TR_GRAPH_SLOPES_TRAINED,
                                               TR_GRAPH_SLOPES_FADED, TR_GRAPH_SLOPES_FADED};
    for (int n = 0; n < 4; n++)
        assert_int_equal(source[n], expected[n]);
    const double share[] = {0.15625, 0.84375}; /* t t (3 - 2 t) at 1/4 and 3/4 */
    for (int k = 0; k < 2; k++) {
        const tr_fragment *to = &g->bank.fragment[g->node[2].first + k];
        const tr_fragment *back = &g->bank.fragment[g->node[3].first + k];
        assert_true(fabs(to->policy.ground[3][1] - 0.5 * share[k]) < 1e-12);
        assert_true(fabs(back->policy.ground[3][1] - 0.5 * (1 - share[k])) < 1e-12);
    }
    assert_true(agrees_on_the_level(graph, before));
    tr_controller_bank(trained)->fragment[0].policy.offset[0] += 0.01;
    assert_int_equal(tr_graph_slopes(two_skills_model, list, 1, graph, source), TR_OK);
    assert_int_equal(source[1], TR_GRAPH_SLOPES_LEVEL);
    assert_int_equal(tr_graph_slopes(two_skills_model, list, 1, trained, source),
                     TR_INVALID_ARGUMENT);
}

TEST(hardening_on_slopes_changes_slope_terms_alone) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2), *before = NULL;
    tr_graph_harden_def def = quick_hardening();
    const tr_graph_node *chain = &tr_graph_of(graph)->node[2];
    def.test.slope_deg = 0.5;
    def.learns = chain->skill;
    assert_int_equal(tr_controller_copy(graph, two_skills_model, &before), TR_OK);
    harden(ensemble, &def, graph, &(hardenings){0});
    assert_true(agrees_on_the_level(graph, before));
    assert_true(tr_policy_ground_count(&tr_controller_bank(graph)->fragment[chain->first].policy) >
                0);
}

/* A trial that does not come within the limit does not reach the transition. */
TEST(a_transition_is_tried_within_its_limit_only) {
    enum { TRIALS = 4 };
    static const double limit[] = {1, 1e-9};
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    const tr_graph_transition_test test = {.trials = TRIALS, .after_s = 0.5, .seed = 3};
    tr_graph_transition transition;
    tr_graph_transition_count count;
    assert_true(tr_graph_transition_over(tr_graph_of(graph), 2, &transition));
    for (int i = 0; i < 2; i++) {
        tr_graph_of(graph)->node[2].settled = limit[i];
        assert_int_equal(tr_graph_transition_try(ensemble, graph, &transition, &test, &count),
                         TR_OK);
        assert_int_equal(count.came, i == 0 ? TRIALS : 0);
    }
}

TEST(bad_definitions_and_unfit_skills_are_refused) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 1);
    tr_controller *graph = NULL;
    tr_error error = {0};
    tr_graph_build_def def = two_skills_quick();
    def.trials = 0;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_INVALID_ARGUMENT);
    def = two_skills_quick();
    tr_graph_link self = {1, 1};
    def.links = &self;
    def.link_count = 1;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_INVALID_ARGUMENT);
    def = two_skills_quick();
    two_skills[1]->step_s = 0.004;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "nod"));
    two_skills[1]->step_s = 0.005;
    tr_controller_bank(two_skills[1])->cyclic = false; /* a chain without a way out */
    def.link_count = 1;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "no way out"));
    tr_controller_bank(two_skills[1])->cyclic = true;
}

/* A chain that leads from a skill to another may have one; "rise", into which nothing leads, may not. */
TEST(limits_are_those_of_the_named_skills_and_transitions) {
    tr_graph_node node[] = {{.skill = "stand", .cyclic = true, .first = 0, .count = 1},
                            {.skill = "way", .first = 1, .count = 1},
                            {.skill = "rise", .first = 2, .count = 1}};
    tr_graph_edge edge[] = {{0, 1, false}, {1, 0, false}, {2, 0, false}};
    tr_control_graph graph = {.node_count = 3, .edge_count = 3, .node = node, .edge = edge};
    static const char *const bad[] = {"stand",       "stand=",   "stand=0",   "stand=1.5",
                                      "stand=0.3 m", "rise=0.3", "nod=0.3",   "=0.3",
                                      "stand=91deg", "way=2deg", "stand=deg", "stand=0.2,rise=0.2"};
    tr_error error = {0};
    assert_int_equal(tr_graph_loosen(&graph, "stand=0.3", &error), TR_OK);
    assert_true(node[0].settled == 0.3 && node[1].settled == 0);
    assert_int_equal(tr_graph_loosen(&graph, "way=0.05", &error), TR_OK);
    assert_int_equal(tr_graph_loosen(&graph, "stand=90deg", &error), TR_OK);
    assert_true(node[0].steepest_rad == TR_PI / 2);
    assert_true(node[0].settled == 0.3 && node[1].settled == 0.05);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(tr_graph_loosen(&graph, bad[i], &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "'rise'"));
}

TEST(the_best_jumps_are_kept) {
    tr_graph_candidate jump[] = {{.held = 1}, {.held = 3}, {.held = 2}, {.held = 3}};
    assert_int_equal(tr_jumps_keep_held(jump, 4, 4, 2), 0);
    tr_jumps_keep_best(jump, 4, 3);
    assert_true(!jump[0].kept && jump[1].kept && jump[2].kept && jump[3].kept);
    assert_int_equal(tr_jumps_keep_held(jump, 4, 3, 1), 1);
    assert_true(jump[1].kept && !jump[3].kept); /* the nearer */
}

/* A graph of two skills with a single edge each way gets more; its fragments keep their bits. */
static void count_pairs(void *context, const char *from, const char *to,
                        const tr_graph_candidate *candidates, int count) {
    (void)candidates;
    assert_true(count > 0 && strcmp(from, to) != 0);
    ++*(int *)context;
}

/* Spread, the first candidates leave at all moments; else they are the nearest. */
TEST(jumps_are_tried_out_of_every_moment) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_jump_def def = {.from = two_skills[1],
                       .to = two_skills[0],
                       .candidates = 4,
                       .trials = 1,
                       .after_s = 0.1,
                       .spread = true};
    OWN_MEMORY tr_graph_candidate *candidates = NULL;
    int count = 0;
    const int moments = tr_controller_bank(def.from)->fragment_count;
    assert_true(moments > 1);
    def.candidates = moments;
    assert_int_equal(tr_jumps_try(ensemble, &def, &candidates, &count), TR_OK);
    assert_int_equal(count, moments);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(candidates[i].edge.from, candidates[k].edge.from);
    /* Where one holds, no farther one out of the same moment is tried. */
    OWN_MEMORY tr_graph_candidate *more = NULL;
    int held = 0;
    def.candidates = TR_GRAPH_CANDIDATE_MAX;
    assert_int_equal(tr_jumps_try(ensemble, &def, &more, &count), TR_OK);
    assert_true(count > moments);
    for (int i = 0; i < count; i++) {
        held += more[i].held;
        for (int k = 0; k < i; k++)
            if (more[k].held && more[k].rank < more[i].rank &&
                more[k].edge.from == more[i].edge.from)
                assert_int_equal(more[i].trials, 0);
    }
    assert_true(held > 0 && held <= moments);
}

TEST(a_graph_is_shortened) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_graph_build_def def = two_skills_quick();
    OWN(tr_controller) *graph = NULL, *copy = NULL;
    tr_error error = {0};
    def.edges = 1;
    assert_int_equal(tr_graph_build(ensemble, &def, NULL, &graph, &error), TR_OK);
    assert_int_equal(tr_controller_copy(graph, two_skills_model, &copy), TR_OK);
    tr_graph_shorten_def shorten = {
        .links = "stand=nod",
        .jump = {.candidates = 6, .trials = 3, .enough = 2, .after_s = 1, .seed = def.seed}};
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, NULL, NULL, copy, &error), TR_OK);
    assert_int_equal(tr_graph_of(copy)->edge_count, tr_graph_of(graph)->edge_count + 1);
    /* Without links all ordered pairs are tried, and none has to hold. */
    shorten.links = NULL;
    int pairs = 0;
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, count_pairs, &pairs, copy, &error),
                     TR_OK);
    const int skills = tr_graph_of(copy)->node_count;
    assert_int_equal(pairs, skills * (skills - 1));
    assert_int_equal(tr_controller_check(copy, two_skills_model, NULL), TR_OK);
    assert_memory_equal(&tr_controller_bank(copy)->fragment[0].policy,
                        &tr_controller_bank(graph)->fragment[0].policy, sizeof(tr_policy));
    /* Of named skills the pairs alone; their old jumps go, and those that hold are found again. */
    const int edges = tr_graph_of(copy)->edge_count;
    pairs = 0;
    shorten.skills = "stand,nod";
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, count_pairs, &pairs, copy, &error),
                     TR_OK);
    assert_int_equal(pairs, 2);
    assert_int_equal(tr_graph_of(copy)->edge_count, edges);
    shorten.without = "nod";
    pairs = 0;
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, count_pairs, &pairs, copy, &error),
                     TR_OK);
    assert_int_equal(pairs, 0);
    static const char *const bad[] = {"stand", "stand=", "stand=stand", "stand=absent", "=nod"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shorten.links = bad[i];
        assert_int_equal(tr_graph_shorten(ensemble, &shorten, NULL, NULL, copy, &error),
                         TR_INVALID_ARGUMENT);
    }
}

/* Jumps hold too where characters come to them by random walks, whatever the number of threads. */
TEST(trials_may_come_to_a_jump_over_the_graph) {
    OWN(tr_controller) *graph = two_skills_build_learned(2), *copy = NULL;
    int kept[2];
    for (int threads = 1; threads <= 2; threads++) {
        OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, threads);
        tr_graph_shorten_def shorten = {
            .links = "stand=nod",
            .jump = {.candidates = 6, .trials = 14, .enough = 2, .after_s = 1, .walk.dwell_s = 1}};
        tr_error error = {0};
        assert_int_equal(tr_controller_copy(graph, two_skills_model, &copy), TR_OK);
        assert_int_equal(tr_graph_shorten(ensemble, &shorten, NULL, NULL, copy, &error), TR_OK);
        kept[threads - 1] = tr_graph_of(copy)->edge_count - tr_graph_of(graph)->edge_count;
        tr_controller_destroy(copy);
        copy = NULL;
    }
    assert_true(kept[0] > 0);
    assert_int_equal(kept[0], kept[1]);
}

typedef struct entries {
    const tr_control_graph *graph;
    int of_chains;
} entries;

static void count_entries(void *context, const char *from, const char *to,
                          const tr_graph_candidate *candidates, int count) {
    entries *e = context;
    (void)from;
    (void)to;
    for (int i = 0; i < count; i++)
        e->of_chains +=
            !e->graph->node[tr_control_graph_node_of(e->graph, candidates[i].edge.to)].cyclic;
}

/* The midst of a chain is often nearer than the skill that it leads to. */
TEST(jumps_of_every_moment_may_enter_chains) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    entries e = {.graph = tr_graph_of(graph)};
    const tr_graph_shorten_def shorten = {.jump = {.candidates = TR_GRAPH_CANDIDATE_MAX,
                                                   .trials = 1,
                                                   .enough = 1,
                                                   .after_s = 0.1,
                                                   .spread = true}};
    tr_error error = {0};
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, count_entries, &e, graph, &error), TR_OK);
    assert_true(e.of_chains > 0);
}

static int count_jumps(const tr_control_graph *graph, const char *skill) {
    const int from = tr_control_graph_find(graph, skill);
    int count = 0;
    for (int i = 0; i < graph->edge_count; i++) {
        const int to = tr_control_graph_node_of(graph, graph->edge[i].to);
        count += tr_control_graph_node_of(graph, graph->edge[i].from) == from && to != from &&
                 tr_graph_edge_jumps(&graph->edge[i], &graph->node[from], &graph->node[to]);
    }
    return count;
}

/* Those into the midst of a chain too. */
TEST(old_jumps_of_a_pair_go_where_trials_come_over_the_graph) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    tr_graph_shorten_def shorten = {.jump = {.candidates = TR_GRAPH_CANDIDATE_MAX,
                                             .trials = 1,
                                             .enough = 8,
                                             .after_s = 0.1,
                                             .spread = true}};
    tr_error error = {0};
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, NULL, NULL, graph, &error), TR_OK);
    assert_true(count_jumps(tr_graph_of(graph), "stand") > 1);
    shorten.links = "stand=nod";
    shorten.jump.candidates = 1;
    shorten.jump.walk.dwell_s = 1;
    assert_int_equal(tr_graph_shorten(ensemble, &shorten, NULL, NULL, graph, &error), TR_OK);
    assert_true(count_jumps(tr_graph_of(graph), "stand") <= 1);
}

/* The same jump is found where the search ends with the first that holds. */
TEST(a_search_ends_when_enough_jumps_hold) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_jump_def def = {.from = two_skills[0],
                       .to = two_skills[1],
                       .candidates = 6,
                       .trials = 3,
                       .after_s = 1,
                       .seed = 5};
    tr_graph_candidate *all = NULL, *few = NULL;
    int all_count = 0, few_count = 0;
    assert_int_equal(tr_jumps_try(ensemble, &def, &all, &all_count), TR_OK);
    assert_int_equal(tr_jumps_keep_held(all, all_count, 3, 1), 1);
    def.enough = 1;
    assert_int_equal(tr_jumps_try(ensemble, &def, &few, &few_count), TR_OK);
    assert_true(few_count < all_count);
    for (int i = 0; i < few_count; i++)
        assert_memory_equal(&few[i], &all[i], sizeof few[i]);
    free(all);
    free(few);
}

/* Trials begin disturbed, so each turns a little. */
TEST(a_jump_that_turns_too_far_does_not_hold) {
    static const double straight[] = {0, 1e-9, TR_PI};
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    int held[3] = {0};
    for (int i = 0; i < 3; i++) {
        tr_jump_def def = {.from = two_skills[0],
                           .to = two_skills[1],
                           .candidates = 6,
                           .trials = 3,
                           .after_s = 1,
                           .straight_rad = straight[i],
                           .seed = 5};
        OWN_MEMORY tr_graph_candidate *jump = NULL;
        int count = 0;
        assert_int_equal(tr_jumps_try(ensemble, &def, &jump, &count), TR_OK);
        held[i] = tr_jumps_keep_held(jump, count, 3, count);
    }
    assert_true(held[0] > 0);
    assert_int_equal(held[1], 0);
    assert_int_equal(held[2], held[0]);
}

SUITE_FIXTURE(two_skills_load, two_skills_unload);

/* How many trials of the nearest jump from standing to nodding hold. */
static int count_held(const tr_controller *to, const tr_controller *graph, bool settled) {
    enum { TRIALS = 16 }; /* half of them over the graph, if there is one */
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN_MEMORY tr_graph_candidate *candidate = NULL;
    const tr_jump_def def = {.from = two_skills[0],
                             .to = to,
                             .candidates = 1,
                             .trials = TRIALS,
                             .after_s = 0.1,
                             .settled = settled,
                             .graph = graph,
                             .walk.dwell_s = 1};
    int count = 0;
    assert_int_equal(tr_jumps_try(ensemble, &def, &candidate, &count), TR_OK);
    assert_int_equal(count, 1);
    return candidate->held;
}

/* Fragments that end at a speed which no one standing has: its characters are never near them. */
static void speed_up(tr_bank *bank, int first, int count) {
    for (int i = first; i < first + count; i++)
        bank->fragment[i].end.root_vel.x = 3;
}

TEST(a_jump_that_must_settle_ends_near_its_skill) {
    OWN(tr_controller) *far = NULL;
    assert_int_equal(tr_controller_copy(two_skills[1], two_skills_model, &far), TR_OK);
    assert_int_equal(count_held(two_skills[1], NULL, true), 16);
    speed_up(tr_controller_bank(far), 0, tr_controller_bank(far)->fragment_count);
    assert_int_equal(count_held(far, NULL, false), 16);
    assert_int_equal(count_held(far, NULL, true), 0);
}

/* A planner that would not let it leave within three cycles has no such jump. */
TEST(a_jump_that_is_waited_for_in_vain_fails) {
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    assert_int_equal(count_held(two_skills[1], graph, false), 16);
    const tr_graph_node *stand = &tr_graph_of(graph)->node[0];
    speed_up(tr_controller_bank(graph), stand->first, stand->count);
    const int held = count_held(two_skills[1], graph, false);
    assert_true(held >= 8 && held < 16);
}
