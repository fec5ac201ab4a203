#include "learn/train/parameters.h"

#include "math/parameter_table.h"

#include <stddef.h>

#define AT(field) offsetof(tr_learn_parameters, field)

static const tr_parameter rows[] = {
    {"gains", TR_NAME, AT(gain_set), 0, 0, "a", "gain set of the model"},
    {"ankles", TR_COUNT, AT(ankles), 0, 1, "1", "1: the ankles are part of the action"},
    {"weight_velocity", TR_REAL, AT(weight_velocity), 0, 1e3, "0.1", "eq. 20: centroid velocity"},
    {"rollback", TR_COUNT, AT(rollback), 1, 1000, "10", "stages to roll back on failure"},
    {"spawn_mean", TR_COUNT, AT(spawn_mean), 0, 1, "0",
     "1: spawn in the mean state before the first fragment, not in a typical one"},
    {"refine_rounds", TR_COUNT, AT(refine_rounds), 0, 50, "5", "rounds of open-loop refinement"},
    {"refine_visits", TR_COUNT, AT(refine_visits), 2, 1000, "40",
     "visits of each fragment per round"},
    {"refine_samples", TR_COUNT, AT(refine_samples), 4, 10000, "1000", "samples per stage"},
    {"refine_skipped", TR_COUNT, AT(refine_skipped), 0, 100, "4",
     "first visits of a fragment that are not averaged"},
    {"refine_sigma_deg", TR_REAL, AT(refine_sigma_deg), 0, 60, "12",
     "exploration in the first round of refinement"},
    {"iterations", TR_COUNT, AT(iterations), 0, 200, "20", "iterations of guided learning"},
    {"visits", TR_COUNT, AT(visits), 2, 2000, "200", "visits of each fragment per iteration"},
    {"first_samples", TR_COUNT, AT(first_samples), 4, 10000, "1000",
     "samples per stage in the first iteration"},
    {"samples", TR_COUNT, AT(samples), 4, 10000, "200", "samples per stage in later iterations"},
    {"first_sigma_deg", TR_REAL, AT(first_sigma_deg), 0, 60, "5",
     "exploration in the first iteration"},
    {"sigma_floor_deg", TR_REAL, AT(sigma_floor_deg), 0, 60, "2.5",
     "least exploration in later iterations"},
    {"noise_deg", TR_REAL, AT(noise_deg), 0, 60, "3", "unrecorded noise on actions"},
    {"blend", TR_REAL, AT(blend), 0.01, 1, "1",
     "share of the regression in a new policy; the rest is the old one"},
    {"push_n", TR_REAL, AT(push_n), 0, 1e4, "250", "standard deviation of the training pushes"},
    {"push_ramp", TR_COUNT, AT(push_ramp), 1, 1000, "6",
     "iterations until the pushes have their full size"},
    {"harden_rounds", TR_COUNT, AT(harden_rounds), 0, 200, "0", "rounds of hardening"},
    {"harden_updates", TR_COUNT, AT(harden_updates), 1, 1000, "10", "updates per round"},
    {"harden_directions", TR_COUNT, AT(harden_directions), 1, 1000, "32", "pairs tried per update"},
    {"harden_best", TR_COUNT, AT(harden_best), 1, 1000, "16", "pairs that an update follows"},
    {"harden_trials", TR_COUNT, AT(harden_trials), 1, 1000, "16", "trials of each side of a pair"},
    {"harden_candidates", TR_COUNT, AT(harden_candidates), 1, 1000, "1",
     "scenes (pushes or grounds) drawn for a trial, which uses the hardest"},
    {"harden_sigma_deg", TR_REAL, AT(harden_sigma_deg), 0.001, 20, "0.6", "size of the shifts"},
    {"harden_spacing", TR_COUNT, AT(harden_spacing), 1, 1000, "1",
     "fragments from one drawn shift to the next"},
    {"harden_averaged", TR_COUNT, AT(harden_averaged), 0, 1000, "0",
     "last updates of a round whose mean is its result; with adapt=1 the better of mean and last"},
    {"harden_push_n", TR_REAL, AT(harden_push_n), 0, 1e4, "200", "largest push while hardening"},
    {"harden_after_s", TR_REAL, AT(harden_after_s), 0.1, 100, "2.5", "time watched after a push"},
    {"harden_first", TR_COUNT, AT(harden_first), 0, 1000, "0",
     "of a chain: first fragment that hardening changes"},
    {"harden_ground", TR_REAL, AT(harden_ground), 0, 1, "0",
     "share of the trials that are on slopes, kerbs and uneven ground"},
    {"harden_slope_deg", TR_REAL, AT(harden_slope_deg), 0, 30, "5",
     "steepest slope while hardening"},
    {"harden_kerb_m", TR_REAL, AT(harden_kerb_m), 0, 1, "0.05", "highest kerb while hardening"},
    {"harden_uneven_m", TR_REAL, AT(harden_uneven_m), 0, 1, "0.05", "unevenness while hardening"},
    {"harden_strike", TR_REAL, AT(harden_strike), 0, 100, "0",
     "cost of each body weight by which a step loads the ground beyond 1.5"},
    {"harden_short_loss", TR_COUNT, AT(harden_short_loss), 0, 1, "0",
     "1: a loss costs less, as in trainings that do not record this (harden_course.h)"},
    {"harden_vary", TR_REAL, AT(harden_vary), 0, 0.9, "0",
     "share by which mass, friction, gravity and contact of the trials' worlds vary"},
    {"harden_extra", TR_REAL, AT(harden_extra), 0, 100, "0",
     "share added to the limits of torque at first; none in the last round"},
    {"harden_blend", TR_COUNT, AT(harden_blend), 0, 100, "0",
     "steps in which targets blend into each fragment from the one before (target_blend.h)"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 1000, "10", "undisturbed trials per iteration"},
    {"test_resist_trials", TR_COUNT, AT(test_resist_trials), 0, 1000, "0",
     "trials of the time resisted under growing pushes; these choose nothing"},
    {"test_cap_s", TR_REAL, AT(test_cap_s), 1, 1000, "60", "length of an undisturbed trial"},
    {"test_grid_n", TR_REAL, AT(test_grid_n), 1, 1000, "20", "grid of the push test"},
    {"test_settle_s", TR_REAL, AT(test_settle_s), 0, 1000, "3", "time before the pushes of a test"},
    {"test_after_s", TR_REAL, AT(test_after_s), 0.1, 1000, "5",
     "time to survive after a push of a test"},
    {"paired", TR_COUNT, AT(paired), 0, 1, "1",
     "1: keep a row if it beats the best so far, the start included, on the same fresh seeds"},
    {"stop_after", TR_COUNT, AT(stop_after), 0, 1000, "0",
     "rows without a better one that end guided learning or hardening; 0: none"},
    {"stop_at_n", TR_REAL, AT(stop_at_n), 0, 1e4, "0",
     "survived push that ends guided learning or hardening, of a chain after its end; 0: none"},
    {"adapt", TR_COUNT, AT(adapt), 0, 1, "0",
     "1: each round of hardening begins from the best, and its pushes grow with the survived ones"},
    {"adapt_push_n", TR_REAL, AT(adapt_push_n), 0, 1e4, "20",
     "least push of hardening that adapts"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of everything drawn"},
};

/* Constants now, where they are used. */
static const char retired[] =
    "fragment_s=0.1 weight_pose=4 weight_root=4 weight_effector=10 weight_balance=1 "
    "weight_centroid=3 weight_angular=0.03 weight_action=0.5 cost_max=8 failures_max=100 "
    "elite_share=0.1 elite_spread=0 settle_s=0 refine_decay=0.7 lambda=1e-6 "
    "push_probability=0.22 push_from=2 harden_race=0 harden_rate=0.5 harden_slip=0 blend_steps=0 "
    "step_s=0.005";

const tr_parameter_table tr_learn_parameter_table = {
    .row = rows, .count = sizeof rows / sizeof rows[0], .retired = retired};
