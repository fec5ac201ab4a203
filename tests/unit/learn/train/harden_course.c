#include "cmocka_test.h"

#include "learn/train/harden_course.h"
#include "unit/learn/sway_suite.h"

#include <math.h>

/* A stander that leans over and is lost after some seconds. */
static tr_controller *leaning(void) {
    tr_controller *controller = sway_stander(model, true);
    for (int k = 0; k < tr_controller_bank(controller)->fragment_count; k++)
        tr_controller_bank(controller)->fragment[k].policy.offset[1] = 0.15;
    return controller;
}

/* The cost of one course beside another one that lasts longer, unpushed and watched for some steps. */
static double cost(tr_ensemble *ensemble, tr_controller *controller, int64_t steps,
                   bool short_loss) {
    const tr_harden_def def = {.weights = tr_cost_weights_default(),
                               .after_s = (double)steps * controller->step_s,
                               .short_loss = short_loss};
    OWN_BY(tr_hardening_close)
    tr_hardening h = {.def = &def,
                      .ensemble = ensemble,
                      .controller = controller,
                      .bank = tr_controller_bank(controller)};
    assert_int_equal(tr_hardening_open(&h), TR_OK);
    const tr_rehearsal_group *group = &ensemble->group[0];
    tr_harden_courses courses = {.h = &h, .in.quartet = group->quartet};
    for (int k = 0; k < 2; k++) {
        tr_harden_scene scene = {.state = controller->spawn, .push.steps = 200 * k};
        assert_int_equal(
            tr_trial_begin(&scene.trial, controller, group->rehearsal[k], &controller->spawn),
            TR_OK);
        tr_harden_courses_begin(&courses, &scene, controller, group->rehearsal[k]);
    }
    tr_harden_courses_run(&courses);
    return tr_harden_courses_cost(&courses, 0);
}

/* The motion is lost in a fragment that begins at `begun` and ends at `noticed`. */
TEST(a_lost_fragment_costs_whenever_the_time_ends) {
    const tr_ensemble_def two = {model, "a", 0.005, 1, NULL, 2};
    OWN(tr_ensemble) *ensemble = NULL;
    assert_int_equal(tr_ensemble_create(&two, &ensemble), TR_OK);
    assert_int_equal(tr_ensemble_open_groups(ensemble), TR_OK);
    OWN(tr_controller) *controller = leaning();
    tr_trial trial;
    assert_int_equal(
        tr_trial_begin(&trial, controller, &ensemble->rehearsal[0], &controller->spawn), TR_OK);
    tr_trial_run(&trial, &ensemble->rehearsal[0], 4000);
    assert_true(trial.lost && trial.step == 0);
    const int length = tr_controller_bank(controller)->fragment[trial.watch.entry].steps;
    const int64_t noticed = trial.steps, begun = noticed - length;
    const double held = cost(ensemble, controller, begun, false);
    const double lost = cost(ensemble, controller, begun + length / 2, false);
    assert_true(held > 0 && held < 1 && lost < 1);
    assert_true(fabs(lost - (held * (double)begun + length) / (double)noticed) < 1e-9);
    assert_true(cost(ensemble, controller, noticed, false) == lost);
    assert_true(cost(ensemble, controller, noticed + 1000, false) > lost);
    assert_true(cost(ensemble, controller, begun, true) == held);
    assert_true(cost(ensemble, controller, begun + length / 2, true) < held);
}

SUITE_FIXTURE(load, unload);
