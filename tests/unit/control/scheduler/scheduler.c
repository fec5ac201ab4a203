#include "cmocka_test.h"

#include "control/scheduler/scheduler.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAGMENTS = 4, STEPS = 20, HIDDEN = 8 };

static const int all[] = {0, 1, 2, 3}, some[] = {1, 3}, hidden[] = {HIDDEN};

/* A swaying chain of four fragments, some of which a network of random weights chooses between. */
static tr_controller *scheduled(const tr_model *model, const int *entry, int count) {
    tr_controller *controller = puppet_sway(model, FRAGMENTS, STEPS, 1);
    tr_controller_bank(controller)->mirrored = true;
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def def = {.entry_count = count,
                                  .hidden_count = 1,
                                  .entry = entry,
                                  .hidden = hidden,
                                  .step_s = controller->step_s};
    tr_error error = {0};
    assert_int_equal(tr_scheduler_add(controller, &def, &scheduler, &error), TR_OK);
    tr_random random = tr_random_seed(7);
    size_t weights = tr_network_weight_count(&scheduler->network);
    for (size_t i = 0; i < weights; i++)
        scheduler->network.weight[i] = (float)tr_random_normal(&random);
    assert_int_equal(tr_controller_check(controller, model, &error), TR_OK);
    return controller;
}

/* Makes action `action` that of the largest value, whatever the state. */
static void prefer(const tr_controller *controller, int action) {
    tr_network *network = &tr_scheduler_of(controller)->network;
    size_t weights = tr_network_weight_count(network);
    memset(network->weight, 0, weights * sizeof *network->weight);
    network->weight[weights - (size_t)network->width[network->layers] + (size_t)action] = 1;
}

/* --- content --- */

TEST(the_last_entry_of_the_longest_chain_is_loaded_again) {
    const tr_model *model = *given;
    const int last = TR_DRIVER_ENTRY_MAX - 1;
    OWN(tr_controller) *controller = puppet_sway(model, TR_DRIVER_ENTRY_MAX, 1, 1), *copy = NULL;
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def def = {.entry_count = 1,
                                  .hidden_count = 1,
                                  .entry = &last,
                                  .hidden = hidden,
                                  .step_s = controller->step_s};
    assert_int_equal(tr_scheduler_add(controller, &def, &scheduler, NULL), TR_OK);
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_scheduler_of(copy)->entry[0], last);
}

TEST(a_section_of_another_kind_is_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    tr_driver_setting setting = tr_controller_setting(controller, model);
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    assert_int_equal(tr_scheduler_kind.save(controller->driver.content, &sections, NULL), TR_OK);
    tr_section *section = &sections.section[0];
    memcpy(section->bytes + sizeof(int64_t), "robot", 5); /* the kind's name was "chain" */
    void *content = NULL;
    tr_error error = {0};
    assert_int_equal(tr_scheduler_kind.load(&sections, &setting, &content, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "robot"));
}

TEST(what_is_not_whole_is_named) {
    const tr_model *model = *given;
    for (int what = 0; what < 5; what++) {
        static const char *const named[] = {"ascending", "inputs", "not finite", "feature 4",
                                            "entries"};
        OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
        tr_scheduler *scheduler = tr_scheduler_of(controller);
        tr_error error = {0};
        if (what == 0)
            scheduler->entry[2] = 1;
        else if (what == 1)
            scheduler->network.width[0]++;
        else if (what == 2)
            scheduler->network.weight[3] = NAN;
        else if (what == 3)
            scheduler->spread[4] = 0;
        else
            scheduler->entry_count = 0;
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
    }
}

TEST(a_driver_that_holds_another_is_not_scheduled) {
    OWN(tr_controller) *controller = scheduled(*given, all, FRAGMENTS);
    tr_scheduler *again = NULL;
    const tr_scheduler_def def = {.entry_count = FRAGMENTS,
                                  .hidden_count = 1,
                                  .entry = all,
                                  .hidden = hidden,
                                  .step_s = controller->step_s};
    tr_error error = {0};
    assert_int_equal(tr_scheduler_add(controller, &def, &again, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "scheduler"));
}

/* --- what may come next --- */

TEST(the_next_fragment_is_in_sequence_and_the_first_one_after_the_last) {
    OWN(tr_controller) *controller = scheduled(*given, all, FRAGMENTS);
    const tr_scheduler *scheduler = tr_scheduler_of(controller);
    int action[TR_SCHEDULER_ACTION_MAX];
    tr_scheduler_state state = {.entry = 1, .mirrored = true};
    assert_int_equal(tr_scheduler_sequence(scheduler, &state, action), 1);
    assert_int_equal(action[0], 2);
    tr_scheduler_place place = tr_scheduler_place_of(scheduler, &state, action[0]);
    assert_true(place.entry == 2 && place.mirrored);
    state.entry = 3;
    assert_int_equal(tr_scheduler_sequence(scheduler, &state, action), 1);
    place = tr_scheduler_place_of(scheduler, &state, action[0]);
    assert_true(place.entry == 0 && !place.mirrored); /* a mirrored skill flips */
}

TEST(edges_of_a_graph_are_in_sequence) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_graph(model, (tr_graph_size){4, STEPS, 2, 2});
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[0] = (tr_graph_node){.skill = "walk", .gain_set = "a", .count = 2, .cyclic = true};
    graph->node[1] =
        (tr_graph_node){.skill = "run", .gain_set = "a", .first = 2, .count = 2, .cyclic = true};
    graph->edge[0] = (tr_graph_edge){0, 2, true};
    graph->edge[1] = (tr_graph_edge){0, 3, false};
    graph->bank.mirrored = true;
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def def = {.entry_count = 2,
                                  .hidden_count = 0,
                                  .entry = some,
                                  .hidden = NULL,
                                  .step_s = controller->step_s};
    assert_int_equal(tr_scheduler_add(controller, &def, &scheduler, NULL), TR_OK);
    int action[TR_SCHEDULER_ACTION_MAX];
    tr_scheduler_state state = {.entry = 0};
    /* Entries 1 and 3 are actions 0 and 1; entry 2, where an edge leads, is no action. */
    assert_int_equal(tr_scheduler_sequence(scheduler, &state, action), 2);
    assert_int_equal(action[0], 0);
    assert_int_equal(action[1], 1);
}

/* --- at work --- */

typedef struct scene {
    tr_world *world;
    tr_entity_id id;
    tr_runner runner;
} scene;

static scene begin(const tr_model *model, const tr_controller *controller, int entry) {
    tr_world_def def = tr_world_def_default();
    scene s = {0};
    def.step_s = controller->step_s;
    assert_int_equal(tr_world_create(&def, &s.world), TR_OK);
    assert_int_equal(tr_world_add_character(s.world, model, &controller->spawn, &s.id), TR_OK);
    tr_runner_start(&s.runner, controller, entry, false);
    return s;
}

static tr_drive advance(scene *s, int steps) {
    tr_drive drive;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tr_runner_advance(&s->runner, s->world, s->id, &drive), TR_OK);
        assert_int_equal(tr_world_step(s->world), TR_OK);
    }
    return drive;
}

TEST(the_entry_of_the_largest_value_begins) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    prefer(controller, FRAGMENTS + 3); /* entry 3, other half */
    scene s = begin(model, controller, 1);
    tr_drive drive = advance(&s, STEPS);
    assert_true(drive.entry == 1 && !drive.mirrored && drive.completes);
    assert_false(tr_scheduler_state_of(&s.runner)->decision.made);
    drive = advance(&s, 1);
    assert_true(drive.entry == 3 && drive.mirrored);
    const tr_scheduler_decision *decision = &tr_scheduler_state_of(&s.runner)->decision;
    assert_true(decision->made && decision->out_of_sequence);
    assert_int_equal(decision->action[0], FRAGMENTS + 3);
    assert_true(decision->value[0] == 1 && decision->value[1] == 0);
    drive = advance(&s, STEPS);
    assert_true(drive.entry == 3 && !drive.mirrored); /* the other half again */
    tr_world_destroy(s.world);
}

TEST(what_was_weighed_is_seen_with_the_half_it_would_begin) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    prefer(controller, FRAGMENTS + 3);
    scene s = begin(model, controller, 1);
    tr_doing doing;
    tr_runner_look(&s.runner, &doing);
    assert_int_equal(doing.choice_count, 0);
    for (int half = 1; half >= 0; half--) { /* each decision changes the half */
        advance(&s, half ? STEPS + 7 : STEPS);
        tr_runner_look(&s.runner, &doing);
        assert_int_equal(doing.choice_count, TR_DRIVER_CHOICE_MAX);
        assert_true(doing.choice[0].entry == 3 && doing.choice[0].mirrored == half);
        assert_true(doing.choice[0].mirrored == doing.mirrored && doing.choice[0].value == 1);
        assert_true(doing.choice[1].entry == 0 && doing.choice[1].mirrored != half);
        assert_true(doing.out_of_sequence);
    }
    tr_world_destroy(s.world);
}

TEST(an_entry_in_sequence_is_reported_so) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    prefer(controller, 2);
    scene s = begin(model, controller, 1);
    advance(&s, STEPS + 1);
    assert_false(tr_scheduler_state_of(&s.runner)->decision.out_of_sequence);
    tr_world_destroy(s.world);
}

TEST(a_cue_runs_before_the_network_is_asked) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    prefer(controller, 2);
    scene s = begin(model, controller, 0);
    s.runner.cue = (tr_cue){true, 3, true};
    tr_drive drive = advance(&s, STEPS);
    assert_true(drive.entry == 3 && drive.mirrored && drive.completes);
    assert_int_equal(advance(&s, 1).entry, 2);
    tr_world_destroy(s.world);
}

TEST(a_state_that_does_not_fit_is_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, some, 2);
    scene s = begin(model, controller, 0);
    advance(&s, 3);
    for (int what = 0; what < 3; what++) {
        tr_runner changed = s.runner, restored = {.controller = controller};
        tr_scheduler_state *state = tr_scheduler_state_of(&changed);
        if (what == 0)
            state->entry = FRAGMENTS;
        else if (what == 1)
            state->decision.action[0] = 4; /* two entries, two halves */
        else
            state->decides = true; /* in the middle of an entry */
        unsigned char bytes[TR_DRIVER_STATE_MAX + 1024];
        tr_byte_writer writer = {.at = bytes};
        tr_runner_write(&changed, &writer);
        tr_byte_reader source = {bytes, writer.size, false};
        assert_false(tr_runner_read(&source, &restored));
    }
    tr_world_destroy(s.world);
}

TEST(the_mirror_image_decides_alike_on_the_mirrored_state) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS), *image = NULL;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    assert_int_equal(tr_controller_check(image, model, NULL), TR_OK);
    tr_random random = tr_random_seed(3);
    for (int i = 0; i < 10; i++) {
        tr_state state = puppet_state(model, &random, 0, 1), other = tr_state_mirror(model, &state);
        tr_body_state bodies[TR_BODY_MAX];
        float seen[TR_SCHEDULER_INPUT_MAX], mirrored[TR_SCHEDULER_INPUT_MAX];
        tr_scheduler_state at = {.entry = i % FRAGMENTS, .mirrored = i % 2};
        tr_state_forward(model, &state, bodies);
        tr_scheduler_view view = {.features = tr_features_of(model, &state, bodies), .request = -1};
        tr_scheduler_observe(tr_scheduler_of(controller), &at, &view, seen);
        tr_state_forward(model, &other, bodies);
        view.features = tr_features_of(model, &other, bodies);
        tr_scheduler_observe(tr_scheduler_of(image), &at, &view, mirrored);
        for (int k = 0; k < tr_scheduler_input_count(tr_scheduler_of(image)); k++)
            assert_near((double)seen[k], (double)mirrored[k], 1e-5);
    }
}

/* --- requests --- */

/* A graph of two skills of two fragments each, which are asked for by their names: run is request 0,
 * walk request 1. Without hidden layers: weights lead from inputs to actions. */
static tr_controller *with_requests(const tr_model *model) {
    static const int request[] = {1, 0};
    tr_controller *controller = puppet_graph(model, (tr_graph_size){4, STEPS, 2, 0});
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[0] = (tr_graph_node){.skill = "walk", .gain_set = "a", .count = 2, .cyclic = true};
    graph->node[1] =
        (tr_graph_node){.skill = "run", .gain_set = "a", .first = 2, .count = 2, .cyclic = true};
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def def = {.entry_count = 4,
                                  .entry = all,
                                  .step_s = controller->step_s,
                                  .request_count = 2,
                                  .request = request};
    tr_error error = {0};
    if (tr_scheduler_add(controller, &def, &scheduler, &error))
        fail_msg("%s", error.message);
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

static void ask(tr_runner *runner, const char *skill) {
    runner->target = (tr_steering_target){0};
    strcpy(runner->target.skill, skill);
}

TEST(the_skill_that_a_target_names_is_an_input) {
    enum { RUN = TR_FEATURE_COUNT + 4 }; /* after features and entries */
    const tr_model *model = *given;
    OWN(tr_controller) *controller = with_requests(model);
    tr_scheduler *scheduler = tr_scheduler_of(controller);
    assert_int_equal(tr_scheduler_input_count(scheduler), RUN + 2);
    scheduler->network.weight[RUN * 4 + 3] = 1;       /* run: entry 3 */
    scheduler->network.weight[(RUN + 1) * 4 + 1] = 1; /* walk: entry 1 */
    scene s = begin(model, controller, 0);
    ask(&s.runner, "walk");
    assert_int_equal(advance(&s, STEPS + 1).entry, 1);
    ask(&s.runner, "run");
    assert_int_equal(advance(&s, STEPS).entry, 3);
    ask(&s.runner, "walk");
    assert_int_equal(advance(&s, STEPS).entry, 1);
    s.runner.target = (tr_steering_target){0}; /* the first request */
    assert_int_equal(advance(&s, STEPS).entry, 3);
    tr_world_destroy(s.world);
}

TEST(only_requests_may_be_asked_for) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = with_requests(model);
    const tr_driver *driver = &controller->driver;
    tr_steering_target target = {.skill = "walk"};
    assert_true(tr_driver_follows(*driver, &target));
    strcpy(target.skill, "fly");
    assert_false(tr_driver_follows(*driver, &target));
    strcpy(target.skill, "walk");
    target.aim = TR_AIM_HEADING; /* the graph cannot turn */
    assert_false(tr_driver_follows(*driver, &target));
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(controller->driver, 0.005, &sheet), TR_OK);
    for (int i = 0; i < sheet.skill_count; i++)
        assert_true(sheet.skill[i].on_request);
    tr_driver_sheet_deinit(&sheet);
}

TEST(requests_are_loaded_again_and_hashed) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = with_requests(model), *copy = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_scheduler *scheduler = tr_scheduler_of(copy);
    assert_true(scheduler->request_count == 2 && scheduler->request[0] == 1);
    scheduler->request[0] = 0;
    scheduler->request[1] = 1;
    assert_int_not_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_error error = {0};
    scheduler->request[1] = 2; /* beyond the last skill */
    assert_int_equal(tr_controller_check(copy, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "skills below 2"));
    scheduler->request[1] = 0;
    assert_int_equal(tr_controller_check(copy, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "different skills"));
}

TEST(the_last_skill_of_the_largest_graph_is_a_request) {
    const tr_model *model = *given;
    const int last = TR_DRIVER_SKILL_MAX - 1;
    OWN(tr_controller) *controller = puppet_graph(model, (tr_graph_size){TR_DRIVER_SKILL_MAX, STEPS,
                                                                         TR_DRIVER_SKILL_MAX, 0}),
                       *copy = NULL;
    tr_control_graph *graph = tr_graph_of(controller);
    for (int i = 0; i < TR_DRIVER_SKILL_MAX; i++) {
        graph->node[i] = (tr_graph_node){.gain_set = "a", .first = i, .count = 1, .cyclic = true};
        snprintf(graph->node[i].skill, sizeof graph->node[i].skill, "skill-%d", i);
    }
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def def = {.entry_count = 1,
                                  .entry = all,
                                  .step_s = controller->step_s,
                                  .request_count = 1,
                                  .request = &last};
    tr_error error = {0};
    if (tr_scheduler_add(controller, &def, &scheduler, &error) ||
        tr_controller_copy(controller, model, &copy))
        fail_msg("%s", error.message);
    assert_int_equal(tr_scheduler_of(copy)->request[0], last);
}

/* --- seeing more --- */

/* A swaying chain without hidden layers: to the left of the motion entry 1 comes next, to the right
 * entry 3. */
static tr_controller *that_steers(const tr_model *model) {
    tr_controller *controller = puppet_sway(model, FRAGMENTS, STEPS, 1);
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def def = {
        .entry_count = FRAGMENTS, .entry = all, .step_s = controller->step_s, .steers = true};
    tr_error error = {0};
    if (tr_scheduler_add(controller, &def, &scheduler, &error))
        fail_msg("%s", error.message);
    scheduler->network.weight[TR_FEATURE_COUNT * FRAGMENTS + 1] = 1;
    scheduler->network.weight[TR_FEATURE_COUNT * FRAGMENTS + 3] = -1;
    return controller;
}

TEST(the_aim_of_a_target_is_an_input) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = that_steers(model);
    assert_int_equal(tr_scheduler_input_count(tr_scheduler_of(controller)),
                     TR_FEATURE_COUNT + TR_SCHEDULER_AIM_COUNT + FRAGMENTS);
    scene s = begin(model, controller, 0);
    s.runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = 1.5};
    assert_int_equal(advance(&s, STEPS + 1).entry, 1);
    s.runner.target.heading_rad = -1.5;
    assert_int_equal(advance(&s, STEPS).entry, 3);
    s.runner.target.aim = TR_AIM_NONE; /* no angle: all values are 0 */
    assert_int_equal(advance(&s, STEPS).entry, 0);
    tr_world_destroy(s.world);
}

TEST(a_scheduler_that_steers_takes_headings_and_is_loaded_again) {
    const tr_model *model = *given;
    tr_controller *controller = that_steers(model), *copy = NULL, *blind = NULL;
    const tr_driver *driver = &controller->driver;
    tr_steering_target target = {.aim = TR_AIM_HEADING};
    assert_true(tr_driver_follows(*driver, &target));
    target.speed_mps = 2; /* the chain cannot go faster */
    assert_false(tr_driver_follows(*driver, &target));
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    assert_true(tr_scheduler_of(copy)->steers && !tr_scheduler_of(copy)->sees_object);
    tr_controller_destroy(copy);
    blind = scheduled(model, all, FRAGMENTS);
    driver = &blind->driver;
    target.speed_mps = 0;
    assert_false(tr_driver_follows(*driver, &target));
    tr_controller_destroy(blind);
    tr_controller_destroy(controller);
}

TEST(an_object_is_seen_where_the_mirror_image_has_it) {
    tr_scheduler scheduler = {.entry_count = 1, .sees_object = true};
    const tr_scheduler_view view = {.object = {1, 2, 3, 4, 5, 6}, .request = -1};
    const tr_scheduler_state here = {0}, mirrored = {.mirrored = true};
    const float expected[][6] = {{1, 2, 3, 4, 5, 6}, {1, -2, 3, 4, -5, 6}};
    float seen[TR_SCHEDULER_INPUT_MAX];
    for (int i = 0; i < TR_SCHEDULER_SCALED_MAX; i++)
        scheduler.spread[i] = 1;
    assert_int_equal(tr_scheduler_input_count(&scheduler), TR_SCHEDULER_SCALED_MAX + 1);
    tr_scheduler_observe(&scheduler, &here, &view, seen);
    assert_memory_equal(seen + TR_FEATURE_COUNT, expected[0], sizeof expected[0]);
    tr_scheduler_observe(&scheduler, &mirrored, &view, seen);
    assert_memory_equal(seen + TR_FEATURE_COUNT, expected[1], sizeof expected[1]);
}

/* Every component of velocity and place decides: entry 1 if it is positive, entry 3 if negative. */
TEST(velocity_and_place_of_an_object_are_inputs) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, FRAGMENTS, STEPS, 1);
    tr_scheduler *scheduler = NULL;
    tr_rig rig = {.object_count = 1};
    rig.object[0] = (tr_rig_object){.def = {.name = "ball", .geom_count = 1, .mass = 1},
                                    .state = {.pos = {0, 0, 9}, .rot = {1, 0, 0, 0}}};
    rig.object[0].def.geom[0] =
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 1};
    assert_int_equal(tr_controller_set_rig(controller, &rig), TR_OK);
    const tr_scheduler_def def = {
        .entry_count = FRAGMENTS, .entry = all, .step_s = controller->step_s, .sees_object = true};
    assert_int_equal(tr_scheduler_add(controller, &def, &scheduler, NULL), TR_OK);
    for (int k = 0; k < 6; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            memset(scheduler->network.weight, 0,
                   tr_network_weight_count(&scheduler->network) * sizeof(float));
            scheduler->network.weight[(TR_FEATURE_COUNT + k) * FRAGMENTS + 1] = 1;
            scheduler->network.weight[(TR_FEATURE_COUNT + k) * FRAGMENTS + 3] = -1;
            scene s = begin(model, controller, 0);
            const tr_rig_place here = {0};
            tr_state at;
            assert_int_equal(tr_rig_spawn(&rig, s.world, s.id, &here, &s.runner.rig), TR_OK);
            (void)advance(&s, STEPS);
            assert_int_equal(tr_world_get_state(s.world, s.id, &at), TR_OK);
            tr_object_state ball = {.pos = at.pose.root_pos, .rot = {1, 0, 0, 0}};
            double *const component[] = {&ball.vel.x, &ball.vel.y, &ball.vel.z,
                                         &ball.pos.x, &ball.pos.y, &ball.pos.z};
            *component[k] += 5 * sign;
            assert_int_equal(tr_world_set_object(s.world, s.runner.rig.object[0], &ball), TR_OK);
            assert_int_equal(advance(&s, 1).entry, sign > 0 ? 1 : 3);
            tr_world_destroy(s.world);
        }
}

TEST(an_object_is_seen_only_with_a_rig) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    tr_error error = {0};
    tr_scheduler_of(controller)->sees_object = true;
    assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "no rig"));
}

TEST(an_entry_that_is_not_listed_is_followed_by_the_next_of_its_skill) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, some, 2); /* 1 and 3 of four */
    prefer(controller, 0);
    scene s = begin(model, controller, 2);
    assert_int_equal(advance(&s, STEPS + 1).entry, 3);
    assert_false(tr_scheduler_state_of(&s.runner)->decision.made);
    assert_int_equal(advance(&s, STEPS).entry, 1); /* the network decides again */
    assert_true(tr_scheduler_state_of(&s.runner)->decision.made);
    tr_world_destroy(s.world);
}

TEST(a_scheduler_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, all, FRAGMENTS);
    tr_scheduler *scheduler = tr_scheduler_of(controller);
    puppet_vary(model, tr_controller_bank(controller), 32);
    for (int i = 0; i < TR_FEATURE_COUNT; i++) {
        scheduler->mean[i] = 0.01 * i;
        scheduler->spread[i] = 1 + 0.02 * i;
    }
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0xfb4fa5f44ccb4c28ULL,
                              .motion = 0xc620b507da0dff05ULL,
                              .refusals = 0xee235861822e2ce0ULL});
}

TEST(bounds_of_a_scheduler_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = scheduled(model, some, 2);
    tr_scheduler *scheduler = tr_scheduler_of(controller);
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {BITS_REAL(scheduler->mean[TR_FEATURE_COUNT - 1]),
                                   BITS_REAL(scheduler->spread[TR_FEATURE_COUNT - 1]),
                                   BITS_INT(scheduler->entry[0], -2, FRAGMENTS + 1),
                                   BITS_INT(scheduler->entry[1], -2, FRAGMENTS + 1),
                                   BITS_INT(scheduler->entry_count, -1, 2),
                                   BITS_INT(scheduler->network.width[0], 0, 60),
                                   BITS_INT(scheduler->network.width[2], 0, 20)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0x99d5be9e266e1598ULL);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
