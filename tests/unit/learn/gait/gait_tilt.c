#include "cmocka_test.h"

#include "learn/gait/gait_measure.h"
#include "learn/gait/gait_tilt.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <math.h>

/* With feedback at the ankle, which the published walk does not have. */
static void published(double *value) {
    tr_gait_parameters_published(value);
    value[TR_GAIT_ANKLE_POS] = 0.3;
}

static void assert_alike(const double *a, const double *b) {
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        if (fabs(a[i] - b[i]) > 1e-12)
            fail_msg("parameter %d: %g, not %g", i, a[i], b[i]);
}

TEST(a_tilt_leans_against_the_force_by_its_share_of_the_weight) {
    OWN(tr_model) *model = puppet_model();
    double upright[TR_GAIT_SIZE], tilted[TR_GAIT_SIZE];
    published(upright);
    published(tilted);
    tr_gait_tilt(model, 0, -0.1 * 9.81 * model->mass, tilted);
    assert_true(fabs(tilted[TR_GAIT_LEAN] - upright[TR_GAIT_LEAN] - 0.1) < 1e-12);
    assert_true(tilted[TR_GAIT_LOG_KP_STANCE_KNEE] == upright[TR_GAIT_LOG_KP_STANCE_KNEE]);
    assert_true(tilted[TR_GAIT_SWING_HIP] < upright[TR_GAIT_SWING_HIP] - 0.1);
    assert_true(tilted[TR_GAIT_STANCE_ANKLE] > upright[TR_GAIT_STANCE_ANKLE] + 0.1);
    published(tilted);
    tr_gait_tilt(model, 1, -0.1 * 9.81 * model->mass, tilted);
    assert_true(fabs(tilted[TR_GAIT_LEAN] - upright[TR_GAIT_LEAN] - 0.12) < 1e-12);
    assert_true(tilted[TR_GAIT_LOG_KP_STANCE_KNEE] > upright[TR_GAIT_LOG_KP_STANCE_KNEE] + 0.7);
}

TEST(tilts_add_up) {
    OWN(tr_model) *model = puppet_model();
    double once[TR_GAIT_SIZE], twice[TR_GAIT_SIZE], back[TR_GAIT_SIZE], none[TR_GAIT_SIZE];
    published(once);
    published(twice);
    published(back);
    published(none);
    tr_gait_tilt(model, 0, -60, once);
    tr_gait_tilt(model, 0, -20, twice);
    tr_gait_tilt(model, 0, -40, twice);
    assert_alike(once, twice);
    tr_gait_tilt(model, 0, 60, back);
    tr_gait_tilt(model, 0, -60, back);
    assert_alike(back, none);
}

/* Survivors of 20 trials of 20 s under a constant force from the front. The curve goes from the
 * published walk without a force to the same walk, tilted for `tilt_n`. */
static int survivors(double tilt_n, double force_n) {
    OWN(tr_model) *model = puppet_model();
    double row[2][TR_GAIT_SIZE];
    const tr_gait_curve curve = {force_n, 0, 2, row};
    const tr_gait_def def = {.force = &curve, .own_mps = 0.4};
    const tr_ensemble_def worlds_def = {model, model->gain_set[0].name, 0.005, 2, NULL, 0};
    const tr_gait_test test = {"",   TR_FORCE_CONSTANT, force_n, force_n, 0, 100, 20, 20, 3, 0,
                               false};
    OWN(tr_ensemble) *worlds = NULL;
    OWN(tr_gait) *gait = NULL;
    tr_gait_survival survival;
    tr_gait_parameters_published(row[0]);
    tr_gait_parameters_published(row[1]);
    tr_gait_tilt(model, 0, tilt_n, row[0]);
    assert_int_equal(tr_ensemble_create(&worlds_def, &worlds), TR_OK);
    assert_int_equal(tr_gait_create(model, &def, &gait, NULL), TR_OK);
    assert_int_equal(tr_gait_measure(gait, &test, worlds, &survival), TR_OK);
    return survival.survived;
}

TEST(a_tilted_walk_stands_a_force_that_fells_an_upright_one) {
    assert_true(survivors(0, -20) <= 5);
    assert_true(survivors(-20, -20) >= 15);
}

BEFORE_ALL() {
    tr_physics_init();
}
