#include "cmocka_test.h"

#include "learn/schedule/environment.h"
#include "learn/schedule/request_trial.h"
#include "learn/schedule/schedule_training.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <string.h>

enum {
    STEPS = 20,
    MANY_STEPS = TR_FRAGMENT_STEPS_MAX,
    TRIALS = 3,
    REQUESTS = 4,
    COUNT = TRIALS * REQUESTS
};

/* Stands in both of two skills, three fragments each. */
static tr_controller *parted_stander(const tr_model *model, int steps, int edges) {
    tr_controller *controller = puppet_graph(model, (tr_graph_size){6, steps, 2, edges});
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[0] = (tr_graph_node){.skill = "here", .gain_set = "a", .count = 3, .cyclic = true};
    graph->node[1] =
        (tr_graph_node){.skill = "there", .gain_set = "a", .first = 3, .count = 3, .cyclic = true};
    return controller;
}

/* Edges lead from either skill to the other. */
static tr_controller *stander(const tr_model *model) {
    tr_controller *controller = parted_stander(model, STEPS, 2);
    tr_control_graph *graph = tr_graph_of(controller);
    graph->edge[0] = (tr_graph_edge){2, 3, false};
    graph->edge[1] = (tr_graph_edge){5, 0, false};
    tr_error error = {0};
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_request_trials test_of(double within_s) {
    tr_request_trials test = tr_request_trials_default();
    test.trials = TRIALS;
    test.requests = REQUESTS;
    test.skill_count = 2;
    test.skill[1] = 1;
    test.settle_s = 0.5;
    test.within_s = within_s;
    test.seed = 3;
    return test;
}

static tr_status run(const tr_model *model, const tr_controller *controller, int threads,
                     const tr_request_trials *test, tr_skill_request *out) {
    OWN(tr_ensemble) *ensemble = NULL;
    assert_int_equal(tr_ensemble_create_for(model, controller, threads, &ensemble, NULL), TR_OK);
    tr_status status = tr_request_trials_run(ensemble, controller, test, out);
    return status;
}

TEST(a_skill_is_begun_and_performed_for_a_second) {
    OWN(tr_controller) *controller = stander(*given);
    tr_skill_request request[COUNT], again[COUNT];
    tr_request_tally all, there, left, none;
    const tr_request_trials test = test_of(5);
    assert_int_equal(run(*given, controller, 1, &test, request), TR_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(request[i].skill, (i % REQUESTS + 1) % 2); /* the other one each time */
        assert_true(request[i].asked && request[i].begun && request[i].performed);
        assert_true(!request[i].fell && request[i].begun_s < 1);
        assert_true(request[i].performed_s >= request[i].begun_s + 0.9);
    }
    assert_int_equal(tr_request_count(request, COUNT, (tr_request_choice){-1, -1}, &all), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, (tr_request_choice){1, -1}, &there), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, (tr_request_choice){-1, 0}, &left), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, (tr_request_choice){0, 0}, &none), TR_OK);
    assert_true(all.planned == COUNT && all.performed == COUNT && there.planned == COUNT / 2);
    assert_true(left.planned == COUNT / 2 && none.planned == 0); /* never the same again */
    assert_true(left.begun_median_s == there.begun_median_s);
    assert_int_equal(run(*given, controller, 3, &test, again), TR_OK);
    assert_memory_equal(again, request, sizeof again);
}

/* No edge leads to the other skill, so that requests come while the skill asked for is in progress. */
TEST(the_entry_in_progress_does_not_count) {
    OWN(tr_controller) *controller = parted_stander(*given, MANY_STEPS, 0);
    tr_skill_request request[COUNT];
    const tr_request_trials test = test_of(5);
    assert_int_equal(run(*given, controller, 1, &test, request), TR_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_true(request[i].performed == (request[i].skill == 0));
        if (request[i].performed)
            assert_true(request[i].performed_s > (3 * MANY_STEPS - 1.5) * controller->step_s);
    }
}

TEST(a_request_without_the_time_for_it_is_not_performed) {
    OWN(tr_controller) *controller = stander(*given);
    tr_skill_request request[COUNT];
    tr_request_tally all;
    tr_request_trials test = test_of(0.5);
    test.pause_s = 0;
    assert_int_equal(run(*given, controller, 2, &test, request), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, (tr_request_choice){-1, -1}, &all), TR_OK);
    assert_true(all.asked == COUNT && all.performed == 0 && all.fell == 0);
}

TEST(a_fall_ends_the_trial) {
    OWN(tr_controller) *controller = stander(*given);
    tr_skill_request request[COUNT];
    tr_request_tally all;
    controller->spawn.root_vel.x = 4; /* m/s: no character stays up at this speed */
    tr_request_trials test = test_of(5);
    test.settle_s = test.pause_s = 0; /* the fall comes after the first request */
    assert_int_equal(run(*given, controller, 1, &test, request), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, (tr_request_choice){-1, -1}, &all), TR_OK);
    assert_true(all.planned == COUNT && all.performed == 0 && all.rose == 0);
    assert_true(all.asked > 0 && all.asked <= TRIALS && all.fell == all.asked);
}

TEST(a_skill_that_does_not_exist_is_refused) {
    OWN(tr_controller) *controller = stander(*given);
    tr_skill_request request[COUNT];
    tr_request_trials test = test_of(1);
    test.skill[1] = 2;
    assert_int_equal(run(*given, controller, 1, &test, request), TR_INVALID_ARGUMENT);
    test.skill_count = 1;
    assert_int_equal(run(*given, controller, 1, &test, request), TR_INVALID_ARGUMENT);
}

/* --- training with requests --- */

static tr_schedule_settings short_task(void) {
    tr_schedule_settings s = DEFAULTS(tr_schedule_settings, tr_schedule_settings_table);
    s.asks = 1;
    s.ways = 0;
    strcpy(s.favoured, "there");
    s.ask_every_low_s = 0.3;
    s.ask_every_high_s = 0.6;
    s.transitions = s.test_every = 300;
    s.push_low_n = s.push_high_n = 0;
    s.test_trials = s.test_requests = 2;
    s.hidden_units = 16;
    s.batch = 10;
    return s;
}

static const tr_schedule_amounts few = {.environments = 2,
                                        .episode = 30,
                                        .back = 20,
                                        .scaling_decisions = 50,
                                        .warm = 30,
                                        .replay = 1000};

TEST(a_training_with_requests_lists_the_skills_and_counts_them) {
    OWN(tr_controller) *controller = stander(*given);
    const tr_schedule_training_def def = {*given, controller, short_task(), 1, &few};
    OWN(tr_schedule_training) *training = NULL;
    tr_error error = {0};
    if (tr_schedule_training_create(&def, &training, &error) ||
        tr_schedule_training_advance(training, &error))
        fail_msg("%s", error.message);
    const tr_schedule_row *row = training->progress.row;
    assert_int_equal(row[0].requests.planned, 4);
    assert_true(row[0].undisturbed.trials == 0 && row[0].score >= 0);
    const tr_scheduler *scheduler = tr_scheduler_of(tr_schedule_training_best(training));
    assert_true(scheduler->request_count == 2 && scheduler->request[0] == 1); /* favoured first */
}

/* A training's controller, and an environment of it. */
typedef struct scene {
    tr_schedule_training *training;
    tr_environment *environment;
    tr_schedule_settings settings;
    tr_schedule_amounts amounts;
} scene;

static void open_scene(const tr_model *model, const tr_controller *controller, scene *out) {
    const tr_schedule_training_def def = {model, controller, out->settings, 1, &out->amounts};
    assert_int_equal(tr_schedule_training_create(&def, &out->training, NULL), TR_OK);
    const tr_controller *best = tr_schedule_training_best(out->training);
    const tr_environment_def env = {model, best, &out->settings, &out->amounts};
    assert_int_equal(tr_environment_create(&env, &out->environment, NULL), TR_OK);
}

static void close_scene(scene *s) {
    tr_environment_destroy(s->environment);
    tr_schedule_training_destroy(s->training);
}

static tr_transition decide(tr_environment *environment, const tr_exploration *exploration) {
    tr_transition transition;
    bool kept;
    assert_int_equal(tr_environment_step(environment, exploration, &transition, &kept), TR_OK);
    assert_true(kept);
    return transition;
}

TEST(planned_decisions_lead_to_the_requested_skill) {
    static const tr_exploration in_sequence = {.order_share = 1};
    OWN(tr_controller) *controller = stander(*given);
    OWN_BY(close_scene) scene s = {.settings = short_task(), .amounts = few};
    s.settings.ways = s.settings.planned = s.settings.bounded = 1;
    s.settings.ask_every_low_s = s.settings.ask_every_high_s = 100;
    open_scene(*given, controller, &s);
    tr_environment *environment = s.environment;
    bool asked[2] = {false, false};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        assert_int_equal(tr_environment_begin(environment, tr_random_seed(seed)), TR_OK);
        int request = environment->scheduler->request[environment->request];
        for (int i = 0; i < 12; i++)
            assert_false(decide(environment, &in_sequence).fails);
        int entry = tr_scheduler_state_of(&environment->trial.runner)->entry;
        assert_int_equal(environment->scheduler->sheet.entry[entry].skill, request);
        asked[request] = true;
    }
    assert_true(asked[0] && asked[1]);
}

/* Of 200 random decisions while `there` is asked for, those that begin an entry of it. */
static int random_decisions_there(const tr_model *model, const tr_controller *controller,
                                  double asked_share, int near_draws) {
    static const tr_exploration random = {.random_share = 1};
    OWN_BY(close_scene) scene s = {.settings = short_task(), .amounts = few};
    int there = 0;
    s.settings.asked_share = asked_share;
    s.settings.near_draws = near_draws;
    s.settings.ask_every_low_s = s.settings.ask_every_high_s = 100;
    s.amounts.episode = 1000;
    open_scene(model, controller, &s);
    for (uint64_t seed = 1; s.environment->request != 0; seed++) /* the favoured one */
        assert_int_equal(tr_environment_begin(s.environment, tr_random_seed(seed)), TR_OK);
    for (int i = 0; i < 200; i++)
        there += decide(s.environment, &random).action % 6 >= 3;
    return there;
}

TEST(random_decisions_can_keep_to_the_request_and_to_what_is_near) {
    OWN(tr_controller) *controller = stander(*given);
    int even = random_decisions_there(*given, controller, 0, 1);
    assert_in_range(even, 70, 130);
    assert_int_equal(random_decisions_there(*given, controller, 1, 1), 200);
    tr_bank *bank = &tr_graph_of(controller)->bank;
    for (int i = 3; i < 6; i++) /* 0.3 m/s is far from standing still */
        bank->fragment[i].start.root_vel.x = 0.3;
    assert_true(3 * random_decisions_there(*given, controller, 0, 10) < even);
}

TEST(skills_that_do_not_fit_are_named) {
    OWN(tr_controller) *controller = stander(*given);
    for (int what = 0; what < 2; what++) {
        static const char *const skills[] = {"here,nowhere", "here"};
        static const char *const named[] = {"skill 'nowhere'", "fewer than two"};
        tr_schedule_training_def def = {*given, controller, short_task(), 1, &few};
        tr_schedule_training *training = NULL;
        tr_error error = {0};
        strcpy(def.settings.skills, skills[what]);
        strcpy(def.settings.favoured, "here");
        assert_int_equal(tr_schedule_training_create(&def, &training, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
    }
}

SUITE_FIXTURE(puppet_load, puppet_unload);
