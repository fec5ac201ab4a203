#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/schedule/environment.h"
#include "learn/schedule/request_trial.h"
#include "learn/schedule/schedule_training.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <string.h>

enum { STEPS = 20, TRIALS = 3, REQUESTS = 4, COUNT = TRIALS * REQUESTS };

/* Stands in both of two skills, three fragments each. Edges lead from either to the other. */
static tr_controller *stander(const tr_model *model) {
    tr_controller *controller = puppet_graph(model, (tr_graph_size){6, STEPS, 2, 2});
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[0] = (tr_graph_node){.skill = "here", .gain_set = "a", .count = 3, .cyclic = true};
    graph->node[1] =
        (tr_graph_node){.skill = "there", .gain_set = "a", .first = 3, .count = 3, .cyclic = true};
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
    tr_ensemble *ensemble = NULL;
    assert_int_equal(tr_ensemble_create_for(model, controller, threads, &ensemble, NULL), TR_OK);
    tr_status status = tr_request_trials_run(ensemble, controller, test, out);
    tr_ensemble_destroy(ensemble);
    return status;
}

static void a_skill_is_begun_and_performed_for_a_second(void **fixture) {
    tr_controller *controller = stander(*fixture);
    tr_skill_request request[COUNT], again[COUNT];
    tr_request_tally all, there;
    const tr_request_trials test = test_of(5);
    assert_int_equal(run(*fixture, controller, 1, &test, request), TR_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(request[i].skill, (i % REQUESTS + 1) % 2); /* the other one each time */
        assert_true(request[i].asked && request[i].begun && request[i].performed);
        assert_true(!request[i].fell && request[i].begun_s < 1);
        assert_true(request[i].performed_s >= request[i].begun_s + 0.9);
    }
    assert_int_equal(tr_request_count(request, COUNT, -1, &all), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, 1, &there), TR_OK);
    assert_true(all.planned == COUNT && all.performed == COUNT && there.planned == COUNT / 2);
    assert_int_equal(run(*fixture, controller, 3, &test, again), TR_OK);
    assert_memory_equal(again, request, sizeof again);
    tr_controller_destroy(controller);
}

static void a_request_without_the_time_for_it_is_not_performed(void **fixture) {
    tr_controller *controller = stander(*fixture);
    tr_skill_request request[COUNT];
    tr_request_tally all;
    tr_request_trials test = test_of(0.5);
    test.pause_s = 0;
    assert_int_equal(run(*fixture, controller, 2, &test, request), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, -1, &all), TR_OK);
    assert_true(all.asked == COUNT && all.performed == 0 && all.fell == 0);
    tr_controller_destroy(controller);
}

static void a_fall_ends_the_trial(void **fixture) {
    tr_controller *controller = stander(*fixture);
    tr_skill_request request[COUNT];
    tr_request_tally all;
    controller->spawn.root_vel.x = 4; /* m/s: nobody stands on with that */
    tr_request_trials test = test_of(5);
    test.settle_s = test.pause_s = 0; /* the fall comes after the first request */
    assert_int_equal(run(*fixture, controller, 1, &test, request), TR_OK);
    assert_int_equal(tr_request_count(request, COUNT, -1, &all), TR_OK);
    assert_true(all.planned == COUNT && all.performed == 0 && all.rose == 0);
    assert_true(all.asked > 0 && all.asked <= TRIALS && all.fell == all.asked);
    tr_controller_destroy(controller);
}

static void a_skill_that_does_not_exist_is_refused(void **fixture) {
    tr_controller *controller = stander(*fixture);
    tr_skill_request request[COUNT];
    tr_request_trials test = test_of(1);
    test.skill[1] = 2;
    assert_int_equal(run(*fixture, controller, 1, &test, request), TR_INVALID_ARGUMENT);
    test.skill_count = 1;
    assert_int_equal(run(*fixture, controller, 1, &test, request), TR_INVALID_ARGUMENT);
    tr_controller_destroy(controller);
}

/* --- training with requests --- */

static tr_schedule_settings short_task(void) {
    tr_schedule_settings s = tr_schedule_settings_default();
    s.asks = 1;
    s.ways = 0;
    strcpy(s.favoured, "there");
    s.ask_every_low_s = 0.3;
    s.ask_every_high_s = 0.6;
    s.transitions = s.test_every = 300;
    s.push_low_n = s.push_high_n = 0;
    s.test_trials = s.test_requests = 2;
    s.scaling_decisions = 50;
    s.environments = 2;
    s.hidden_units = 16;
    s.warm = 30;
    s.batch = 10;
    s.episode = 30;
    return s;
}

static void a_training_with_requests_lists_the_skills_and_counts_them(void **fixture) {
    tr_controller *controller = stander(*fixture);
    const tr_schedule_training_def def = {*fixture, controller, short_task(), 1};
    tr_schedule_training *training = NULL;
    tr_error error = {0};
    int rows = 0;
    if (tr_schedule_training_create(&def, &training, &error) ||
        tr_schedule_training_advance(training, &error))
        fail_msg("%s", error.message);
    const tr_schedule_row *row = tr_schedule_training_rows(training, &rows);
    assert_int_equal(row[0].requests.planned, 4);
    assert_true(row[0].undisturbed.trials == 0 && row[0].score >= 0);
    const tr_scheduler *scheduler = tr_scheduler_of(tr_schedule_training_best(training));
    assert_true(scheduler->request_count == 2 && scheduler->request[0] == 1); /* favoured first */
    tr_schedule_training_destroy(training);
    tr_controller_destroy(controller);
}

static void planned_decisions_lead_to_the_skill_that_is_asked_for(void **fixture) {
    static const tr_exploration in_sequence = {.order_share = 1};
    tr_controller *controller = stander(*fixture);
    tr_schedule_training_def def = {*fixture, controller, short_task(), 1};
    tr_schedule_training *training = NULL;
    tr_environment *environment = NULL;
    def.settings.ways = def.settings.planned = def.settings.bounded = 1;
    def.settings.ask_every_low_s = def.settings.ask_every_high_s = 100;
    assert_int_equal(tr_schedule_training_create(&def, &training, NULL), TR_OK);
    const tr_controller *best = tr_schedule_training_best(training);
    const tr_environment_def env = {*fixture, best, &def.settings};
    assert_int_equal(tr_environment_create(&env, &environment, NULL), TR_OK);
    bool asked[2] = {false, false};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        assert_int_equal(tr_environment_begin(environment, tr_random_seed(seed)), TR_OK);
        int request = environment->scheduler->request[environment->request];
        for (int i = 0; i < 12; i++) {
            tr_transition transition;
            bool kept;
            assert_int_equal(tr_environment_step(environment, &in_sequence, &transition, &kept),
                             TR_OK);
            assert_true(kept && !transition.fails);
        }
        int entry = tr_scheduler_state_of(&environment->trial.runner)->entry;
        assert_int_equal(environment->scheduler->sheet.entry[entry].skill, request);
        asked[request] = true;
    }
    assert_true(asked[0] && asked[1]);
    tr_environment_destroy(environment);
    tr_schedule_training_destroy(training);
    tr_controller_destroy(controller);
}

static void skills_that_do_not_fit_are_named(void **fixture) {
    tr_controller *controller = stander(*fixture);
    for (int what = 0; what < 2; what++) {
        static const char *const skills[] = {"here,nowhere", "here"}, *const named[] = {
                                                                          "skill 'nowhere'",
                                                                          "fewer than two"};
        tr_schedule_training_def def = {*fixture, controller, short_task(), 1};
        tr_schedule_training *training = NULL;
        tr_error error = {0};
        strcpy(def.settings.skills, skills[what]);
        strcpy(def.settings.favoured, "here");
        assert_int_equal(tr_schedule_training_create(&def, &training, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
    }
    tr_controller_destroy(controller);
}

static int load(void **fixture) {
    tr_physics_init();
    *fixture = puppet_model();
    return 0;
}

static int unload(void **fixture) {
    tr_model_destroy(*fixture);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_skill_is_begun_and_performed_for_a_second),
        cmocka_unit_test(a_request_without_the_time_for_it_is_not_performed),
        cmocka_unit_test(a_fall_ends_the_trial),
        cmocka_unit_test(a_skill_that_does_not_exist_is_refused),
        cmocka_unit_test(a_training_with_requests_lists_the_skills_and_counts_them),
        cmocka_unit_test(planned_decisions_lead_to_the_skill_that_is_asked_for),
        cmocka_unit_test(skills_that_do_not_fit_are_named),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
