#include "cmocka_test.h"

#include "control/scheduler/scheduler.h"
#include "control/stage/stage.h"
#include "unit/control/bits.h"
#include "unit/control/graph/example.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- checks --- */

TEST(a_sound_graph_is_accepted) {
    tr_controller *controller = example_controller(*given), *copy = NULL;
    tr_error error = {0};
    assert_int_equal(tr_controller_check(controller, *given, &error), TR_OK);
    assert_int_equal(tr_controller_copy(controller, *given, &copy), TR_OK);
    assert_true(tr_controller_hash(controller, *given) == tr_controller_hash(copy, *given));
    tr_graph_of(copy)->edge[0].flips = true;
    assert_true(tr_controller_hash(controller, *given) != tr_controller_hash(copy, *given));
    tr_controller_destroy(copy);
    tr_graph_of(controller)->node[RUN].steepest_rad = 0.02;
    assert_int_equal(tr_controller_copy(controller, *given, &copy), TR_OK);
    assert_true(tr_graph_of(copy)->node[RUN].steepest_rad == 0.02);
    tr_graph_of(copy)->node[RUN].steepest_rad = 0.03;
    assert_true(tr_controller_hash(controller, *given) != tr_controller_hash(copy, *given));
    /* The same number as the other limit. */
    tr_graph_of(copy)->node[RUN].settled = 0.02;
    tr_graph_of(copy)->node[RUN].steepest_rad = 0;
    assert_true(tr_controller_hash(controller, *given) != tr_controller_hash(copy, *given));
    tr_controller_destroy(copy);
    tr_controller_destroy(controller);
}

/* Memory beyond the last edge is not part of a graph. */
TEST(hash_ends_with_the_last_edge) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_control_graph *graph = tr_graph_of(controller);
    graph->edge_count--;
    uint64_t hash = tr_controller_hash(controller, *given);
    graph->edge[graph->edge_count].to = 3;
    assert_true(tr_controller_hash(controller, *given) == hash);
    graph->edge[graph->edge_count - 1].to = 3;
    assert_true(tr_controller_hash(controller, *given) != hash);
}

TEST(what_is_not_whole_is_named) {
    struct {
        int what;
        const char *told;
    } cases[] = {{0, "named twice"}, {1, "gain set"},  {2, "fragments from"}, {3, "no way out"},
                 {4, "in order"},    {5, "edge 0"},    {6, "expected nodes"}, {7, "mirrored where"},
                 {8, "turn_rad"},    {9, "steering:"}, {10, "steepest"},      {11, "named skill"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWN(tr_controller) *c = example_controller(*given);
        tr_control_graph *g = tr_graph_of(c);
        tr_error error = {0};
        switch (cases[i].what) {
        case 0:
            strcpy(g->node[RUN].skill, "walk");
            break;
        case 1:
            strcpy(g->node[RUN].gain_set, "none");
            break;
        case 2:
            g->node[WALK].first = 3;
            break;
        case 3:
            g->edge_count = 7;
            break;
        case 4:
            g->edge[2] = g->edge[1];
            break;
        case 5:
            g->edge[0].to = 10;
            break;
        case 6:
            g->node[FLIP].count = 2;
            g->edge[7].from = g->edge[8].from = 8;
            break;
        case 7:
            tr_controller_bank(c)->mirrored = false;
            break;
        case 8:
            g->node[FLIP].turn_rad = NAN;
            break;
        case 9:
            g->node[FLIP].steering.speed_mps = -1;
            break;
        case 10:
            g->node[FLIP].steepest_rad = NAN;
            break;
        default:
            g->node[FLIP].skill[0] = 0;
        }
        assert_int_equal(tr_controller_check(c, *given, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, cases[i].told));
    }
}

/* --- mirrored --- */

TEST(a_mirrored_graph_turns_the_other_way) {
    OWN(tr_controller) *controller = example_controller(*given), *image = NULL;
    tr_graph_of(controller)->node[FLIP].turn_rad = 0.75;
    assert_int_equal(tr_controller_mirror(controller, *given, &image), TR_OK);
    assert_near(tr_graph_of(image)->node[FLIP].turn_rad, -0.75, 0);
    assert_near(tr_graph_of(image)->node[STAND].turn_rad, 0, 0);
    assert_near(tr_graph_of(image)->node[RUN].steering.speed_mps, 2.7, 0);
    assert_int_equal(tr_graph_of(image)->edge[4].to, tr_graph_of(controller)->edge[4].to);
}

/* --- at work --- */

static tr_stage *stage_of_one(const tr_model *model, const tr_controller *controller,
                              tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world_def = tr_world_def_default();
    tr_physics_init();
    assert_int_equal(tr_stage_create(&world_def, &stage), TR_OK);
    tr_spawn_def def = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_spawn(stage, &def, out_id), TR_OK);
    return stage;
}

static void run_steps(tr_stage *stage, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

TEST(a_steering_target_leads_through_the_graph) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_entity_id id = 0;
    OWN(tr_stage) *stage = stage_of_one(*given, controller, &id);
    const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
    run_steps(stage, 45);
    assert_int_equal(puppet_playback(runner)->fragment, 0); /* round and round in stand */
    tr_steering_target walk = {.skill = "walk"}, run = {.skill = "run"},
                       unknown = {.skill = "swim"};
    assert_int_equal(tr_stage_set_target(stage, id, &unknown), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_target(stage, id, &walk), TR_OK);
    run_steps(stage, 16);
    assert_int_equal(puppet_playback(runner)->fragment,
                     2); /* the first fragment after the command */
    assert_false(puppet_playback(runner)->mirrored);
    assert_int_equal(tr_stage_set_target(stage, id, &run), TR_OK);
    run_steps(stage, 40);
    assert_int_equal(puppet_playback(runner)->fragment, 5);
    assert_true(puppet_playback(runner)->mirrored); /* the edge flips */
    run_steps(stage, 20);
    assert_int_equal(
        tr_control_graph_node_of(tr_graph_of(controller), puppet_playback(runner)->fragment), RUN);
    tr_driver_entry entry;
    controller->driver.kind->entry(controller->driver.content, puppet_playback(runner)->fragment,
                                   &entry);
    assert_string_equal(entry.gain_set, "b");
}

static tr_status ask(const tr_model *model, const tr_controller *controller, const char *word,
                     tr_error *error) {
    tr_entity_id id = 0;
    tr_intent intent = {.radius_m = 0};
    OWN(tr_stage) *stage = stage_of_one(model, controller, &id);
    strcpy(intent.wish.skill, word);
    tr_status status = tr_stage_steer(stage, id, &intent, error);
    if (!status)
        assert_string_equal(tr_stage_performer(stage, id)->intent.intent.wish.skill, "run");
    return status;
}

/* "fast" is a tag of the run. Of an unknown word the nearest names are reported. */
TEST(a_skill_is_asked_for_by_a_tag) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_error error = {0};
    char name[TR_NAME_MAX];
    assert_int_equal(ask(*given, controller, "fast", NULL), TR_OK);
    assert_true(tr_driver_find_skill(controller->driver, "gait", name));
    assert_string_equal(name, "walk");
    assert_true(tr_driver_find_skill(controller->driver, "run", name));
    assert_string_equal(name, "run");
    assert_false(tr_driver_find_skill(controller->driver, "gai", name));
    assert_int_equal(ask(*given, controller, "wolk", &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message,
                           "has no skill 'wolk' to ask for; the nearest are walk, run, stand; "));
}

/* By one degree. */
static void tilt_ground(tr_stage *stage) {
    const tr_scenery_def slope = {.size = {4, 4, 1},
                                  .pos = {0, 0, -0.995},
                                  .rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 180)};
    assert_int_equal(tr_world_add_scenery(tr_stage_world(stage), &slope, NULL), TR_OK);
}

/* The walk is for ground of at most 0.5 degrees: where the ground becomes steeper, the character rests,
 * and who asks again is refused. */
TEST(a_skill_is_not_performed_on_ground_too_steep_for_it) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_control_graph *graph = tr_graph_of(controller);
    tr_entity_id id = 0;
    tr_error error = {0};
    tr_intent intent = {.wish.skill = "walk"};
    graph->node[WALK].steepest_rad = 0.5 * TR_PI / 180;
    OWN(tr_stage) *stage = stage_of_one(*given, controller, &id);
    const tr_playback *playback = puppet_playback(&tr_stage_performer(stage, id)->runner);
    assert_int_equal(tr_stage_steer(stage, id, &intent, &error), TR_OK);
    run_steps(stage, 2 * EXAMPLE_STEPS);
    assert_int_equal(tr_control_graph_node_of(graph, playback->fragment), WALK);
    tilt_ground(stage);
    run_steps(stage, 3 * EXAMPLE_STEPS);
    assert_int_equal(tr_control_graph_node_of(graph, playback->fragment), STAND);
    assert_int_equal(tr_stage_steer(stage, id, &intent, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "skill 'walk': the ground slopes by 1.0 degrees here; "
                                          "expected at most 0.5"));
    /* From standing only the walk leads to the run. */
    strcpy(intent.wish.skill, "run");
    assert_int_equal(tr_stage_steer(stage, id, &intent, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "skill 'run': the ground slopes by 1.0 degrees here, and "
                                          "all ways to it pass skills that expect less"));
    graph->edge[0].to = 5;
    assert_int_equal(tr_stage_steer(stage, id, &intent, &error), TR_OK);
}

/* Returns the node that follows standing on a slope, for a character that is asked to walk. */
static int node_after_stand(const tr_model *model, const tr_controller *controller) {
    const tr_control_graph *graph = tr_graph_of(controller);
    tr_entity_id id = 0;
    const tr_intent intent = {.wish.skill = "walk"};
    OWN(tr_stage) *stage = stage_of_one(model, controller, &id);
    const tr_playback *playback = puppet_playback(&tr_stage_performer(stage, id)->runner);
    int node = STAND;
    tilt_ground(stage);
    run_steps(stage, 3);
    assert_int_equal(tr_stage_steer(stage, id, &intent, NULL), TR_OK);
    for (int n = 0; n < 3 * EXAMPLE_STEPS && node == STAND; n++) {
        run_steps(stage, 1);
        node = tr_control_graph_node_of(graph, playback->fragment);
    }
    return node;
}

/* The flip leads from standing to the walk, by a longer way than a jump; hero fell in jumps out of standing. */
TEST(on_a_slope_a_jump_is_taken_only_where_no_chain_leads) {
    OWN(tr_controller) *controller = example_controller(*given);
    assert_int_equal(node_after_stand(*given, controller), FLIP);
    tr_graph_of(controller)->edge[2] = (tr_graph_edge){1, 2, true};
    assert_int_equal(node_after_stand(*given, controller), WALK);
}

/* Its network may know another way than by the walk, which is too steep here. */
TEST(a_scheduler_is_not_judged_by_the_ways_of_its_graph) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_control_graph *graph = tr_graph_of(controller);
    const int entry[] = {0, 1, 2, 3, 4, 5}, request[] = {STAND, RUN};
    const tr_scheduler_def def = {.entry_count = 6,
                                  .entry = entry,
                                  .step_s = controller->step_s,
                                  .request_count = 2,
                                  .request = request};
    const tr_intent intent = {.wish.skill = "run"};
    tr_scheduler *scheduler = NULL;
    tr_entity_id id = 0;
    tr_error error = {0};
    graph->node[WALK].steepest_rad = 0.5 * TR_PI / 180;
    assert_int_equal(tr_scheduler_add(controller, &def, &scheduler, &error), TR_OK);
    OWN(tr_stage) *stage = stage_of_one(*given, controller, &id);
    tilt_ground(stage);
    run_steps(stage, 3);
    if (tr_stage_steer(stage, id, &intent, &error))
        fail_msg("%s", error.message);
    graph->node[RUN].steepest_rad = 0.5 * TR_PI / 180;
    assert_int_equal(tr_stage_steer(stage, id, &intent, &error), TR_FAILED_PRECONDITION);
}

/* The reference moves: one at rest is left from afar by a character that stands still. */
static void drop_reference(tr_controller *controller, double height) {
    for (int f = 0; f < tr_controller_bank(controller)->fragment_count; f++) {
        tr_state *end = &tr_controller_bank(controller)->fragment[f].end;
        end->pose.root_pos.z -= height;
        end->root_vel.x = 0.05;
    }
}

/* Far from the reference it stays in the skill and goes straight; near to it, it changes skills. */
TEST(an_unsettled_character_waits_and_goes_straight) {
    OWN(tr_controller) *controller = example_controller(*given);
    tr_entity_id id = 0;
    OWN(tr_stage) *stage = stage_of_one(*given, controller, &id);
    const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
    tr_steering_target aside = {.aim = TR_AIM_HEADING, .heading_rad = 1, .skill = "walk"},
                       run = aside;
    strcpy(run.skill, "run");
    assert_int_equal(tr_stage_set_target(stage, id, &aside), TR_OK);
    run_steps(stage, 100);
    assert_int_equal(
        tr_control_graph_node_of(tr_graph_of(controller), puppet_playback(runner)->fragment), WALK);
    assert_true(puppet_playback(runner)->input.turn > 0.2);
    drop_reference(controller, 0.1);
    assert_int_equal(tr_stage_set_target(stage, id, &run), TR_OK);
    run_steps(stage, 200);
    assert_int_equal(
        tr_control_graph_node_of(tr_graph_of(controller), puppet_playback(runner)->fragment), WALK);
    assert_true(puppet_playback(runner)->input.turn == 0);
    drop_reference(controller, -0.1);
    run_steps(stage, 100);
    assert_int_equal(
        tr_control_graph_node_of(tr_graph_of(controller), puppet_playback(runner)->fragment), RUN);
    assert_true(puppet_playback(runner)->input.turn > 0);
}

/* From walk to run leads a jump, and a longer way through the flip. Too far off to jump, it waits for
 * 60 fragments; a snapshot remembers for how long it has. */
TEST(a_character_waits_for_a_jump_but_not_for_ever) {
    enum { WAITS = 60 };
    static unsigned char bytes[1 << 17];
    OWN(tr_controller) *controller = example_controller(*given);
    tr_control_graph *graph = tr_graph_of(controller);
    tr_entity_id id = 0;
    size_t size = 0;
    graph->edge[5].to = 7; /* the end of walk to the flip */
    graph->edge[8].to = 5; /* and from there to run */
    graph->node[WALK].settled = 1;
    for (int f = graph->node[WALK].first; f < graph->node[RUN].first; f++)
        graph->bank.fragment[f].end.root_vel.x = 0.5;
    OWN(tr_stage) *stage = stage_of_one(*given, controller, &id);
    const tr_playback *playback = puppet_playback(&tr_stage_performer(stage, id)->runner);
    tr_steering_target target = {.skill = "walk"};
    assert_int_equal(tr_stage_set_target(stage, id, &target), TR_OK);
    run_steps(stage, 5 * EXAMPLE_STEPS);
    strcpy(target.skill, "run");
    assert_int_equal(tr_stage_set_target(stage, id, &target), TR_OK);
    run_steps(stage, (WAITS - 5) * EXAMPLE_STEPS);
    assert_int_equal(tr_control_graph_node_of(graph, playback->fragment), WALK);
    assert_int_equal(tr_stage_snapshot(stage, bytes, sizeof bytes, &size), TR_OK);
    for (int restored = 0; restored <= 1; restored++) {
        run_steps(stage, 10 * EXAMPLE_STEPS);
        assert_int_not_equal(tr_control_graph_node_of(graph, playback->fragment), WALK);
        assert_int_equal(tr_stage_restore(stage, bytes, size, NULL), TR_OK);
        playback = puppet_playback(&tr_stage_performer(stage, id)->runner);
    }
}

/* A snapshot between the end of a fragment and the choice of the next. */
TEST(a_snapshot_remembers_the_choice) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_entity_id id = 0;
    static unsigned char bytes[1 << 17];
    size_t size = 0;
    OWN(tr_stage) *stage = stage_of_one(model, controller, &id);
    run_steps(stage, 20);
    assert_non_null(puppet_doing(stage, id).reached);
    assert_int_equal(tr_stage_snapshot(stage, bytes, sizeof bytes, &size), TR_OK);
    uint64_t hash = tr_stage_hash(stage);
    tr_steering_target target = {.skill = "walk"};
    assert_int_equal(tr_stage_set_target(stage, id, &target), TR_OK);
    run_steps(stage, 150);
    uint64_t straight = tr_stage_hash(stage);
    assert_int_equal(tr_stage_restore(stage, bytes, size, NULL), TR_OK);
    assert_true(tr_stage_hash(stage) == hash);
    assert_int_equal(tr_stage_set_target(stage, id, &target), TR_OK);
    run_steps(stage, 150);
    assert_true(tr_stage_hash(stage) == straight);
}

TEST(a_graph_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_control_graph *graph = tr_graph_of(controller);
    puppet_vary(model, &graph->bank, 33);
    graph->node[WALK].steering = puppet_steering(&graph->bank, 22);
    graph->node[RUN].steering = puppet_steering(&graph->bank, 23);
    graph->node[RUN].steering.speed_mps = 2.7;
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x13cc18eec1761a28ULL,
                              .motion = 0x398ae7c68253a94bULL,
                              .refusals = 0xae37d93d348b0092ULL});
}

TEST(bounds_of_a_graph_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = example_controller(model);
    tr_control_graph *graph = tr_graph_of(controller);
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {BITS_REAL(graph->node[FLIP].turn_rad),
                                   BITS_REAL(graph->node[WALK].steering.speed_mps),
                                   BITS_REAL(graph->node[RUN].steering.faster_mps),
                                   BITS_INT(graph->node[STAND].first, -1, 11),
                                   BITS_INT(graph->node[WALK].first, -1, 11),
                                   BITS_INT(graph->node[FLIP].count, -1, 11),
                                   BITS_INT(graph->node[RUN].count, -1, 11),
                                   BITS_INT(graph->edge[0].from, -2, 11),
                                   BITS_INT(graph->edge[0].to, -2, 11),
                                   BITS_INT(graph->edge[4].to, -2, 11),
                                   BITS_INT(graph->edge[EDGES - 1].from, -2, 11),
                                   BITS_INT(graph->edge[EDGES - 1].to, -2, 11),
                                   BITS_INT(graph->node_count, 0, NODES),
                                   BITS_INT(graph->edge_count, -1, EDGES)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0x64da5959dafdb1c5ULL);
}

/* One cyclic skill, from each fragment to each. */
TEST(the_largest_graph_is_kept) {
    const tr_model *model = *given;
    const int side = 64;
    assert_int_equal(side * side, TR_GRAPH_EDGE_MAX);
    OWN(tr_controller) *controller =
        puppet_graph(model, (tr_graph_size){side, 1, 1, TR_GRAPH_EDGE_MAX});
    tr_control_graph *graph = tr_graph_of(controller);
    OWN(tr_controller) *copy = NULL;
    graph->node[0] = example_node("walk", 0, side, true);
    for (int e = 0; e < TR_GRAPH_EDGE_MAX; e++)
        graph->edge[e] = (tr_graph_edge){e / side, e % side, false};
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_graph_of(copy)->edge_count, TR_GRAPH_EDGE_MAX);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(controller, model));
}

/* As many skills as there may be, each of one fragment. */
TEST(the_graph_of_most_skills_is_kept_and_described) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller =
        puppet_graph(model, (tr_graph_size){TR_GRAPH_NODE_MAX, 1, TR_GRAPH_NODE_MAX, 0});
    tr_control_graph *graph = tr_graph_of(controller);
    OWN(tr_controller) *copy = NULL;
    char skill[TR_NAME_MAX];
    for (int n = 0; n < TR_GRAPH_NODE_MAX; n++) {
        snprintf(skill, sizeof skill, "skill-%d", n);
        graph->node[n] = example_node(skill, n, 1, true);
    }
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_graph_of(copy)->node_count, TR_GRAPH_NODE_MAX);
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(copy->driver, copy->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.skill_count, TR_GRAPH_NODE_MAX);
    tr_driver_sheet_deinit(&sheet);
}

SUITE_FIXTURE(example_set_up, example_tear_down);
