#include "cmocka_test.h"

#include "control/network/follower.h"
#include "control/parts/state_distance.h"
#include "learn/graph/graph_bank.h"
#include "learn/graph/graph_build.h"
#include "learn/graph/graph_refit.h"
#include "learn/graph/graph_settle.h"
#include "learn/samcon/skill.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <string.h>

static tr_model *model, *limited;
static tr_controller *skill[3]; /* one, two, three: they hold the rest pose */
static tr_controller *graph;    /* one to two, two to three, and back, over chains */
static tr_controller *strong;   /* as two, on the limited model, with another policy */

static const char *const names[] = {"one", "two", "three"};

static void build(void) {
    static const tr_graph_link links[] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}};
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_transition_def learn = tr_transition_default();
    tr_graph_build_def def = tr_graph_build_default();
    tr_error error = {0};
    learn.low = learn.high = 2;
    learn.windows = learn.finalists = 1;
    def.name = "three";
    def.controllers = (const tr_controller *const *)skill;
    def.count = 3;
    def.links = links;
    def.link_count = 4;
    def.trials = 3;
    def.after_s = 1;
    def.learn = &learn;
    if (tr_graph_build(ensemble, &def, NULL, &graph, &error))
        fail_msg("%s", error.message);
}

FIXTURE(load) {
    model = sway_model();
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid_limited.xml", &limited, NULL), TR_OK);
    for (int i = 0; i < 3; i++) {
        skill[i] = sway_stander(model, false);
        strcpy(skill[i]->skill, names[i]);
    }
    strong = sway_stander(limited, false);
    tr_controller_bank(strong)->fragment[1].policy.offset[2] = 0.01;
    build();
}

FIXTURE(unload) {
    for (int i = 0; i < 3; i++)
        tr_controller_destroy(skill[i]);
    tr_controller_destroy(strong);
    tr_controller_destroy(graph);
    tr_model_destroy(model);
    tr_model_destroy(limited);
}

static tr_status refit(const char *as, const char *without, tr_controller **out) {
    char as_skill[1][TR_NAME_MAX] = {""};
    tr_error error = {0};
    const tr_graph_refit_def def = {.name = "limited",
                                    .model = limited,
                                    .graph = graph,
                                    .with = (const tr_controller *const *)&strong,
                                    .as_skill = as_skill,
                                    .with_count = 1,
                                    .without = without};
    strcpy(as_skill[0], as);
    tr_status status = tr_graph_refit(&def, out, &error);
    assert_true(!status || error.message[0] != 0);
    return status;
}

TEST(a_graph_is_refitted_with_a_skill_of_the_other_model) {
    OWN(tr_controller) *fit = NULL;
    assert_int_equal(refit("two", NULL, &fit), TR_OK);
    assert_int_equal(tr_controller_check(fit, limited, NULL), TR_OK);
    const tr_control_graph *before = tr_graph_of(graph), *after = tr_graph_of(fit);
    assert_int_equal(before->node_count, after->node_count);
    assert_int_equal(before->edge_count, after->edge_count);
    for (int e = 0; e < after->edge_count; e++)
        assert_int_equal(tr_graph_edge_compare(&before->edge[e], &after->edge[e]), 0);
    assert_memory_equal(&graph->spawn, &fit->spawn, sizeof fit->spawn);
    int changed = after->node[tr_control_graph_find(after, "two")].first + 1;
    for (int k = 0; k < after->bank.fragment_count; k++) {
        double was = before->bank.fragment[k].policy.offset[2];
        assert_near(after->bank.fragment[k].policy.offset[2], k == changed ? 0.01 : was, 0);
    }
}

/* Its two edges go with it; its skills and their other ways stay. */
TEST(a_transition_is_left_out_alone) {
    OWN(tr_controller) *fit = NULL;
    assert_int_equal(refit("two", "one-to-two", &fit), TR_OK);
    assert_int_equal(tr_controller_check(fit, limited, NULL), TR_OK);
    const tr_control_graph *before = tr_graph_of(graph), *after = tr_graph_of(fit);
    assert_int_equal(after->node_count, before->node_count - 1);
    assert_int_equal(after->edge_count, before->edge_count - 2);
    assert_int_equal(tr_control_graph_find(after, "one-to-two"), -1);
    assert_true(tr_control_graph_find(after, "two-to-one") > 0);
}

/* A node left out moves the others, not their limits. */
TEST(limits_stay_with_their_skills) {
    tr_control_graph *before = tr_graph_of(graph);
    OWN(tr_controller) *fit = NULL;
    before->node[tr_control_graph_find(before, "two")].settled = 0.3;
    before->node[tr_control_graph_find(before, "three")].settled = 0.05;
    before->node[tr_control_graph_find(before, "three")].steepest_rad = 0.1;
    assert_int_equal(refit("two", "one", &fit), TR_OK);
    const tr_control_graph *after = tr_graph_of(fit);
    for (int n = 0; n < after->node_count; n++) {
        int was = tr_control_graph_find(before, after->node[n].skill);
        assert_near(after->node[n].settled, before->node[was].settled, 0);
        assert_near(after->node[n].steepest_rad, before->node[was].steepest_rad, 0);
    }
    assert_near(after->node[tr_control_graph_find(after, "two")].settled, 0.3, 0);
    for (int n = 0; n < before->node_count; n++)
        before->node[n].settled = before->node[n].steepest_rad = 0;
}

/* The network goes around the new graph, and knows the gaits in their new places. */
TEST(a_network_stays_around_its_graph) {
    static const int hidden[] = {2};
    tr_controller *const plain = graph;
    OWN(tr_controller) *whole = NULL, *fit = NULL, *less = NULL;
    tr_follower *follower = NULL;
    assert_int_equal(tr_controller_copy(graph, model, &whole), TR_OK);
    assert_int_equal(tr_follower_add(whole, hidden, 1, &follower), TR_OK);
    const int known =
        tr_graph_of(whole)->node[tr_control_graph_find(tr_graph_of(whole), "three")].first;
    follower->mean[known][0] = 0.5;
    follower->network.weight[0] = 0.25F;
    follower->blend_steps = 7;
    tr_follower_learn_cycles(follower);
    graph = whole;
    assert_int_equal(refit("two", "one", &fit), TR_OK);
    assert_int_equal(refit("two", "three", &less), TR_INVALID_ARGUMENT);
    graph = plain;
    const tr_follower *after = tr_driver_content(fit->driver, &tr_network_kind);
    assert_non_null(after);
    assert_int_equal(tr_controller_check(fit, limited, NULL), TR_OK);
    const int place =
        tr_graph_of(fit)->node[tr_control_graph_find(tr_graph_of(fit), "three")].first;
    assert_true(place < known && after->known[place].known);
    assert_near(after->mean[place][0], 0.5, 0);
    assert_near((double)after->network.weight[0], 0.25, 0);
    assert_int_equal(after->blend_steps, 7);
}

/* A graph whose skill "fall" is left at its end for "one". */
static tr_controller *rising_graph(const tr_controller *rises) {
    const tr_controller *skills[] = {skill[0], rises, skill[1]};
    const int first = tr_controller_bank(skill[0])->fragment_count;
    const int count = tr_controller_bank(rises)->fragment_count;
    const tr_graph_edge edges[] = {
        {0, first + count, false}, {first + count - 1, 0, false}, {first + count, 1, false}};
    const tr_graph_bank_def def = {"rising", skills, edges, 3, 3, NULL};
    tr_controller *out = NULL;
    tr_error error = {0};
    if (tr_graph_bank_create(model, &def, &out, &error))
        fail_msg("%s", error.message);
    return out;
}

static tr_controller *chain_of(int frames) {
    OWN(tr_motion) *motion = NULL;
    tr_controller *chain = NULL;
    tr_error error = {0};
    tr_skill_def def = {"rise", "a", 0.005, true};
    assert_int_equal(tr_motion_create(model, frames, 0.005, &motion), TR_OK);
    strcpy(motion->name, "rise");
    assert_int_equal(tr_skill_create(model, motion, &def, &chain, &error), TR_OK);
    return chain;
}

/* It may be longer or shorter; everything else keeps its bits. */
TEST(a_rising_skill_takes_the_place_of_another) {
    tr_controller *slow = chain_of(81), *quick = chain_of(41), *fit = NULL;
    for (int longer = 0; longer < 2; longer++) {
        OWN(tr_controller) *before = rising_graph(longer ? quick : slow);
        OWN(tr_controller) *expected = rising_graph(longer ? slow : quick);
        const tr_controller *with[] = {longer ? slow : quick};
        char as[1][TR_NAME_MAX] = {"rise"};
        tr_graph_refit_def def = {"rising", model, before, with, as, 1, NULL};
        assert_int_equal(tr_graph_refit(&def, &fit, NULL), TR_OK);
        assert_int_equal(tr_controller_check(fit, model, NULL), TR_OK);
        assert_true(tr_controller_hash(fit, model) == tr_controller_hash(expected, model));
        assert_true(tr_controller_hash(fit, model) != tr_controller_hash(before, model));
        tr_controller_destroy(fit);
        with[0] = skill[2]; /* repeats */
        assert_int_equal(tr_graph_refit(&def, &fit, NULL), TR_INVALID_ARGUMENT);
    }
    tr_controller_destroy(slow);
    tr_controller_destroy(quick);
}

/* The chains from and to it are removed too; the other transitions stay. */
TEST(what_does_not_hold_is_left_out) {
    OWN(tr_controller) *fit = NULL;
    assert_int_equal(refit("two", "one", &fit), TR_OK);
    const tr_control_graph *left = tr_graph_of(fit);
    const char *const kept[] = {"two", "three", "two-to-three", "three-to-two"};
    assert_int_equal(left->node_count, 4);
    for (int n = 0; n < 4; n++)
        assert_string_equal(left->node[n].skill, kept[n]);
    assert_int_equal(left->edge_count, 4);
    for (int e = 0; e < left->edge_count; e++)
        assert_true(tr_control_graph_node_of(left, left->edge[e].from) >= 2 ||
                    tr_control_graph_node_of(left, left->edge[e].to) >= 2);
}

TEST(skills_that_are_unknown_or_cut_otherwise_are_refused) {
    tr_controller *fit = NULL;
    assert_int_equal(refit("four", NULL, &fit), TR_NOT_FOUND);
    assert_int_equal(refit("two", "two-to-four", &fit), TR_NOT_FOUND);
    tr_fragment *first = tr_controller_bank(strong)->fragment;
    first->start.pose.root_pos.z += 0.1;
    assert_int_equal(refit("two", NULL, &fit), TR_INVALID_ARGUMENT);
    first->start.pose.root_pos.z -= 0.1;
    assert_null(fit);
}

static void set_limit(tr_controller *of, const char *name, double settled) {
    tr_control_graph *g = tr_graph_of(of);
    g->node[tr_control_graph_find(g, name)].settled = settled;
}

/* Returns whether the graph has an edge between the same fragments of skills of the same names. */
static bool has_edge(const tr_control_graph *g, const tr_control_graph *of, tr_graph_edge edge) {
    const tr_graph_node *from = &of->node[tr_control_graph_node_of(of, edge.from)];
    const tr_graph_node *to = &of->node[tr_control_graph_node_of(of, edge.to)];
    const int one = tr_control_graph_find(g, from->skill),
              other = tr_control_graph_find(g, to->skill);
    for (int e = 0; one >= 0 && other >= 0 && e < g->edge_count; e++)
        if (g->edge[e].from - g->node[one].first == edge.from - from->first &&
            g->edge[e].to - g->node[other].first == edge.to - to->first &&
            g->edge[e].flips == edge.flips)
            return true;
    return false;
}

TEST(another_graph_adds_what_is_missing_and_changes_nothing) {
    tr_controller *less = NULL, *whole = NULL;
    const tr_controller *with[] = {skill[1]};
    char as[1][TR_NAME_MAX] = {"two"};
    tr_graph_refit_def def = {"less", model, graph, with, as, 1, "one"};
    assert_int_equal(tr_graph_refit(&def, &less, NULL), TR_OK);
    set_limit(less, "two", 0.3);
    set_limit(graph, "one", 0.2);
    def = (tr_graph_refit_def){"whole", model, less, with, as, 1, NULL};
    with[0] = graph;
    tr_error error = {0};
    assert_int_equal(tr_graph_refit(&def, &whole, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "expected a skill that 'less' lacks"));
    strcpy(as[0], "one");
    assert_int_equal(tr_graph_refit(&def, &whole, NULL), TR_OK);
    assert_int_equal(tr_controller_check(whole, model, NULL), TR_OK);
    const tr_control_graph *g = tr_graph_of(whole), *before = tr_graph_of(less);
    assert_int_equal(g->node_count, tr_graph_of(graph)->node_count);
    assert_int_equal(g->edge_count, tr_graph_of(graph)->edge_count);
    for (int e = 0; e < g->edge_count; e++)
        assert_true(has_edge(g, tr_graph_of(graph), tr_graph_of(graph)->edge[e]));
    for (int n = 0; n < before->node_count; n++)
        assert_memory_equal(&g->node[n], &before->node[n], sizeof *g->node);
    assert_near(g->node[tr_control_graph_find(g, "one")].settled, 0.2, 0);
    tr_controller_destroy(whole);
    set_limit(graph, "one", 0);
    /* A skill that both have must be the same. */
    tr_controller_bank(less)->fragment[0].start.pose.root_pos.z += 0.1;
    assert_int_equal(tr_graph_refit(&def, &whole, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "its skill 'two' has other fragments"));
    tr_controller_destroy(less);
}

/* The reference hangs its head, the character does not. */
TEST(references_become_what_is_seen) {
    tr_graph_settle_row row[TR_GRAPH_NODE_MAX];
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *copy = NULL;
    assert_int_equal(tr_controller_copy(graph, model, &copy), TR_OK);
    tr_fragment *fragment = tr_controller_bank(copy)->fragment;
    int count = tr_graph_of(copy)->node[0].count;
    tr_state was = fragment[1].end;
    for (int k = 0; k < count; k++)
        fragment[k].end.pose.joint[model->head] = tr_quat_exp((tr_vec3){0, 0.6, 0});
    assert_int_equal(tr_graph_settle(ensemble, copy, row), TR_OK);
    assert_true(row[0].holds && row[0].before > 0.03 && row[0].after < 0.2 * row[0].before);
    assert_true(tr_state_distance(model, &fragment[1].end, &was) < 0.05);
    assert_true(!row[3].holds && row[3].before == 0); /* a chain */
    for (int k = 0; k < count; k++)
        fragment[k].end.pose.root_pos.z = 0.2; /* always lost */
    assert_int_equal(tr_graph_settle(ensemble, copy, row), TR_OK);
    assert_false(row[0].holds);
    assert_near(fragment[1].end.pose.root_pos.z, 0.2, 0);
    assert_int_equal(tr_graph_settle(ensemble, skill[0], row), TR_INVALID_ARGUMENT);
}

SUITE_FIXTURE(load, unload);
