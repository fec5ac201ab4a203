#include "learn/gait/gait_settings.h"

#include "control/gait/gait_onset.h"
#include "learn/gait/gait_exam.h"
#include "learn/gait/gait_haul.h"

#include <string.h>

#define AT(field) offsetof(tr_gait_settings, field)

static const tr_parameter rows[] = {
    {"gait_phase", TR_NAME, AT(phase), 0, 0, "base",
     "with --from: the phase that comes next, base, front, back, slower, faster, harden, onset or "
     "late"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "of everything drawn"},
    {"step_s", TR_REAL, AT(step_s), 0.0005, 0.02, "0.005", "simulation step"},
    {"update", TR_NAME, AT(update), 0, 0, "hansen",
     "rule of the search: hansen, or shum (eqs. 1 to 4)"},
    {"samples", TR_COUNT, AT(samples), 4, 128, "16", "candidates of a generation"},
    {"best", TR_COUNT, AT(best), 2, 128, "5", "of them those that teach"},
    {"sigma", TR_REAL, AT(sigma), 0.001, 2, "0.3", "first step size, in scales"},
    {"sigma_least", TR_REAL, AT(sigma_least), 0, 2, "0.15", "least step size at a new task value"},
    {"noise_joint_rad", TR_REAL, AT(noise_joint_rad), 0, 0.5, "0.03", "of a trial's first pose"},
    {"noise_target_rad", TR_REAL, AT(noise_target_rad), 0, 0.5, "0.01",
     "of each target in each step"},
    {"weight_survival", TR_REAL, AT(weight_survival), 0, 1e4, "100",
     "eq. 6: share of time not walked"},
    {"weight_fall", TR_REAL, AT(weight_fall), 0, 1e4, "12", "eq. 6: a fall"},
    {"weight_variance", TR_REAL, AT(weight_variance), 0, 1e4, "20",
     "eq. 6: variance of that share"},
    {"weight_speed", TR_REAL, AT(weight_speed), 0, 1e4, "10",
     "eq. 7: speed off the wanted one, m/s"},
    {"weight_slow", TR_REAL, AT(weight_slow), 0, 1e4, "30", "speed below the least, m/s"},
    {"weight_drift", TR_REAL, AT(weight_drift), 0, 1e4, "10", "eq. 7: sideways speed, m/s"},
    {"weight_heading", TR_REAL, AT(weight_heading), 0, 1e4, "3", "eq. 7: heading off, rad"},
    {"weight_effort", TR_REAL, AT(weight_effort), 0, 1, "1e-4",
     "mean sum of squared torques, (N m)^2"},
    {"weight_style", TR_REAL, AT(weight_style), 0, 1e4, "100", "eq. 7: angle to the clip, rad"},
    {"weight_difference", TR_REAL, AT(weight_difference), 0, 1e3, "0.05",
     "eq. 5: mean change in scales"},
    {"weight_gain", TR_REAL, AT(weight_gain), 0, 1e3, "0.02", "eq. 8: sum of log kp"},
    {"felt_lag_s", TR_REAL, AT(felt_lag_s), 0.001, 60, "0.02",
     "of the filter of the force that is felt"},
    {"arm", TR_REAL, AT(arm), -2, 2, "0", "shoulders forwards, rad"},
    {"arm_out", TR_REAL, AT(arm_out), -2, 2, "0.1", "shoulders outwards, rad"},
    {"arm_swing", TR_REAL, AT(arm_swing), -2, 2, "0.7", "shoulder by the other side's thigh"},
    {"elbow", TR_REAL, AT(elbow), 0, 2, "0.3", "elbows flexed, rad"},
    {"kp_arm", TR_REAL, AT(kp_arm), 20, 3000, "60", "stiffness of the shoulders, N m/rad"},
    {"base_generations", TR_COUNT, AT(base_generations), 0, 10000, "120",
     "generations of the base walk"},
    {"base_ramp", TR_COUNT, AT(base_ramp), 1, 10000, "25",
     "generations until the base walk has its full speed"},
    {"base_mps", TR_REAL, AT(base_mps), 0.1, 3, "1.0", "speed of the base walk, m/s"},
    {"base_kick_n", TR_REAL, AT(base_kick_n), 0, 2000, "120",
     "largest short push in a third of the trials of the base walk"},
    {"base_side_n", TR_REAL, AT(base_side_n), 0, 2000, "60",
     "largest force from the side in a third of the trials of the base walk"},
    {"base_first", TR_REAL, AT(base_first), 0, 1, "0.2", "share of these forces at the beginning"},
    {"base_trials", TR_COUNT, AT(base_trials), 1, 64, "6",
     "trials of a candidate for the base walk"},
    {"front_n", TR_REAL, AT(front_n), 0, 2000, "200", "largest force from the front"},
    {"back_n", TR_REAL, AT(back_n), 0, 2000, "200", "largest force from behind"},
    {"force_step_n", TR_REAL, AT(force_step_n), 0.1, 200, "10", "step from one force to the next"},
    {"force_step_least_n", TR_REAL, AT(force_step_least_n), 0.1, 200, "2",
     "end a side when its step, which failures halve, falls below"},
    {"force_kick_n", TR_REAL, AT(force_kick_n), 0, 2000, "40", "largest short push in the trials"},
    {"slope_nps", TR_REAL, AT(slope_nps), 1, 1e6, "100", "rise of forces in trials, N/s"},
    {"walk_mps", TR_REAL, AT(walk_mps), 0, 3, "0",
     "speed wanted under forces; 0: that of the base"},
    {"walk_least_mps", TR_REAL, AT(walk_least_mps), 0, 3, "0.4", "least speed of an optimal gait"},
    {"walk_most_mps", TR_REAL, AT(walk_most_mps), 0, 9, "1.3", "greatest speed of an optimal gait"},
    {"force_generations", TR_COUNT, AT(force_generations), 1, 1000, "40",
     "most generations at one force"},
    {"force_trials", TR_COUNT, AT(force_trials), 1, 64, "4", "trials of a candidate at one force"},
    {"force_varying", TR_COUNT, AT(force_varying), 0, 64, "2",
     "trials of these under varying forces"},
    {"force_span_n", TR_REAL, AT(force_span_n), 0, 2000, "60",
     "range of varying forces, below the present one"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 64, "10",
     "trials of a test, in the same proportion"},
    {"test_least", TR_COUNT, AT(test_least), 1, 64, "9",
     "trials of a test that an optimal gait survives"},
    {"trial_s", TR_REAL, AT(trial_s), 1, 1000, "10",
     "length of a candidate's trial, plus 1 s for each 100 N"},
    {"test_s", TR_REAL, AT(test_s), 1, 1000, "20", "length of a trial in a test"},
    {"tilt", TR_REAL, AT(tilt), 0, 2, "1",
     "share of the tilt (gait_tilt.h) by which the search moves with the force; 0: none"},
    {"in_loop", TR_COUNT, AT(in_loop), 0, 1, "1",
     "1: trials drive the curve found so far; 0: alone"},
    {"slowest_mps", TR_REAL, AT(slowest_mps), 0, 3, "0", "end of the curve of speeds; 0: none"},
    {"fastest_mps", TR_REAL, AT(fastest_mps), 0, 3, "0", "end of the curve of speeds; 0: none"},
    {"speed_step_mps", TR_REAL, AT(speed_step_mps), 0.01, 1, "0.1",
     "step from one speed to the next"},
    {"harden_generations", TR_COUNT, AT(harden_generations), 0, 10000, "300",
     "generations of hardening"},
    {"harden_samples", TR_COUNT, AT(harden_samples), 4, 128, "16", "candidates of a generation"},
    {"harden_best", TR_COUNT, AT(harden_best), 2, 128, "5", "candidates that the update uses"},
    {"harden_test_trials", TR_COUNT, AT(harden_test_trials), 1, 8, "4",
     "trials of each kind in a test of hardening"},
    {"harden_sigma", TR_REAL, AT(harden_sigma), 0.001, 2, "0.15", "first step size, in scales"},
    {"harden_first", TR_REAL, AT(harden_first), 0, 1, "0.3",
     "share of the forces at the beginning of hardening"},
    {"harden_spacing_n", TR_REAL, AT(harden_spacing_n), 0, 1000, "100",
     "distance of the anchors kept; 0: all are kept"},
    {"harden_curve", TR_COUNT, AT(harden_curve), 0, 1, "1",
     "1: gaits depend on the force; 0: one gait for all"},
    {"harden_keep_front_n", TR_REAL, AT(harden_keep_front_n), 0, 2000, "2000",
     "discard the curve at greater forces from the front; its end is tilted"},
    {"harden_keep_back_n", TR_REAL, AT(harden_keep_back_n), 0, 2000, "2000",
     "discard the curve at greater forces from behind"},
    {"harden_s", TR_REAL, AT(harden_s), 2, 1000, "12",
     "length of a candidate's trial in hardening"},
    {"harden_style", TR_REAL, AT(harden_style), 0, 1e4, "150",
     "weight of the style in an unpushed trial"},
    {"harden_front_n", TR_REAL, AT(harden_front_n), 0, 2000, "200", "largest force from the front"},
    {"harden_back_n", TR_REAL, AT(harden_back_n), 0, 2000, "200", "largest force from behind"},
    {"harden_step_n", TR_REAL, AT(harden_step_n), 0, 2000, "130",
     "largest sudden force, from front or behind"},
    {"harden_step_least", TR_REAL, AT(harden_step_least), 0, 1, "0",
     "least sudden force, a share of the largest"},
    {"harden_step_spread_s", TR_REAL, AT(harden_step_spread_s), 0, 10, "0",
     "sudden forces begin up to so much later, so that they meet all phases"},
    {"harden_side_n", TR_REAL, AT(harden_side_n), 0, 2000, "60", "largest force from either side"},
    {"harden_push_n", TR_REAL, AT(harden_push_n), 0, 2000, "120",
     "largest push of 0.2 s, from any direction"},
    {"harden_turn_rad_s", TR_REAL, AT(harden_turn_rad_s), 0, 3, "0",
     "turning rate in an unpushed trial"},
    {"harden_constant", TR_COUNT, AT(harden_constant), 0, 12, "1", "trials at a constant force"},
    {"harden_varying", TR_COUNT, AT(harden_varying), 0, 12, "2", "trials at varying forces"},
    {"harden_stepped", TR_COUNT, AT(harden_stepped), 0, 12, "1", "trials with a sudden force"},
    {"harden_sided", TR_COUNT, AT(harden_sided), 0, 12, "1", "trials with a force from the side"},
    {"harden_pushed", TR_COUNT, AT(harden_pushed), 0, 12, "1", "trials with short pushes"},
    {"harden_hauled", TR_COUNT, AT(harden_hauled), 0, 12, "0",
     "trials in which several push a box"},
    {"onset_generations", TR_COUNT, AT(onset_generations), 0, 10000, "0",
     "generations of the search for the onset"},
    {"late_generations", TR_COUNT, AT(late_generations), 0, 10000, "0",
     "generations of the search for the onset of forces that begin around the strike of a foot"},
    {"onset_sigma", TR_REAL, AT(onset_sigma), 0.001, 9, "1.5", "first step size, in scales"},
    {"onset_n", TR_REAL, AT(onset_n), 0, 2000, "145", "largest sudden force from the front"},
    {"onset_push_n", TR_REAL, AT(onset_push_n), 0, 2000, "150", "largest push of 0.2 s"},
    {"onset_stepped", TR_COUNT, AT(onset_stepped), 1, 24, "20",
     "trials with such a force; twice in tests"},
    {"onset_pushed", TR_COUNT, AT(onset_pushed), 0, 24, "12", "trials with such a push, likewise"},
    {"haulers", TR_COUNT, AT(haulers), 1, TR_GAIT_HAUL_WALKERS_MAX, "4",
     "of them, with 100 kg of the box each"},
    {"haul_s", TR_REAL, AT(haul_s), 2, 1000, "15", "length of these trials"},
    {"haul_mps", TR_REAL, AT(haul_mps), 0.01, 3, "0.6", "speed wanted of the box"},
    {"haul_spread_m", TR_REAL, AT(haul_spread_m), 0, 0.6, "0",
     "the gap before the box varies by so much to either side"},
};
const tr_parameter_table tr_gait_settings_table = {.row = rows,
                                                   .count = sizeof rows / sizeof rows[0]};

tr_gait_settings tr_gait_settings_default(void) {
    tr_gait_settings values = {0};
    tr_parameter_reset(&tr_gait_settings_table, &values);
    return values;
}

static tr_status too_many(tr_error *error, const char *best, const char *samples) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected at most %s", best, samples);
}

static tr_status check_onset(const tr_gait_settings *s, tr_error *error) {
    if (s->onset_generations + s->late_generations > 0 && s->felt_lag_s >= TR_GAIT_ONSET_LAG_S)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "felt_lag_s %g: expected less than %g with onset_generations and "
                       "late_generations, which compare it with a slow filter",
                       s->felt_lag_s, TR_GAIT_ONSET_LAG_S);
    if (2 * (s->onset_stepped + s->onset_pushed) > TR_GAIT_EXAM_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "onset_stepped %d, onset_pushed %d: expected together at most %d",
                       s->onset_stepped, s->onset_pushed, TR_GAIT_EXAM_MAX / 2);
    return TR_OK;
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
    if (s->walk_least_mps > s->walk_most_mps)
        return too_many(error, "walk_least_mps", "walk_most_mps");
    int kinds = s->harden_constant + s->harden_varying + s->harden_stepped + s->harden_sided +
                s->harden_pushed + s->harden_hauled;
    if (kinds * s->harden_test_trials + 2 > TR_GAIT_EXAM_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "harden_test_trials %d: expected at most %d with %d trials of all kinds",
                       s->harden_test_trials, (TR_GAIT_EXAM_MAX - 2) / kinds, kinds);
    return check_onset(s, error);
}
