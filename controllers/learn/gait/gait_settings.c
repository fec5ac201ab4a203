#include "learn/gait/gait_settings.h"

#include "learn/gait/gait_exam.h"
#include "learn/gait/gait_haul.h"

#include <string.h>

#define AT(field) offsetof(tr_gait_settings, field)

static const tr_parameter rows[] = {
    {"gait_phase", TR_NAME, AT(phase), 0, 0, "base",
     "with --from: the phase that comes next, base, front, back, slower, faster or harden"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "of everything drawn"},
    {"update", TR_NAME, AT(update), 0, 0, "hansen",
     "rule of the search: hansen, or shum (eqs. 1 to 4)"},
    {"samples", TR_COUNT, AT(samples), 4, 128, "16", "candidates of a generation"},
    {"best", TR_COUNT, AT(best), 2, 128, "5", "of them those that teach"},
    {"sigma", TR_REAL, AT(sigma), 0.001, 2, "0.3", "first step size, in scales"},
    {"noise_joint_rad", TR_REAL, AT(noise_joint_rad), 0, 0.5, "0.03", "of a trial's first pose"},
    {"noise_target_rad", TR_REAL, AT(noise_target_rad), 0, 0.5, "0.01",
     "of each target in each step"},
    {"felt_lag_s", TR_REAL, AT(felt_lag_s), 0.001, 60, "0.02",
     "of the filter of the force that is felt"},
    {"arm", TR_REAL, AT(arm), -2, 2, "0", "shoulders forwards, rad"},
    {"arm_swing", TR_REAL, AT(arm_swing), -2, 2, "0.7", "shoulder by the other side's thigh"},
    {"elbow", TR_REAL, AT(elbow), 0, 2, "0.3", "elbows flexed, rad"},
    {"kp_arm", TR_REAL, AT(kp_arm), 20, 3000, "60", "stiffness of the shoulders, N m/rad"},
    {"base_generations", TR_COUNT, AT(base_generations), 0, 10000, "120",
     "generations of the base walk"},
    {"base_mps", TR_REAL, AT(base_mps), 0.1, 3, "1.0", "speed of the base walk, m/s"},
    {"base_kick_n", TR_REAL, AT(base_kick_n), 0, 2000, "120",
     "largest short push in a third of the trials of the base walk"},
    {"base_side_n", TR_REAL, AT(base_side_n), 0, 2000, "60",
     "largest force from the side in a third of the trials of the base walk"},
    {"base_trials", TR_COUNT, AT(base_trials), 1, 64, "6",
     "trials of a candidate for the base walk"},
    {"front_n", TR_REAL, AT(front_n), 0, 2000, "200", "largest force from the front"},
    {"back_n", TR_REAL, AT(back_n), 0, 2000, "200", "largest force from behind"},
    {"force_step_n", TR_REAL, AT(force_step_n), 0.1, 200, "10", "step from one force to the next"},
    {"lean", TR_REAL, AT(lean), 0, 1, "0",
     "under forces the trunk leans farther, and the stance knee is stiffer"},
    {"force_kick_n", TR_REAL, AT(force_kick_n), 0, 2000, "40", "largest short push in the trials"},
    {"walk_least_mps", TR_REAL, AT(walk_least_mps), 0, 1.3, "0.4",
     "least speed of an optimal gait"},
    {"force_generations", TR_COUNT, AT(force_generations), 1, 1000, "40",
     "most generations at one force"},
    {"force_trials", TR_COUNT, AT(force_trials), 1, 64, "4", "trials of a candidate at one force"},
    {"force_varying", TR_COUNT, AT(force_varying), 0, 64, "2",
     "trials of these under varying forces"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 64, "10",
     "trials of a test, in the same proportion"},
    {"test_least", TR_COUNT, AT(test_least), 1, 64, "9",
     "trials of a test that an optimal gait survives"},
    {"trial_s", TR_REAL, AT(trial_s), 1, 1000, "10",
     "length of a candidate's trial, plus 1 s for each 100 N"},
    {"test_s", TR_REAL, AT(test_s), 1, 1000, "20", "length of a trial in a test"},
    {"slowest_mps", TR_REAL, AT(slowest_mps), 0, 3, "0", "end of the curve of speeds; 0: none"},
    {"fastest_mps", TR_REAL, AT(fastest_mps), 0, 3, "0", "end of the curve of speeds; 0: none"},
    {"harden_generations", TR_COUNT, AT(harden_generations), 0, 10000, "300",
     "generations of hardening"},
    {"harden_samples", TR_COUNT, AT(harden_samples), 4, 128, "16", "candidates of a generation"},
    {"harden_best", TR_COUNT, AT(harden_best), 2, 128, "5", "candidates that the update uses"},
    {"harden_test_trials", TR_COUNT, AT(harden_test_trials), 1, 8, "4",
     "trials of each kind in a test of hardening"},
    {"harden_sigma", TR_REAL, AT(harden_sigma), 0.001, 2, "0.15", "first step size, in scales"},
    {"harden_curve", TR_COUNT, AT(harden_curve), 0, 1, "1",
     "1: gaits depend on the force; 0: one gait for all"},
    {"harden_keep_front_n", TR_REAL, AT(harden_keep_front_n), 0, 2000, "2000",
     "discard the curve at greater forces from the front; its end is tilted"},
    {"harden_s", TR_REAL, AT(harden_s), 2, 1000, "12",
     "length of a candidate's trial in hardening"},
    {"harden_varying", TR_COUNT, AT(harden_varying), 0, 12, "2", "trials at varying forces"},
    {"harden_stepped", TR_COUNT, AT(harden_stepped), 0, 12, "1", "trials with a sudden force"},
    {"harden_sided", TR_COUNT, AT(harden_sided), 0, 12, "1", "trials with a force from the side"},
    {"harden_pushed", TR_COUNT, AT(harden_pushed), 0, 12, "1", "trials with short pushes"},
    {"harden_hauled", TR_COUNT, AT(harden_hauled), 0, 12, "0",
     "trials in which several push a box"},
    {"haulers", TR_COUNT, AT(haulers), 1, TR_GAIT_HAUL_WALKERS_MAX, "4",
     "of them, with 100 kg of the box each"},
    {"haul_s", TR_REAL, AT(haul_s), 2, 1000, "15", "length of these trials"},
};
/* Constants now, where they are used. */
static const char retired[] =
    "sigma_least=0.15 weight_survival=100 weight_fall=12 weight_variance=20 weight_speed=10 "
    "weight_slow=30 weight_drift=10 weight_heading=3 weight_effort=1e-4 weight_style=100 "
    "weight_difference=0.05 weight_gain=0.02 arm_out=0.1 base_ramp=25 base_first=0.2 "
    "force_step_least_n=2 slope_nps=100 harden_step_least=0 harden_step_spread_s=0 "
    "harden_turn_rad_s=0 walk_mps=0 walk_most_mps=1.3 force_span_n=60 in_loop=1 "
    "speed_step_mps=0.1 harden_keep_back_n=2000 harden_style=150 harden_front_n=200 "
    "harden_back_n=200 onset_sigma=1.5 haul_mps=0.6 force_style=0 tilt=1 harden_first=0.3 "
    "harden_spacing_n=100 harden_step_n=130 harden_side_n=60 harden_push_n=120 "
    "harden_constant=1 onset_generations=0 late_generations=0 onset_n=145 onset_push_n=150 "
    "onset_stepped=20 onset_pushed=12 haul_spread_m=0 step_s=0.005";

const tr_parameter_table tr_gait_settings_table = {
    .row = rows, .count = sizeof rows / sizeof rows[0], .retired = retired};

tr_gait_settings tr_gait_settings_default(void) {
    tr_gait_settings values = {0};
    tr_parameter_reset(&tr_gait_settings_table, &values);
    return values;
}

static tr_status too_many(tr_error *error, const char *best, const char *samples) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected at most %s", best, samples);
}

tr_status tr_gait_settings_check(const tr_gait_settings *s, tr_error *error) {
    if (strcmp(s->update, "hansen") != 0 && strcmp(s->update, "shum") != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "update %s: expected hansen or shum", s->update);
    if (s->best > s->samples)
        return too_many(error, "best", "samples");
    if (s->harden_best > s->harden_samples)
        return too_many(error, "harden_best", "harden_samples");
    if (s->force_varying > s->force_trials)
        return too_many(error, "force_varying", "force_trials");
    if (s->test_least > s->test_trials)
        return too_many(error, "test_least", "test_trials");
    int kinds = TR_GAIT_HARDEN_CONSTANT + s->harden_varying + s->harden_stepped + s->harden_sided +
                s->harden_pushed + s->harden_hauled;
    if (kinds * s->harden_test_trials + 2 > TR_GAIT_EXAM_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "harden_test_trials %d: expected at most %d with %d trials of all kinds",
                       s->harden_test_trials, (TR_GAIT_EXAM_MAX - 2) / kinds, kinds);
    return TR_OK;
}
