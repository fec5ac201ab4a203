#include "learn/balance/balance_settings.h"

#include "control/balance/postures.h"

#define AT(field) offsetof(tr_balance_settings, field)

static const tr_parameter rows[] = {
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of everything drawn"},
    {"object", TR_NAME, AT(object), 0, 0, "board", "board (on a cylinder) or ball"},
    {"radius_m", TR_REAL, AT(radius_m), 0.01, 5, "0.06", "radius of the cylinder or ball"},
    {"base_kg", TR_REAL, AT(base_kg), 0.01, 1000, "1", "mass of the cylinder or ball"},
    {"feet_m", TR_REAL, AT(feet_m), 0, 1, "0.25", "each foot's distance from the middle"},
    {"bound_rad", TR_REAL, AT(bound_rad), 0, 2, "0.6", "largest turn of a joint out of the stance"},
    {"rounds", TR_COUNT, AT(rounds), 1, 100, "4",
     "rounds of identification; later ones excite the regulator, the best counts"},
    {"generations", TR_COUNT, AT(generations), 0, 1e6, "100",
     "of the search; 0: only the regulator"},
    {"samples", TR_COUNT, AT(samples), 4, 1000, "16", "policies of a generation (lambda)"},
    {"trials", TR_COUNT, AT(trials), 1, 1000, "6", "trials of a policy, the same for all"},
    {"push_n", TR_REAL, AT(push_n), 0, 1000, "10", "pushes of tests (balance_trial.h)"},
    {"test_every", TR_COUNT, AT(test_every), 1, 1e6, "10", "generations between tests"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 10000, "24",
     "trials of a test of 60 s, by which the best policy is chosen"},
    {"posture_looks", TR_COUNT, AT(posture_looks), 0, TR_POSTURE_LOOKS_MAX, "0",
     "looks of a posture, for schedulers to choose; 0: none"},
    {"rocking", TR_COUNT, AT(rocking), 0, TR_POSTURE_ROCKING_MAX, "0",
     "postures that rock the board"},
    {"rock_rad", TR_REAL, AT(rock_rad), 0, 1, "0", "roll of the board to either side in rocking"},
    {"lean_rad", TR_REAL, AT(lean_rad), 0, 1, "0",
     "turn of a joint in each of the other postures; 0: no such postures"},
};

/* Constants now, where they are used. */
static const char retired[] =
    "base_half_m=0.13 pin_inward_m=0.04 excitation_rad=0.05 ridge=1e-5 action_cost=1 "
    "rate_cost=0.1 base_cost=1 drift_cost=0.3 deck_thickness_m=0.02 hold=2 sigma=0.15 "
    "turn_rad=0.05 speed_mps=0 wheel_damping=0 blind=0 physical=0 separable=0 "
    "first_push_n=1000 push_every_s=0.1 deck_length_m=0.8 deck_width_m=0.26 deck_kg=2.2 "
    "friction=1 gain_set=b step_s=0.005 ahead_m=0.02 near_rad=0.06 near_m=0.03 push_s=0.1 "
    "knee_rad=0.5 episodes=400 episode_s=0.6 first_cap_s=8 last_cap_s=40 feedback=1";

const tr_parameter_table tr_balance_settings_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};
