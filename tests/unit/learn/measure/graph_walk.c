#include "cmocka_test.h"

#include "learn/measure/graph_walk.h"
#include "unit/learn/graph/two_skills.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <string.h>

typedef struct falls {
    int count, last_node, stages;
} falls;

static void note_fall(void *context, const tr_graph_walk_fall *fall) {
    falls *all = context;
    double sum = 0;
    for (int i = 0; i < fall->count; i++)
        sum += fall->stage[i].seconds;
    assert_int_equal(fall->walk, all->count);
    assert_true(fall->count < TR_GRAPH_WALK_STAGE_MAX ? fabs(sum - fall->at_s) < 1e-6
                                                      : sum <= fall->at_s + 1e-6);
    all->last_node = fall->stage[fall->count - 1].node;
    all->stages += fall->count;
    all->count++;
}

/* A character that is pushed down on the way to the second skill was in the first before. */
TEST(a_walk_reports_how_it_fell) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    tr_graph_walk_test test = {
        .walks = 3, .seconds = 20, .dwell_low_s = 0.5, .dwell_high_s = 1, .seed = 3};
    tr_graph_walk_result result;
    falls all = {0};
    two_skills_spoil(graph, &tr_graph_of(graph)->node[2]);
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, note_fall, &all, &result), TR_OK);
    assert_int_equal(all.count, 3);
    assert_int_equal(result.upright, 0);
    assert_true(all.stages >= 3 * 2);
    assert_true(all.last_node == 1 || all.last_node == 2);
}

TEST(a_walk_visits_evenly) {
    two_skills_tale t = {0};
    OWN(tr_controller) *graph = two_skills_build(2, &t);
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    tr_graph_walk_test test = {
        .walks = 3, .seconds = 20, .dwell_low_s = 0.5, .dwell_high_s = 1, .seed = 3};
    tr_graph_walk_result result, again;
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &result), TR_OK);
    assert_int_equal(result.upright, 3);
    assert_true(result.shortest_s == 20);
    assert_true(result.crossings >= 3 * 5);
    assert_true(result.longest_way_s > 0 && result.longest_way_s < 2);
    assert_in_range(result.visits[0] - result.visits[1] + 3, 0, 6);
    assert_int_equal(result.visits[0] + result.visits[1], result.crossings + 3);
    assert_int_equal(result.falls[0] + result.falls[1], 0);
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &again), TR_OK);
    assert_int_equal(again.crossings, result.crossings);
    test.hills_deg = 5; /* level under the start, so that standing is as safe as on the plane */
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &again), TR_OK);
    assert_int_equal(again.upright, 3);
    test.hills_deg = 0;
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &again), TR_OK);
    assert_int_equal(again.crossings, result.crossings);
    test.hills_deg = -1;
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &again),
                     TR_INVALID_ARGUMENT);
    test.hills_deg = 0;
    assert_int_equal(tr_graph_walk(ensemble, two_skills[0], &test, NULL, NULL, &again),
                     TR_INVALID_ARGUMENT);
}

/* Only a fall leads to rising; a walk that steered to it would never reach it. */
TEST(a_walk_never_steers_to_rising) {
    two_skills_tale t = {0};
    OWN(tr_controller) *graph = two_skills_build(2, &t);
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 1);
    tr_control_graph *g = tr_graph_of(graph);
    int kept = 0;
    for (int e = 0; e < g->edge_count; e++)
        if (tr_control_graph_node_of(g, g->edge[e].to) != 1)
            g->edge[kept++] = g->edge[e];
    g->edge_count = kept;
    g->node[1].cyclic = false;
    assert_true(tr_control_graph_rises(g, 1));
    tr_graph_walk_test test = {
        .walks = 1, .seconds = 10, .dwell_low_s = 0.5, .dwell_high_s = 1, .seed = 3};
    tr_graph_walk_result result;
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &result), TR_OK);
    assert_int_equal(result.upright, 1);
    assert_true(result.longest_way_s < 2);
}

/* A character that does not get up ends its walk half a minute after the fall. */
TEST(a_walk_waits_for_characters_to_get_up) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, 2);
    OWN(tr_controller) *graph = two_skills_build_learned(2);
    tr_graph_walk_test test = {
        .walks = 2, .seconds = 60, .dwell_low_s = 0.5, .dwell_high_s = 1, .seed = 3};
    tr_graph_walk_result at_once, later;
    two_skills_spoil(graph, &tr_graph_of(graph)->node[2]);
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &at_once), TR_OK);
    test.recovers = true;
    assert_int_equal(tr_graph_walk(ensemble, graph, &test, NULL, NULL, &later), TR_OK);
    assert_int_equal(later.ended + later.upright + later.risen, 0);
    assert_true(later.shortest_s - at_once.shortest_s > TR_GRAPH_WALK_RISE_S - 1);
}

SUITE_FIXTURE(two_skills_load, two_skills_unload);
