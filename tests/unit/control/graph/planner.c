#include "cmocka_test.h"

#include "control/fields/reference_state.h"
#include "control/graph/catch_step.h"
#include "math/hash.h"
#include "unit/control/graph/example.h"
#include "unit/control/puppet.h"

#include <stdlib.h>
#include <string.h>

static const tr_planner_stance settled = {.settled = true, .jumps = true, .tidies = -1},
                               unsettled = {.tidies = -1};

/* --- planning --- */

TEST(chains_follow_themselves) {
    tr_control_graph *graph = example();
    static const struct {
        tr_graph_place done, next;
    } steps[] = {{{2, false}, {3, false}}, {{4, false}, {2, true}}, {{4, true}, {2, false}},
                 {{1, true}, {0, true}},   {{6, false}, {5, true}}, {{7, true}, {8, true}},
                 {{9, true}, {0, true}}}; /* a chain's end: out by the first edge */
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        tr_graph_place next = tr_planner_follow(graph, steps[i].done);
        assert_int_equal(next.fragment, steps[i].next.fragment);
        assert_int_equal(next.mirrored, steps[i].next.mirrored);
    }
}

/* From stand to walk lead jumps and a chain, the flip, which takes longer; run is reached over walk. */
TEST(a_skill_that_is_passed_is_entered_by_a_chain) {
    const tr_control_graph *graph = example();
    const tr_steering_target walk = {.skill = "walk"}, run = {.skill = "run"};
    const tr_graph_place stood = {1, false};
    assert_int_equal(tr_planner_next(graph, stood, &settled, &walk, 0).fragment, 2);
    assert_int_equal(tr_planner_next(graph, stood, &settled, &run, 0).fragment, 7);
    assert_int_equal(tr_planner_next(graph, (tr_graph_place){9, false}, &settled, &run, 0).fragment,
                     2);
}

/* It waits for a later cycle, and once it is late it takes the chain. */
TEST(a_character_far_from_the_reference_does_not_jump) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    const tr_control_graph *graph = tr_graph_of(controller);
    const tr_steering_target walk = {.skill = "walk"};
    const tr_graph_place stood = {1, false};
    tr_planner_stance stance = {.settled = true, .tidies = -1};
    tr_state *end = &graph->bank.fragment[1].end, state;
    end->root_vel.x = 0.5;
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 0);
    stance.late = true;
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 7);
    stance.late = false;
    stance.jumps = true;
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 2);
    for (int far = 0; far <= 1; far++)
        for (int rests = 0; rests <= 1; rests++) {
            *end = tr_reference_identity();
            end->root_vel.x = rests ? 0 : 0.5;
            state = *end;
            state.pose.root_pos.z += far ? 0.022 : 0.01; /* 0.098 and 0.045 off */
            assert_int_equal(tr_planner_look(graph, model, stood, &state).jumps, rests || !far);
        }
}

/* Where jumps alone lead on, a late one jumps, however far from the reference it may leave. */
TEST(a_late_character_jumps_where_no_chain_leads) {
    const tr_control_graph *graph = example();
    const tr_steering_target run = {.skill = "run"};
    tr_planner_stance stance = {.settled = true, .tidies = -1};
    const tr_graph_place walked = {4, false};
    assert_int_equal(tr_planner_next(graph, walked, &stance, &run, 0).fragment, 2);
    stance.late = true;
    assert_int_equal(tr_planner_next(graph, walked, &stance, &run, 0).fragment, 6);
}

/* A limit belongs to where its chain begins: behind it the chain is entered by a jump, from near the
 * reference, and a skill that is only passed takes longer to settle after it. */
TEST(a_jump_may_enter_the_midst_of_a_chain) {
    tr_control_graph *graph = example();
    const tr_steering_target walk = {.skill = "walk"};
    const tr_graph_place stood = {1, false};
    tr_planner_stance stance = {.settled = true, .rests = true, .tidies = -1};
    tr_planner_far far;
    graph->edge[0].from =
        1; /* out of stand into the first, second and third fragment of the flip */
    for (int e = 0; e < 3; e++)
        graph->edge[e].to = 7 + e;
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 7);
    stance.jumps = stance.shut[FLIP] = true;
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 9);
    tr_planner_measure(graph, RUN, NULL, &far); /* the whole flip and half a walk */
    assert_int_equal(far.steps[2 * stood.fragment], 5 * EXAMPLE_STEPS);
}

/* Not the way through the fewest skills: the flip leads straight to run, but is longer. */
TEST(the_way_of_the_fewest_steps_is_taken) {
    tr_control_graph *graph = example();
    const tr_steering_target run = {.skill = "run"};
    const tr_graph_place stood = {1, false};
    tr_planner_far far;
    tr_planner_measure(graph, RUN, NULL, &far);
    /* Flip and half a walk: five fragments; by a jump two, and forty to settle. */
    assert_int_equal(far.steps[2 * stood.fragment], 5 * EXAMPLE_STEPS);
    assert_int_equal(far.steps[2 * 2], EXAMPLE_STEPS);
    graph->edge[8].to = 5;
    tr_planner_measure(graph, RUN, NULL, &far);
    assert_int_equal(far.steps[2 * stood.fragment], 3 * EXAMPLE_STEPS);
    graph->bank.fragment[8].steps = 50 * EXAMPLE_STEPS;
    assert_int_equal(tr_planner_next(graph, stood, &settled, &run, 0).fragment, 2);
    graph->bank.fragment[8].steps = EXAMPLE_STEPS;
    assert_true(tr_planner_leads(graph, WALK, STAND, NULL));
    graph->edge_count = 3; /* nothing leads out of walk now */
    assert_false(tr_planner_leads(graph, WALK, STAND, NULL));
    assert_true(tr_planner_leads(graph, STAND, WALK, NULL));
}

static tr_graph_place walk_to(const tr_control_graph *graph, tr_graph_place at,
                              const tr_steering_target *target, int fragments) {
    for (int i = 0; i < fragments; i++)
        at = tr_planner_next(graph, at, &settled, target, 0);
    return at;
}

/* From anywhere, in either half, to anywhere; the character stays in the goal unless it is a chain,
 * which ends. */
TEST(every_skill_is_reached_from_everywhere) {
    tr_control_graph *graph = example();
    for (int from = 0; from < 20; from++)
        for (int to = 0; to < graph->node_count; to++) {
            tr_steering_target target = {.aim = TR_AIM_NONE};
            tr_graph_place at = {from % 10, from >= 10};
            strcpy(target.skill, graph->node[to].skill);
            bool reached = false;
            for (int i = 0; i < 20 && !reached; i++) {
                at = tr_planner_next(graph, at, &settled, &target, 0);
                reached = tr_control_graph_node_of(graph, at.fragment) == to;
            }
            assert_true(reached);
            if (!graph->node[to].cyclic)
                continue;
            at = walk_to(graph, at, &target, 7);
            assert_int_equal(tr_control_graph_node_of(graph, at.fragment), to);
        }
}

static const double STEP_S = 0.005;
static const tr_vec3 level = {0, 0, 1};

/* The expected time is that of the planner's own places, whatever part of the fragment is done. */
TEST(the_expected_way_is_the_one_taken) {
    OWN(tr_controller) *controller = example_controller(*given);
    const tr_control_graph *graph = tr_graph_of(controller);
    for (int from = 0; from < 2 * FRAGMENTS; from++)
        for (int to = 0; to < NODES; to++) {
            tr_steering_target target = {.aim = TR_AIM_NONE};
            tr_graph_place at = {from % FRAGMENTS, from >= FRAGMENTS};
            const tr_driver_prospect prospect = {&target, STEP_S, level};
            tr_driver_way way;
            strcpy(target.skill, graph->node[to].skill);
            bool there = tr_control_graph_node_of(graph, at.fragment) == to;
            assert_int_equal(tr_planner_way(graph, at, 5, &prospect, &way), !there);
            if (there)
                continue;
            int fragments = 0;
            for (; tr_control_graph_node_of(graph, at.fragment) != to; fragments++)
                at = tr_planner_next(graph, at, &settled, &target, 0);
            assert_true(fabs(way.time_s - (fragments * EXAMPLE_STEPS - 5) * STEP_S) < 1e-9);
            assert_string_equal(way.skill[way.count - 1], target.skill);
        }
}

TEST(skills_on_the_way_are_named) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_control_graph *graph = tr_graph_of(controller);
    tr_steering_target target = {.skill = "run"};
    tr_driver_prospect prospect = {&target, STEP_S, level};
    tr_driver_way way;
    assert_true(tr_planner_way(graph, (tr_graph_place){0, false}, 0, &prospect, &way));
    assert_int_equal(way.count, 2);
    assert_string_equal(way.skill[0], "walk");
    assert_string_equal(way.skill[1], "run");
    /* A chain on the way is a transition, and is not named unless it is asked for. */
    strcpy(target.skill, "stand");
    assert_true(tr_planner_way(graph, (tr_graph_place){7, false}, 0, &prospect, &way));
    assert_int_equal(way.count, 1);
    strcpy(target.skill, "flip");
    assert_true(tr_planner_way(graph, (tr_graph_place){6, false}, 0, &prospect, &way));
    assert_int_equal(way.count, 3);
    assert_string_equal(way.skill[2], "flip");
    target.skill[0] = 0;
    assert_false(tr_planner_way(graph, (tr_graph_place){6, false}, 0, &prospect, &way));
    strcpy(target.skill, "stand");
    graph->edge_count = 3; /* nothing leads out of walk now */
    assert_false(tr_planner_way(graph, (tr_graph_place){2, false}, 0, &prospect, &way));
}

/* As the planner does: what is too steep on the way, or at its end, leaves no way. */
TEST(the_expected_way_heeds_the_slope) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_control_graph *graph = tr_graph_of(controller);
    const tr_graph_place stands = {0, false};
    tr_steering_target target = {.skill = "run"};
    tr_driver_prospect prospect = {&target, STEP_S, {0.02, 0, sqrt(1 - 0.02 * 0.02)}};
    tr_driver_way way;
    assert_true(tr_planner_way(graph, stands, 0, &prospect, &way));
    graph->node[WALK].steepest_rad = 0.01;
    assert_false(tr_planner_way(graph, stands, 0, &prospect, &way));
    strcpy(target.skill, "walk");
    assert_false(tr_planner_way(graph, stands, 0, &prospect, &way));
    prospect.normal = level;
    assert_true(tr_planner_way(graph, stands, 0, &prospect, &way));
}

TEST(flips_change_the_half) {
    tr_control_graph *graph = example();
    tr_steering_target run = {.skill = "run"};
    tr_graph_place at = tr_planner_next(graph, (tr_graph_place){3, false}, &settled, &run, 0);
    assert_int_equal(at.fragment, 5);
    assert_true(at.mirrored);
    at = tr_planner_next(graph, (tr_graph_place){3, true}, &settled, &run, 0);
    assert_false(at.mirrored);
    at = tr_planner_next(graph, (tr_graph_place){4, true}, &settled, &run, 0);
    assert_int_equal(at.fragment, 6);
    assert_true(at.mirrored);
}

/* The ground is too steep for the walk, but not for the flip, which leads to standing too. */
TEST(no_way_passes_a_skill_that_the_ground_is_too_steep_for) {
    tr_control_graph *graph = example();
    const tr_steering_target walk = {.skill = "walk"}, slow = {.speed_mps = 1.5};
    const tr_vec3 up = {0, 0, 1}, slope = {0, sin(0.02), cos(0.02)};
    const tr_graph_place stood = {1, false};
    tr_planner_stance stance = settled;
    graph->node[WALK].steepest_rad = 0.01;
    tr_control_graph_find_steep(graph, up, stance.steep);
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 2);
    tr_control_graph_find_steep(graph, slope, stance.steep);
    assert_true(stance.steep[WALK] && !stance.steep[STAND] && !stance.steep[FLIP]);
    assert_int_equal(tr_planner_next(graph, stood, &stance, &walk, 0).fragment, 0);
    assert_false(tr_planner_leads(graph, STAND, WALK, stance.steep));
    assert_int_equal(tr_planner_goal(graph, STAND, &slow, 0, stance.steep), RUN);
    assert_int_equal(tr_planner_goal(graph, STAND, &slow, 0, NULL), WALK);
}

TEST(speed_and_turn_choose_skills) {
    tr_control_graph *graph = example();
    tr_steering_target target = {.speed_mps = 2.5};
    assert_int_equal(tr_planner_goal(graph, WALK, &target, 0, NULL), RUN);
    target.speed_mps = 1.35;
    assert_int_equal(tr_planner_goal(graph, RUN, &target, 0, NULL), WALK);
    assert_int_equal(tr_planner_goal(graph, WALK, &target, 0, NULL), WALK);
    target.speed_mps = 2.02; /* halfway: what it does already will do */
    assert_int_equal(tr_planner_goal(graph, WALK, &target, 0, NULL), WALK);
    assert_int_equal(tr_planner_goal(graph, RUN, &target, 0, NULL), RUN);
    target.speed_mps = 0;
    assert_int_equal(tr_planner_goal(graph, RUN, &target, 2, NULL), -1);
    graph->node[FLIP].turn_rad = TR_PI; /* turns about */
    assert_int_equal(tr_planner_goal(graph, RUN, &target, 2.5, NULL), FLIP);
    assert_int_equal(tr_planner_goal(graph, RUN, &target, 0.5, NULL), -1);
    assert_int_equal(tr_planner_goal(graph, RUN, &target, -2.5, NULL), -1);
    tr_graph_place at = tr_planner_next(graph, (tr_graph_place){7, false}, &settled, &target, 2.5);
    assert_int_equal(at.fragment, 8); /* a turn is seen through */
    const tr_graph_edge away = {7, 0, false};
    graph->edge[6] = away;
    strcpy(graph->node[STAND].skill, "s"); /* but for a skill that is asked for, however short */
    at = tr_planner_next(graph, (tr_graph_place){7, false}, &settled,
                         &(tr_steering_target){.skill = "s"}, 0);
    assert_int_equal(at.fragment, 0);
}

/* The half of the walk that drifts to the left is for an aim to the left. */
TEST(out_of_a_stand_a_walk_begins_in_the_half_towards_the_aim) {
    tr_control_graph *graph = example();
    const tr_graph_place stood = {1, false}, begun = {2, false};
    tr_fragment *stride = &graph->bank.fragment[2];
    stride->end.pose.root_pos = (tr_vec3){1, 0.1, 0};
    assert_false(tr_planner_lean(graph, stood, begun, 0.5).mirrored);
    assert_true(tr_planner_lean(graph, stood, begun, -0.5).mirrored);
    assert_true(tr_planner_lean(graph, stood, (tr_graph_place){2, true}, -0.5).mirrored);
    assert_false(tr_planner_lean(graph, stood, (tr_graph_place){2, true}, 0.5).mirrored);
    assert_false(tr_planner_lean(graph, stood, begun, -0.05).mirrored); /* straight ahead */
    /* A skill with two halves waits for the right one, and standing on has no half. */
    assert_false(tr_planner_lean(graph, (tr_graph_place){6, false}, begun, -0.5).mirrored);
    assert_false(tr_planner_lean(graph, (tr_graph_place){0, false}, stood, -0.5).mirrored);
    stride->end.pose.root_pos = (tr_vec3){0, 0, 0};
}

TEST(a_backward_walk_is_not_chosen_by_speed) {
    tr_control_graph *graph = example();
    tr_steering_target target = {.speed_mps = 1.2};
    graph->bank.fragment[graph->node[WALK].first].end.pose.root_pos.x = -0.1;
    assert_int_equal(tr_planner_goal(graph, STAND, &target, 0, NULL), STAND);
    assert_int_equal(tr_planner_goal(graph, WALK, &target, 0, NULL), STAND);
    strcpy(target.skill, "walk");
    assert_int_equal(tr_planner_goal(graph, STAND, &target, 0, NULL), WALK);
}

/* --- turning skills --- */

/* The graph of the example, and left: fragments 10, 11, and right: 12, 13, cyclic, ways between
 * them and walk. A sixth of a turn to a side each cycle. */
enum { LEFT = 4, RIGHT };

static tr_control_graph *with_turns(void) {
    enum { MORE = 4 };
    static const tr_graph_edge more[MORE] = {
        {3, 10, false}, {3, 12, true}, {11, 2, false}, {13, 2, true}};
    static tr_graph_node nodes[NODES + 2];
    static tr_graph_edge edges[EDGES + MORE];
    static tr_fragment fragments[FRAGMENTS + 4];
    static tr_control_graph graph;
    const tr_control_graph *small = example();
    memset(fragments, 0, sizeof fragments);
    for (int f = 0; f < FRAGMENTS + 4; f++)
        fragments[f].steps = EXAMPLE_STEPS;
    memcpy(nodes, small->node, NODES * sizeof *nodes);
    memcpy(edges, small->edge, EDGES * sizeof *edges);
    memcpy(edges + EDGES, more, sizeof more);
    qsort(edges, EDGES + MORE, sizeof *edges, tr_graph_edge_compare);
    nodes[LEFT] = example_node("left", 10, 2, true);
    nodes[RIGHT] = example_node("right", 12, 2, true);
    nodes[LEFT].turn_rad = TR_PI / 3;
    nodes[RIGHT].turn_rad = -TR_PI / 3;
    graph = (tr_control_graph){.bank = {.fragment = fragments},
                               .node_count = NODES + 2,
                               .edge_count = EDGES + MORE,
                               .node = nodes,
                               .edge = edges};
    return &graph;
}

TEST(large_heading_error_uses_turning_skill) {
    tr_control_graph *graph = with_turns();
    tr_steering_target aside = {.aim = TR_AIM_HEADING},
                       fast = {.aim = TR_AIM_HEADING, .speed_mps = 2.7};
    static const struct {
        int node;
        double turn_rad;
        int goal;
    } cases[] = {{WALK, 1.1, LEFT},    {WALK, -1.1, RIGHT}, {RUN, 3.1, LEFT},   {WALK, -3.1, RIGHT},
                 {WALK, 1, -1},        {WALK, -0.1, -1},    {LEFT, 1, LEFT},    {LEFT, 0.4, WALK},
                 {RIGHT, -0.9, RIGHT}, {RIGHT, 0.2, WALK},  {LEFT, -1.2, RIGHT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(tr_planner_goal(graph, cases[i].node, &aside, cases[i].turn_rad, NULL),
                         cases[i].goal);
    assert_int_equal(tr_planner_goal(graph, LEFT, &fast, 0.1, NULL), RUN);
    aside.aim = TR_AIM_NONE; /* and without an aim the character stays in it */
    assert_int_equal(tr_planner_goal(graph, LEFT, &aside, 0, NULL), -1);
    /* No skill is used to turn to a near point, which it would circle. */
    assert_true(tr_planner_turn((tr_bearing){2, 3}) == 0);
    assert_true(tr_planner_turn((tr_bearing){2, 5}) == 2);
    assert_true(tr_planner_turn((tr_bearing){2, INFINITY}) == 2);
}

TEST(a_half_turn_is_made_by_what_turns_soonest) {
    tr_control_graph *graph = with_turns();
    const tr_steering_target aside = {.aim = TR_AIM_HEADING};
    const double about = TR_PI - 0.01;
    graph->node[RIGHT].turn_rad = 3.2; /* in one cycle, where LEFT takes three */
    static const struct {
        int node;
        double turn_rad;
        int goal;
    } cases[] = {{WALK, about, RIGHT}, {WALK, -about, RIGHT}, /* as far the other way round */
                 {RIGHT, 0.5, RIGHT},  {RIGHT, 0.2, WALK},    /* it has turned enough */
                 {RIGHT, -0.5, WALK},  {WALK, 1.2, LEFT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(tr_planner_goal(graph, cases[i].node, &aside, cases[i].turn_rad, NULL),
                         cases[i].goal);
}

/* In the other half left is right: out of walk, which has both, the half is waited for. */
TEST(turning_skills_are_begun_in_their_own_half) {
    tr_control_graph *graph = with_turns();
    for (int skill = LEFT; skill <= RIGHT; skill++)
        for (int mirrored = 0; mirrored <= 1; mirrored++) {
            tr_steering_target target = {.aim = TR_AIM_NONE};
            strcpy(target.skill, graph->node[skill].skill);
            tr_graph_place at = walk_to(graph, (tr_graph_place){2, mirrored}, &target, 5);
            assert_int_equal(tr_control_graph_node_of(graph, at.fragment), skill);
            assert_false(at.mirrored);
        }
}

/* --- side steps --- */

/* The graph of the turns, whose left and right are side steps instead; their ways come from stand. */
static tr_control_graph *with_side_steps(void) {
    static const tr_graph_edge ways[] = {{0, 2, false}, {1, 10, false}, {1, 12, false},
                                         {3, 0, true},  {9, 0, false},  {11, 0, false},
                                         {13, 0, false}};
    tr_control_graph *graph = with_turns();
    for (int f = 0; f < 4; f++)
        graph->bank.fragment[FRAGMENTS + f].end.pose.root_pos =
            (tr_vec3){0.01, f < 2 ? 0.05 : -0.05, 0.9};
    graph->node[LEFT].turn_rad = graph->node[RIGHT].turn_rad = 0;
    graph->node[LEFT].steering.speed_mps = graph->node[RIGHT].steering.speed_mps = 0.5;
    graph->edge_count = sizeof ways / sizeof *ways;
    memcpy(graph->edge, ways, sizeof ways);
    return graph;
}

TEST(side_steps_go_to_their_own_side_from_standing) {
    tr_control_graph *graph = with_side_steps();
    assert_int_equal(tr_control_graph_way(graph, LEFT), TR_WAY_LEFT);
    assert_int_equal(tr_control_graph_way(graph, RIGHT), TR_WAY_RIGHT);
    assert_true(tr_control_graph_has_side(graph, LEFT));
    assert_true(tr_control_graph_has_side(graph, RIGHT));
    assert_false(tr_control_graph_has_side(graph, WALK));
    assert_false(tr_control_graph_has_side(graph, STAND));
    for (int skill = LEFT; skill <= RIGHT; skill++)
        for (int mirrored = 0; mirrored <= 1; mirrored++) {
            tr_steering_target target = {.aim = TR_AIM_NONE};
            strcpy(target.skill, graph->node[skill].skill);
            tr_graph_place at = walk_to(graph, (tr_graph_place){2, mirrored}, &target, 8);
            assert_int_equal(tr_control_graph_node_of(graph, at.fragment), skill);
            assert_false(at.mirrored);
        }
}

TEST(a_side_step_is_not_chosen_by_speed) {
    tr_control_graph *graph = with_side_steps();
    tr_steering_target target = {.speed_mps = 0.5};
    assert_int_equal(tr_planner_goal(graph, STAND, &target, 0, NULL), STAND);
    assert_int_equal(tr_planner_goal(graph, LEFT, &target, 0, NULL), STAND);
    graph->bank.fragment[FRAGMENTS].end.pose.root_pos.y += 1e-6; /* not exactly an image any more */
    assert_true(tr_control_graph_has_side(graph, LEFT));
    assert_int_equal(tr_planner_goal(graph, STAND, &target, 0, NULL), STAND);
    strcpy(target.skill, "left");
    assert_int_equal(tr_planner_goal(graph, STAND, &target, 0, NULL), LEFT);
}

/* --- settling --- */

TEST(a_character_near_the_reference_is_settled) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_state *end = &tr_controller_bank(controller)->fragment[3].end, state;
    end->pose.joint[2] = tr_quat_exp((tr_vec3){0.4, 0, 0});
    end->root_vel = (tr_vec3){0.3, 0.4, 0};
    for (int mirrored = 0; mirrored <= 1; mirrored++) {
        tr_graph_place done = {3, mirrored}, other = {3, !mirrored};
        state = mirrored ? tr_state_mirror(model, end) : *end;
        assert_true(tr_planner_is_settled(tr_controller_bank(controller), model, done, &state));
        state = tr_state_place(&state, 2, (tr_vec3){5, -3, 0});
        assert_true(tr_planner_is_settled(tr_controller_bank(controller), model, done, &state));
        assert_false(tr_planner_is_settled(tr_controller_bank(controller), model, other, &state));
        state.root_vel.z += 0.5;
        assert_false(tr_planner_is_settled(tr_controller_bank(controller), model, done, &state));
    }
}

/* At the reference, but swaying past it; where the reference moves, that is settled. */
TEST(a_character_that_sways_past_the_reference_is_not_settled) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_graph_place done = {3, false};
    tr_state *end = &tr_controller_bank(controller)->fragment[3].end;
    tr_state state = *end;
    state.root_vel.x += 0.05;
    assert_true(tr_planner_distance(tr_controller_bank(controller), model, done, &state) < 0.1);
    assert_false(tr_planner_is_settled(tr_controller_bank(controller), model, done, &state));
    end->root_vel = state.root_vel;
    state.root_vel.x += 0.05;
    assert_true(tr_planner_distance(tr_controller_bank(controller), model, done, &state) < 0.1);
    assert_true(tr_planner_is_settled(tr_controller_bank(controller), model, done, &state));
}

/* 0.147 off the reference: not at the speed of a walk. */
TEST(a_fast_character_settles_nearer) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_graph_place done = {3, false};
    tr_state *end = &tr_controller_bank(controller)->fragment[3].end, state;
    for (int fast = 0; fast <= 1; fast++) {
        end->root_vel.x = fast ? 1.2 : 0.8;
        state = *end;
        state.root_vel.x += 0.147 * 0.5 * sqrt(5); /* state_distance.h */
        assert_near(tr_planner_distance(tr_controller_bank(controller), model, done, &state), 0.147,
                    1e-12);
        assert_true(tr_planner_is_settled(tr_controller_bank(controller), model, done, &state) ==
                    !fast);
    }
}

/* The limit of another skill does not matter. */
TEST(a_skill_has_a_limit_of_its_own) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_control_graph *graph = tr_graph_of(controller);
    tr_graph_place done = {3, false};
    tr_state *end = &graph->bank.fragment[3].end, state;
    int node = tr_control_graph_node_of(graph, 3), other = (node + 1) % graph->node_count;
    end->root_vel.x = 0.8;
    state = *end;
    state.root_vel.x += 0.25 * 0.5 * sqrt(5); /* 0.25 off (state_distance.h) */
    graph->node[other].settled = 0.3;
    assert_false(tr_planner_may_leave(graph, model, done, &state));
    graph->node[node].settled = 0.3;
    assert_true(tr_planner_may_leave(graph, model, done, &state));
    assert_false(tr_planner_is_settled(&graph->bank, model, done, &state));
    graph->node[node].settled = 0.2;
    assert_false(tr_planner_may_leave(graph, model, done, &state));
}

/* The limit of the chain "flip", into which standing leads from fragment 1. */
TEST(a_transition_beyond_its_limit_is_shut) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_control_graph *graph = tr_graph_of(controller);
    const tr_graph_place ahead = {1, false}, image = {1, true}, earlier = {0, false};
    graph->node[FLIP].settled = 0.1;
    tr_state *start = &graph->bank.fragment[7].start, state;
    start->pose.root_rot = tr_quat_exp((tr_vec3){0.02, 0, 0}); /* 0.045 off the end of 1 */
    state = *start;
    state.pose.root_pos.z += 0.08 * 0.1 * sqrt(5); /* 0.08 off (state_distance.h) */
    assert_false(tr_planner_look(graph, model, ahead, &state).shut[FLIP]);
    assert_false(tr_planner_look(graph, model, earlier, &state).shut[FLIP]);
    assert_true(tr_planner_look(graph, model, image, &state).shut[FLIP]); /* 0.12 off */
    state.pose.root_pos.z += 0.04 * 0.1 * sqrt(5);
    assert_true(tr_planner_look(graph, model, ahead, &state).shut[FLIP]);
    assert_true(tr_planner_look(graph, model, earlier, &state).shut[FLIP]);
    assert_false(tr_planner_look(graph, model, (tr_graph_place){3, false}, &state).shut[FLIP]);
    /* Standing, where it begins matters at each fragment: here 0.09 off, and 0.13 off the end of 0. */
    state = *start;
    state.pose.root_rot = tr_quat_exp((tr_vec3){0.06, 0, 0});
    assert_false(tr_planner_look(graph, model, earlier, &state).shut[FLIP]);
    graph->bank.fragment[0].end.root_vel.x = 0.1; /* now it moves */
    assert_true(tr_planner_look(graph, model, earlier, &state).shut[FLIP]);
    graph->node[FLIP].settled = 0;
    assert_false(tr_planner_look(graph, model, ahead, &state).shut[FLIP]);
}

/* By the first side step, out of a skill that rests. */
TEST(a_stance_off_a_limit_is_tidied_by_a_side_step) {
    const tr_model *model = *given;
    tr_control_graph *graph = with_side_steps();
    tr_state *end = &graph->bank.fragment[1].end, state;
    graph->edge[2].to = 7; /* stand leads to "left" and "flip" */
    for (int sides = 0; sides <= 1; sides++)
        for (int moves = 0; moves <= 1; moves++)
            for (int limit = 0; limit <= 1; limit++) {
                *end = tr_reference_identity();
                end->root_vel.x = moves;
                state = *end;
                state.pose.root_pos.z += 0.03; /* 0.134 off */
                graph->bank.fragment[7].start = *end;
                graph->node[FLIP].settled = limit ? 0.1 : 0.14;
                graph->node[LEFT].steering.speed_mps = sides ? 0.5 : 0;
                const tr_planner_stance stance =
                    tr_planner_look(graph, model, (tr_graph_place){1, false}, &state);
                assert_true(stance.settled);
                assert_true(stance.shut[FLIP] == limit && stance.rests == !moves);
                assert_int_equal(stance.tidies, limit && !moves && sides ? LEFT : -1);
            }
    /* One that sways comes to stand still first: near its reference it would then step for nothing. */
    *end = tr_reference_identity();
    state.root_vel = (tr_vec3){0, 0.01, 0};
    const tr_planner_stance sways =
        tr_planner_look(graph, model, (tr_graph_place){1, false}, &state);
    assert_true(sways.rests && sways.shut[FLIP]);
    assert_int_equal(sways.tidies, -1);
    /* One that stands far off, without any limit, takes the side step (10) before it leaves; once it is late it leaves. */
    const tr_steering_target walk = {.skill = "walk"}; /* from fragment 0 */
    graph->node[FLIP].settled = 0;
    for (int far = 0; far <= 1; far++) {
        state = *end;
        state.pose.root_pos.z += far ? 0.04 : 0.03; /* 0.18 or 0.13 off */
        tr_planner_stance stands =
            tr_planner_look(graph, model, (tr_graph_place){1, false}, &state);
        assert_true(stands.settled && stands.strays == far);
        assert_int_equal(
            tr_planner_next(graph, (tr_graph_place){1, false}, &stands, &walk, 0).fragment,
            far ? 10 : 0);
        stands.late = true;
        assert_int_equal(
            tr_planner_next(graph, (tr_graph_place){1, false}, &stands, &walk, 0).fragment, 0);
    }
}

/* stand: 0; hub: 1; punch: 2; chains from stand to hub: 3, from hub to punch: 4, and from stand to
 * punch: 5. */
enum { STRAIGHT = 5 };

static tr_control_graph *straight_and_around(void) {
    enum { ALL = 6 };
    static const tr_graph_edge edges[] = {{0, 3, false}, {0, 5, false}, {1, 0, false},
                                          {1, 4, false}, {3, 1, false}, {4, 2, false},
                                          {5, 2, false}};
    static tr_graph_node nodes[ALL];
    static tr_graph_edge own[sizeof edges / sizeof *edges];
    static tr_fragment fragments[ALL];
    static tr_control_graph graph;
    static const char *const names[ALL] = {"stand", "hub", "punch", "out", "on", "straight"};
    memcpy(own, edges, sizeof edges);
    for (int n = 0; n < ALL; n++) {
        nodes[n] = example_node(names[n], n, 1, n <= 2);
        fragments[n].steps = EXAMPLE_STEPS;
    }
    graph = (tr_control_graph){.bank = {.fragment = fragments, .fragment_count = ALL},
                               .node_count = ALL,
                               .edge_count = sizeof edges / sizeof *edges,
                               .node = nodes,
                               .edge = own};
    return &graph;
}

/* Out of a skill that rests; in one that moves it waits. */
TEST(a_shut_transition_is_gone_around_or_waited_for) {
    const tr_control_graph *graph = straight_and_around();
    const tr_steering_target punch = {.skill = "punch"};
    const tr_graph_place stand = {0, false};
    for (int shut = 0; shut <= 1; shut++)
        for (int rests = 0; rests <= 1; rests++) {
            tr_planner_stance stance = {.settled = true, .rests = rests, .tidies = -1};
            stance.shut[STRAIGHT] = shut;
            const int next = tr_planner_next(graph, stand, &stance, &punch, 0).fragment;
            assert_int_equal(next, !shut ? 5 : rests ? 3 : 0);
        }
}

/* Where only a jump leads around it. Between the two it would go in circles. */
TEST(a_late_character_waits_before_a_shut_transition) {
    tr_control_graph *graph = straight_and_around();
    const tr_steering_target punch = {.skill = "punch"};
    const tr_graph_place stand = {0, false};
    tr_planner_stance stance = {.settled = true, .rests = true, .tidies = -1};
    stance.shut[STRAIGHT] = true;
    graph->edge[3].to = 2; /* from the hub a jump to the punch */
    assert_int_equal(tr_planner_next(graph, stand, &stance, &punch, 0).fragment, 3);
    stance.late = true;
    assert_int_equal(tr_planner_next(graph, stand, &stance, &punch, 0).fragment, 0);
    graph->edge[1].to = 3; /* no chain leads to the punch */
    assert_int_equal(tr_planner_next(graph, stand, &stance, &punch, 0).fragment, 3);
}

/* Where nothing leads around the shut transition. */
TEST(a_character_tidies_its_stance_where_every_way_is_shut) {
    tr_control_graph *graph = straight_and_around();
    const tr_steering_target punch = {.skill = "punch"};
    const tr_graph_place stand = {0, false};
    tr_planner_stance stance = {.settled = true, .rests = true, .tidies = 1};
    stance.shut[STRAIGHT] = true;
    graph->edge[3].to = 0; /* from the hub only back to standing */
    assert_int_equal(tr_planner_next(graph, stand, &stance, &punch, 0).fragment, 3);
    assert_int_equal(
        tr_planner_next(graph, (tr_graph_place){1, false}, &settled, &punch, 0).fragment, 0);
    stance.shut[STRAIGHT] = false;
    assert_int_equal(tr_planner_next(graph, stand, &stance, &punch, 0).fragment, 5);
    graph->edge[6].to = 0; /* nothing leads to the punch at all */
    stance.shut[STRAIGHT] = true;
    assert_int_equal(tr_planner_next(graph, stand, &stance, &punch, 0).fragment, 0);
}

/* In the skill that it is to be in, far off its reference: out by the skill that tidies, and back. One
 * that only misses a limit stays: it would step aside after every stop. */
TEST(a_character_tidies_its_stance_and_comes_back) {
    const tr_control_graph *graph = straight_and_around();
    const tr_steering_target stand = {.skill = "stand"}, none = {0};
    const tr_graph_place at = {0, false}, hub = {1, false};
    tr_planner_stance stance = {.settled = true, .rests = true, .tidies = -1};
    stance.shut[STRAIGHT] = true;
    assert_int_equal(tr_planner_next(graph, at, &stance, &stand, 0).fragment, 0);
    stance.tidies = 1;
    assert_int_equal(tr_planner_next(graph, at, &stance, &stand, 0).fragment, 0);
    stance.strays = true;
    assert_int_equal(tr_planner_next(graph, at, &stance, &stand, 0).fragment, 3);
    assert_int_equal(tr_planner_next(graph, at, &stance, &none, 0).fragment, 0);
    stance.settled = false;
    assert_int_equal(tr_planner_next(graph, at, &stance, &stand, 0).fragment, 0);
    assert_int_equal(tr_planner_next(graph, hub, &settled, &stand, 0).fragment, 0);
}

/* It comes no nearer; where the reference moves, the next cycle may. */
TEST(a_character_that_stands_still_far_from_rest_may_leave) {
    const tr_model *model = *given;
    tr_control_graph *graph = with_side_steps();
    tr_state *end = &graph->bank.fragment[1].end, state;
    for (int moves = 0; moves <= 1; moves++)
        for (int sways = 0; sways <= 1; sways++) {
            *end = state = tr_reference_identity();
            state.pose.root_pos.z += 0.1; /* 0.45 off */
            end->root_vel.x = moves;
            state.root_vel.x = moves + (sways ? 0.03 : 0.001);
            assert_false(tr_planner_may_leave(graph, model, (tr_graph_place){1, false}, &state));
            assert_int_equal(
                tr_planner_look(graph, model, (tr_graph_place){1, false}, &state).settled,
                !sways && !moves);
        }
}

/* Swaying passes with time, so it needs no side step; and a skill that moves does not wait for it. */
TEST(a_swaying_character_does_not_begin_a_limited_transition) {
    const tr_model *model = *given;
    tr_control_graph *graph = with_side_steps();
    tr_state *end = &graph->bank.fragment[1].end, state;
    graph->edge[2].to = 7; /* stand leads to "left" and "flip" */
    graph->node[FLIP].settled = 0.1;
    for (int moves = 0; moves <= 1; moves++)
        for (int sways = 0; sways <= 1; sways++) {
            *end = tr_reference_identity();
            end->root_vel.x = moves;
            graph->bank.fragment[7].start = state = *end;
            state.root_vel.x += sways ? 0.03 : 0.001; /* 0.035 and 0.001 (tr_state_motion) */
            const tr_planner_stance stance =
                tr_planner_look(graph, model, (tr_graph_place){1, false}, &state);
            assert_true(stance.settled);
            assert_true(stance.shut[FLIP] == (sways && !moves));
            assert_int_equal(stance.tidies, -1);
        }
}

/* In a cyclic skill; a chain is left at its end, settled or not. */
TEST(an_unsettled_character_stays_in_its_skill) {
    tr_control_graph *graph = example();
    tr_steering_target target = {.skill = "run"};
    for (int f = 0; f < 7; f++) {
        tr_graph_place on = tr_planner_follow(graph, (tr_graph_place){f, true});
        tr_graph_place next =
            tr_planner_next(graph, (tr_graph_place){f, true}, &unsettled, &target, 0);
        assert_int_equal(next.fragment, on.fragment);
        assert_int_equal(next.mirrored, on.mirrored);
    }
    tr_graph_place next =
        tr_planner_next(graph, (tr_graph_place){9, false}, &unsettled, &target, 0);
    assert_int_equal(next.fragment, 2);
}

TEST(the_planner_knows_when_a_target_leads_elsewhere) {
    tr_control_graph *graph = example();
    tr_steering_target run = {.skill = "run"}, walk = {.skill = "walk"}, none = {.skill = ""};
    assert_true(tr_planner_leaves(graph, 0, &run, 0, NULL));
    assert_true(tr_planner_leaves(graph, 4, &run, 0, NULL));
    assert_false(tr_planner_leaves(graph, 4, &walk, 0, NULL));
    assert_false(tr_planner_leaves(graph, 4, &none, 0, NULL));
    assert_false(tr_planner_leaves(graph, 7, &run, 0, NULL)); /* a chain */
    graph->edge_count = 3;                                    /* nothing leads out of walk now */
    assert_false(tr_planner_leaves(graph, 4, &run, 0, NULL));
}

/* --- ways --- */

/* hub: 0, left: 1, right: 2, far: 3 and back; left and right lie between far and hub, and far has
 * edges to both. All cyclic, of one fragment each. */
static tr_control_graph *diamond(void) {
    static const tr_graph_edge edges[] = {{0, 1, false}, {0, 2, false}, {1, 0, false},
                                          {2, 3, false}, {3, 0, false}, {3, 1, false}};
    enum { COUNT = sizeof edges / sizeof *edges };
    static tr_graph_node nodes[4];
    static tr_graph_edge own[COUNT];
    static tr_fragment fragments[4];
    static tr_control_graph graph;
    static const char *const names[] = {"hub", "left", "right", "far"};
    memcpy(own, edges, sizeof edges);
    for (int n = 0; n < 4; n++) {
        nodes[n] = example_node(names[n], n, 1, true);
        fragments[n].steps = EXAMPLE_STEPS;
    }
    graph = (tr_control_graph){.bank = {.fragment = fragments},
                               .node_count = 4,
                               .edge_count = COUNT,
                               .node = nodes,
                               .edge = own};
    return &graph;
}

/* A way that is not longer is not left for another. */
TEST(of_two_shortest_ways_the_first_is_taken) {
    static const tr_graph_edge two_ways[] = {
        {0, 3, false}, {1, 3, false}, {2, 0, false}, {2, 1, false}};
    const tr_steering_target far = {.skill = "far"};
    tr_control_graph *graph = diamond();
    memcpy(graph->edge, two_ways, sizeof two_ways);
    graph->edge_count = 4;
    assert_int_equal(tr_planner_next(graph, (tr_graph_place){2, false}, &settled, &far, 0).fragment,
                     0);
}

TEST(after_a_turn_the_nearest_straight_skill_is_the_goal) {
    const tr_steering_target ahead = {.aim = TR_AIM_HEADING};
    tr_control_graph *graph = diamond();
    graph->node[1].turn_rad = 1.5;
    assert_int_equal(tr_planner_goal(graph, 1, &ahead, 0.1, NULL), 0);
    graph->node[0].turn_rad = -1.5;
    assert_int_equal(tr_planner_goal(graph, 1, &ahead, 0.1, NULL),
                     2); /* two edges off; far is three */
}

TEST(a_skill_is_left_for_the_first_node_too) {
    const tr_steering_target hub = {.skill = "hub"}, left = {.skill = "left"};
    tr_control_graph *graph = diamond();
    assert_true(tr_planner_leaves(graph, 1, &hub, 0, NULL));
    assert_false(tr_planner_leaves(graph, 1, &left, 0, NULL));
}

/* Every place, in either half, settled or not, and targets of every speed, turn and skill. */
static uint64_t hash_plans(const tr_control_graph *graph) {
    static const char *const skills[] = {"", "stand", "walk", "run", "flip", "none"};
    uint64_t hash = TR_HASH_START;
    for (int at = 0; at < 4 * FRAGMENTS; at++)
        for (int how = 0; how < 6 * 9 * 7; how++) {
            const tr_graph_place done = {at / 4, at % 2};
            const double turn_rad = 0.6 * (how / 6 % 9 - 4);
            tr_steering_target target = {.aim = turn_rad != 0 ? TR_AIM_HEADING : TR_AIM_NONE,
                                         .heading_rad = turn_rad,
                                         .speed_mps = 0.5 * (how / 54)};
            strcpy(target.skill, skills[how % 6]);
            const int node = tr_control_graph_node_of(graph, done.fragment);
            const tr_graph_place next =
                tr_planner_next(graph, done, at / 2 % 2 ? &settled : &unsettled, &target, turn_rad);
            const int found[] = {next.fragment, next.mirrored,
                                 tr_planner_goal(graph, node, &target, turn_rad, NULL),
                                 tr_planner_leaves(graph, done.fragment, &target, turn_rad, NULL)};
            hash = tr_hash_add(hash, found, sizeof found);
        }
    return hash;
}

TEST(plans_have_their_golden_bits) {
    tr_control_graph *graph = example();
    uint64_t hash = hash_plans(graph);
    graph->node[FLIP].turn_rad = 3;
    graph->node[FLIP].mirrored = true;
    graph->edge[2].flips = true;
    hash = tr_hash_add(hash, &(uint64_t){hash_plans(graph)}, sizeof hash);
    graph->node[WALK].turn_rad = 0.8;
    hash = tr_hash_add(hash, &(uint64_t){hash_plans(graph)}, sizeof hash);
    if (hash != 0x2f36dff781d607b7ULL)
        fail_msg("plans 0x%016llx", (unsigned long long)hash);
}

/* Of two rows the nearer one is taken, in the half in which its state is. A row of rest means to stay. */
TEST(a_pushed_character_does_as_the_nearest_row) {
    OWN(tr_controller) *controller = example_controller(*given), *copy = NULL;
    tr_control_graph *graph = tr_graph_of(controller);
    const uint64_t before = tr_controller_hash(controller, *given);
    tr_state state = tr_state_at_rest(*given, &(tr_pose){.root_rot = {1, 0, 0, 0}});
    tr_body_state bodies[TR_BODY_MAX];
    for (int i = 0; i < TR_BODY_MAX; i++)
        state.pose.joint[i] = (tr_quat){1, 0, 0, 0};
    tr_state_forward(*given, &state, bodies);
    tr_catch_row row[] = {{tr_features_of(*given, &state, bodies), 1, false},
                          {tr_features_of(*given, &state, bodies), 3, true}};
    row[1].state.s[7] += 1; /* pushed to the left */
    assert_int_equal(tr_catch_steps_set(graph, &(tr_catch_steps){0.3, 2, row}), TR_OK);
    assert_int_equal(tr_controller_copy(controller, *given, &copy), TR_OK);
    assert_true(tr_controller_hash(controller, *given) != before);
    assert_true(tr_controller_hash(controller, *given) == tr_controller_hash(copy, *given));
    const tr_graph_place next = {0, true};
    const double push_mps[] = {0.1, 0.9, -0.9};
    const tr_graph_place wanted[] = {next, {3, true}, {3, false}};
    for (int i = 0; i < 3; i++) {
        state.root_vel.y = push_mps[i];
        const tr_graph_place chosen = tr_catch_step_choose(graph, *given, &state, next);
        assert_int_equal(chosen.fragment, wanted[i].fragment);
        assert_int_equal(chosen.mirrored, wanted[i].mirrored);
    }
    const tr_steering_target walk = {.skill = "walk"}, nothing = {0};
    assert_false(tr_catch_step_lasts(graph, WALK, true, &walk, 0.5));
    assert_true(tr_catch_step_lasts(graph, WALK, true, &nothing, 0.1));
    assert_false(tr_catch_step_lasts(graph, WALK, false, &nothing, 0.5));
    assert_true(tr_catch_step_lasts(graph, STAND, false, &nothing, 0.5));
    assert_false(tr_catch_step_lasts(graph, STAND, true, &nothing, 0.1));
}

SUITE_FIXTURE(example_set_up, example_tear_down);
