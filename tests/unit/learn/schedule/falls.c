/* controllers/learn/schedule: a scheduler that gets the character of a hierarchy up. */
#include "cmocka_test.h"

#include "control/hierarchy/hierarchy.h"
#include "control/parts/falls.h"
#include "learn/measure/certify.h"
#include "learn/measure/graph_requests.h"
#include "learn/schedule/environment.h"
#include "learn/schedule/schedule_training.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

/* Of puppet_riser, whose standing the held scheduler chooses from. */
enum { STANDING = 2, RISING = 2, ENTRIES = 4 };

static tr_controller *nested(const tr_model *model) {
    static const int both[] = {0, 1};
    tr_controller *controller = puppet_riser(model, true);
    const tr_scheduler_def def = {
        .entry_count = STANDING, .entry = both, .step_s = controller->step_s};
    tr_scheduler *scheduler = NULL;
    tr_error error = {0};
    if (tr_scheduler_add(controller, &def, &scheduler, &error) ||
        tr_hierarchy_add(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_schedule_settings short_task(void) {
    tr_schedule_settings s = tr_schedule_settings_default();
    s.falls = s.planned = 1;
    strcpy(s.favoured, "scheduled");
    s.down_penalty = 4;
    s.push_low_n = 300;
    s.push_high_n = 600;
    s.fallen_starts = 1;
    s.transitions = s.test_every = 60;
    s.test_trials = 1;
    s.test_after_s = 1;
    s.scaling_decisions = 30;
    s.environments = 3;
    s.hidden_units = 8;
    s.warm = s.replay = 30;
    s.batch = 5;
    return s;
}

static tr_schedule_training *create(const tr_model *model, const tr_schedule_settings *settings,
                                    int threads) {
    tr_controller *controller = nested(model);
    const tr_schedule_training_def def = {model, controller, *settings, threads};
    tr_schedule_training *training = NULL;
    tr_error error = {0};
    if (tr_schedule_training_create(&def, &training, &error))
        fail_msg("%s", error.message);
    tr_controller_destroy(controller);
    return training;
}

static void one_level_lists_the_scheduler_or_its_entries(void **fixture) {
    for (int flat = 0; flat < 2; flat++) {
        tr_schedule_settings settings = short_task();
        settings.flat = flat;
        tr_schedule_training *training = create(*fixture, &settings, 1);
        const tr_scheduler *made = tr_scheduler_of(tr_schedule_training_best(training));
        assert_int_equal(made->entry_count, ENTRIES + TR_HIERARCHY_ENTRIES - (flat ? 1 : STANDING));
        assert_int_equal(made->entry[0], flat ? 0 : RISING);
        assert_int_equal(made->entry[flat ? ENTRIES : ENTRIES - STANDING], ENTRIES + flat);
        tr_schedule_training_destroy(training);
    }
}

static void falls_are_trained_with_on_any_number_of_threads(void **fixture) {
    const tr_schedule_settings settings = short_task();
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        tr_schedule_training *training = create(*fixture, &settings, i ? 3 : 1);
        int rows = 0;
        assert_int_equal(tr_schedule_training_advance(training, NULL), TR_OK);
        const tr_schedule_row *row = tr_schedule_training_rows(training, &rows);
        assert_true(rows == 1 && row->requests.planned == 1 && row->low.trials == 1);
        hash[i] = tr_controller_hash(tr_schedule_training_best(training), *fixture);
        tr_schedule_training_destroy(training);
    }
    assert_true(hash[0] == hash[1]);
}

/* It begins on the ground, follows the fixed order there, and stays in the episode. */
static void a_fall_ends_nothing_and_costs(void **fixture) {
    const tr_schedule_settings settings = short_task();
    tr_schedule_training *training = create(*fixture, &settings, 1);
    const tr_environment_def def = {*fixture, tr_schedule_training_best(training), &settings};
    const tr_exploration in_sequence = {.order_share = 1};
    tr_environment *environment = NULL;
    int down = 0;
    assert_int_equal(tr_environment_create(&def, &environment, NULL), TR_OK);
    assert_int_equal(tr_environment_begin(environment, tr_random_seed(4)), TR_OK);
    const tr_rehearsal *world = &environment->worlds->rehearsal[0];
    assert_true(tr_falls_is_down(world->world, world->character, false));
    for (int i = 0; i < 20; i++) {
        tr_transition transition;
        bool kept = false;
        assert_int_equal(tr_environment_step(environment, &in_sequence, &transition, &kept), TR_OK);
        const int next = tr_hierarchy_state_of(&environment->trial.runner)->entry - ENTRIES;
        assert_false(transition.fails);
        assert_int_not_equal(next, TR_HIERARCHY_SCHEDULED);
        assert_true(i > 1 || next == TR_HIERARCHY_GATHER);
        if (tr_falls_is_down(world->world, world->character, false)) {
            assert_true(transition.reward <= (float)(settings.reward - settings.down_penalty));
            down++;
        }
    }
    assert_int_equal(environment->episodes, 1);
    assert_true(down > 10);
    tr_environment_destroy(environment);
    tr_schedule_training_destroy(training);
}

typedef struct costs {
    double lost_ns; /* what blows to the head cost, over 30 decisions */
    double blow_ns; /* all of them */
    int fell;       /* decisions in which it fell */
    double least;   /* reward of these */
} costs;

static costs costs_of(const tr_model *model, double fall_penalty, double blow_penalty) {
    tr_schedule_settings settings = short_task();
    settings.fallen_starts = 0;
    settings.favoured_starts = 1;
    settings.push_every_low_s = settings.push_every_high_s = 0.5;
    settings.push_low_n = settings.push_high_n = 800;
    settings.fall_penalty = fall_penalty;
    settings.blow_penalty = blow_penalty;
    tr_schedule_training *training = create(model, &settings, 1);
    const tr_environment_def def = {model, tr_schedule_training_best(training), &settings};
    const tr_exploration in_sequence = {.order_share = 1, .pushes = true};
    tr_environment *environment = NULL;
    costs sum = {0};
    assert_int_equal(tr_environment_create(&def, &environment, NULL), TR_OK);
    assert_int_equal(tr_environment_begin(environment, tr_random_seed(4)), TR_OK);
    for (int i = 0; i < 30; i++) {
        tr_transition transition;
        bool kept = false;
        const bool was_down = tr_hierarchy_state_of(&environment->trial.runner)->down;
        assert_int_equal(tr_environment_step(environment, &in_sequence, &transition, &kept), TR_OK);
        const double blow_ns = environment->blows.hardest_ns[TR_BLOW_HEAD];
        if (!was_down && tr_hierarchy_state_of(&environment->trial.runner)->down) {
            sum.fell++;
            sum.least = (double)transition.reward;
        }
        sum.blow_ns += blow_ns;
        sum.lost_ns -= (double)transition.reward;
    }
    tr_environment_destroy(environment);
    tr_schedule_training_destroy(training);
    return sum;
}

static void new_falls_and_blows_to_the_head_cost(void **fixture) {
    const costs none = costs_of(*fixture, 0, 0), fall = costs_of(*fixture, 50, 0),
                blow = costs_of(*fixture, 0, 0.5);
    assert_true(none.fell == 1 && fall.fell == 1 && none.blow_ns > 1);
    assert_true(fabs(none.least - fall.least - 50) < 1e-4);
    assert_true(fabs(blow.lost_ns - none.lost_ns - 0.5 * none.blow_ns) < 1e-3);
}

/* Two networks choose there, and no planner. */
static void walks_and_requests_are_not_counted(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = nested(model);
    tr_ensemble *ensemble = NULL;
    tr_error error = {0};
    assert_int_equal(tr_ensemble_create_for(model, controller, 1, &ensemble, &error), TR_OK);
    const tr_graph_walk_test walks = {.walks = 1, .seconds = 1, .dwell_high_s = 1};
    const tr_graph_request_test requests = {.trials = 1};
    tr_graph_walk_result result;
    assert_int_equal(tr_graph_walk(ensemble, controller, &walks, NULL, NULL, &result),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_graph_requests(ensemble, controller, &requests, NULL, 0, NULL),
                     TR_INVALID_ARGUMENT);
    tr_certify_def def = tr_certify_def_default();
    tr_certifier *certifier = NULL;
    def.walks = 1;
    assert_int_equal(tr_certifier_create(ensemble, controller, &def, &certifier, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "hierarchy"));
    tr_ensemble_destroy(ensemble);
    tr_controller_destroy(controller);
}

/* The shortest certificate that there is, and its falls: nobody gets up by that rising skill. */
static void its_certificate_has_falls(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = nested(model);
    tr_ensemble *ensemble = NULL;
    tr_error error = {0};
    tr_certifier *certifier = NULL;
    char line[160];
    tr_certify_def def = tr_certify_def_default();
    def.hold_trials = def.resist_trials = 1;
    def.hold_s = def.tracking_s = 1;
    def.resist_growth_nps[0] = def.resist_growth_nps[1] = 400;
    def.push.directions = def.push.phases = def.push.starts = 1;
    def.force_grid_n = def.force_limit_n = 1000;
    def.ground_trials = 0;
    def.fall_trials = 3;
    assert_int_equal(tr_ensemble_create_for(model, controller, 1, &ensemble, &error), TR_OK);
    assert_int_equal(tr_certifier_create(ensemble, controller, &def, &certifier, &error), TR_OK);
    while (!tr_certifier_is_done(certifier))
        assert_int_equal(tr_certifier_advance(certifier, line, sizeof line, &error), TR_OK);
    const tr_certificate *certificate = tr_certifier_result(certifier);
    assert_int_equal(certificate->force_count, 1);
    assert_int_equal(certificate->falls.fell, 3);
    assert_int_equal(certificate->falls.steady + certificate->falls.stands, 0);
    assert_true(isnan(certificate->falls.steady_s) && certificate->falls.head_ns > 1);
    tr_certifier_destroy(certifier);
    def.fall_trials = -1;
    assert_int_equal(tr_certifier_create(ensemble, controller, &def, &certifier, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "fall_trials"));
    tr_ensemble_destroy(ensemble);
    tr_controller_destroy(controller);
}

static void what_is_no_hierarchy_does_not_get_up(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = puppet_riser(model, true);
    tr_schedule_settings settings = short_task();
    tr_schedule_training *training = NULL;
    tr_error error = {0};
    tr_schedule_training_def def = {model, controller, settings, 1};
    assert_int_equal(tr_schedule_training_create(&def, &training, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "hierarchy"));
    tr_controller_destroy(controller);
    controller = nested(model);
    def.controller = controller;
    def.settings.turns = 1;
    assert_int_equal(tr_schedule_training_create(&def, &training, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "falls: "));
    tr_controller_destroy(controller);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_level_lists_the_scheduler_or_its_entries),
        cmocka_unit_test(falls_are_trained_with_on_any_number_of_threads),
        cmocka_unit_test(a_fall_ends_nothing_and_costs),
        cmocka_unit_test(new_falls_and_blows_to_the_head_cost),
        cmocka_unit_test(walks_and_requests_are_not_counted),
        cmocka_unit_test(its_certificate_has_falls),
        cmocka_unit_test(what_is_no_hierarchy_does_not_get_up),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
