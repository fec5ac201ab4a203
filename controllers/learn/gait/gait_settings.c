#include "learn/gait/gait_settings.h"

#include "learn/gait/gait_exam.h"

#define AT(field) offsetof(tr_gait_settings, field)

static const tr_parameter rows[] = {
    {"gait_phase", TR_NAME, AT(phase), 0, 0, "base",
     "with --from: the phase that comes next, base, front, back, slower, faster or harden"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "of everything drawn"},
    {"samples", TR_COUNT, AT(samples), TR_GAIT_BEST, 128, "16", "candidates of a generation"},
    {"felt_lag_s", TR_REAL, AT(felt_lag_s), 0.001, 60, "0.02",
     "of the filter of the force that is felt"},
    {"arm", TR_REAL, AT(arm), -2, 2, "0", "shoulders forwards, rad"},
    {"arm_swing", TR_REAL, AT(arm_swing), -2, 2, "0.7", "shoulder by the other side's thigh"},
    {"elbow", TR_REAL, AT(elbow), 0, 2, "0.3", "elbows flexed, rad"},
    {"kp_arm", TR_REAL, AT(kp_arm), 20, 3000, "60", "stiffness of the shoulders, N m/rad"},
    {"base_generations", TR_COUNT, AT(base_generations), 0, 10000, "120",
     "generations of the base walk"},
    {"base_mps", TR_REAL, AT(base_mps), 0.1, 3, "1.0", "speed of the base walk, m/s"},
    {"front_n", TR_REAL, AT(front_n), 0, 2000, "200", "largest force from the front"},
    {"back_n", TR_REAL, AT(back_n), 0, 2000, "200", "largest force from behind"},
    {"force_step_n", TR_REAL, AT(force_step_n), 0.1, 200, "10", "step from one force to the next"},
    {"lean", TR_REAL, AT(lean), 0, 1, "0",
     "under forces the trunk leans farther, and the stance knee is stiffer"},
    {"slowest_mps", TR_REAL, AT(slowest_mps), 0, 3, "0", "end of the curve of speeds; 0: none"},
    {"fastest_mps", TR_REAL, AT(fastest_mps), 0, 3, "0", "end of the curve of speeds; 0: none"},
    {"harden_generations", TR_COUNT, AT(harden_generations), 0, 10000, "300",
     "generations of hardening"},
    {"harden_samples", TR_COUNT, AT(harden_samples), 4, 128, "16", "candidates of a generation"},
    {"harden_best", TR_COUNT, AT(harden_best), 2, 128, "5", "candidates that the update uses"},
    {"harden_test_trials", TR_COUNT, AT(harden_test_trials), 1, 8, "4",
     "trials of each kind in a test of hardening"},
    {"harden_sigma", TR_REAL, AT(harden_sigma), 0.001, 2, "0.15", "first step size, in scales"},
    {"harden_keep_front_n", TR_REAL, AT(harden_keep_front_n), 0, 2000, "2000",
     "discard the curve at greater forces from the front; its end is tilted"},
    {"harden_varying", TR_COUNT, AT(harden_varying), 0, 12, "2", "trials at varying forces"},
    {"harden_stepped", TR_COUNT, AT(harden_stepped), 0, 12, "1", "trials with a sudden force"},
    {"harden_sided", TR_COUNT, AT(harden_sided), 0, 12, "1", "trials with a force from the side"},
    {"harden_pushed", TR_COUNT, AT(harden_pushed), 0, 12, "1", "trials with short pushes"},
    {"harden_hauled", TR_COUNT, AT(harden_hauled), 0, 12, "0",
     "trials in which several push a box"},
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
    "onset_stepped=20 onset_pushed=12 haul_spread_m=0 step_s=0.005 best=5 sigma=0.3 "
    "noise_joint_rad=0.03 noise_target_rad=0.01 base_kick_n=120 base_side_n=60 base_trials=6 "
    "force_kick_n=40 walk_least_mps=0.4 force_generations=40 force_trials=4 force_varying=2 "
    "test_trials=10 test_least=9 trial_s=10 test_s=20 harden_curve=1 harden_s=12 haulers=4 "
    "haul_s=15 update=hansen";

const tr_parameter_table tr_gait_settings_table = {
    .row = rows, .count = sizeof rows / sizeof rows[0], .retired = retired};

/* Those of the trainings of the shipped controllers: controllers/log/2026-11-25-gaits.md. */
tr_gait_amounts tr_gait_amounts_usual(void) {
    return (tr_gait_amounts){.sigma = 0.3,
                             .noise = tr_gait_noise_default(),
                             .base_trials = 6,
                             .base_kick_n = 120,
                             .base_side_n = 60,
                             .force_generations = 40,
                             .force_trials = 4,
                             .force_varying = 2,
                             .force_kick_n = 40,
                             .trial_s = 10,
                             .test_trials = 10,
                             .test_least = 9,
                             .test_s = 20,
                             .walk_least_mps = 0.4,
                             .harden_s = 12,
                             .haul_s = 15};
}

tr_status tr_gait_settings_check(const tr_gait_settings *s, tr_error *error) {
    if (s->harden_best > s->harden_samples)
        return tr_fail(error, TR_INVALID_ARGUMENT, "harden_best: expected at most harden_samples");
    int kinds = TR_GAIT_HARDEN_CONSTANT + s->harden_varying + s->harden_stepped + s->harden_sided +
                s->harden_pushed + s->harden_hauled;
    if (kinds * s->harden_test_trials + 2 > TR_GAIT_EXAM_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "harden_test_trials %d: expected at most %d with %d trials of all kinds",
                       s->harden_test_trials, (TR_GAIT_EXAM_MAX - 2) / kinds, kinds);
    return TR_OK;
}
