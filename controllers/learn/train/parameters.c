#include "learn/train/parameters.h"

#include "learn/train/parameter_table.h"

#include <stddef.h>

#define AT(field) offsetof(tr_learn_parameters, field)

static const tr_parameter rows[] = {
    {"gains", TR_NAME, AT(gain_set), 0, 0, "gain set of the model"},
    {"step_s", TR_REAL, AT(step_s), 0.0005, 0.02, "simulation step"},
    {"fragment_s", TR_REAL, AT(fragment_s), 0.01, 0.4, "wished duration of a control fragment"},
    {"ankles", TR_COUNT, AT(ankles), 0, 1, "1: the ankles are part of the action"},
    {"weight_pose", TR_REAL, AT(weights.pose), 0, 1e3, "eq. 20: joint angles"},
    {"weight_root", TR_REAL, AT(weights.root), 0, 1e3, "eq. 20: root orientation"},
    {"weight_effector", TR_REAL, AT(weights.effector), 0, 1e3, "eq. 20: end effector heights"},
    {"weight_balance", TR_REAL, AT(weights.balance), 0, 1e3, "eq. 20: centroid to end effectors"},
    {"weight_centroid", TR_REAL, AT(weights.centroid), 0, 1e3, "eq. 20: centroid"},
    {"weight_velocity", TR_REAL, AT(weights.velocity), 0, 1e3, "eq. 20: centroid velocity"},
    {"weight_angular", TR_REAL, AT(weights.angular), 0, 1e3, "eq. 20: angular momentum"},
    {"weight_action", TR_REAL, AT(weights.action), 0, 1e3, "eq. 20: norm of the action"},
    {"cost_max", TR_REAL, AT(cost_max), 0.1, 1e6, "a stage whose best sample costs more failed"},
    {"rollback", TR_COUNT, AT(rollback), 1, 1000, "stages to go back on failure"},
    {"failures_max", TR_COUNT, AT(failures_max), 0, 10000, "failures before a walk is given up"},
    {"elite_share", TR_REAL, AT(elite_share), 0.001, 1, "share of the samples kept"},
    {"settle_s", TR_REAL, AT(settle_s), 0, 20, "time that a chain's first pose settles in, lying"},
    {"spawn_mean", TR_COUNT, AT(spawn_mean), 0, 1,
     "1: it is spawned in the mean state before its first fragment, not in a typical one"},
    {"refine_rounds", TR_COUNT, AT(refine_rounds), 0, 50, "rounds of open-loop refinement"},
    {"refine_visits", TR_COUNT, AT(refine_visits), 2, 1000, "visits of each fragment per round"},
    {"refine_samples", TR_COUNT, AT(refine_samples), 4, 10000, "samples per stage"},
    {"refine_skipped", TR_COUNT, AT(refine_skipped), 0, 100, "first visits not averaged"},
    {"refine_sigma_deg", TR_REAL, AT(refine_sigma_deg), 0, 60, "exploration in the first round"},
    {"refine_decay", TR_REAL, AT(refine_decay), 0.1, 1, "its factor from round to round"},
    {"iterations", TR_COUNT, AT(iterations), 0, 200, "iterations of guided learning"},
    {"visits", TR_COUNT, AT(visits), 2, 2000, "visits of each fragment per iteration"},
    {"first_samples", TR_COUNT, AT(first_samples), 4, 10000, "samples in the first iteration"},
    {"samples", TR_COUNT, AT(samples), 4, 10000, "samples in the later ones"},
    {"first_sigma_deg", TR_REAL, AT(first_sigma_deg), 0, 60, "exploration in the first iteration"},
    {"sigma_floor_deg", TR_REAL, AT(sigma_floor_deg), 0, 60, "least exploration in the later ones"},
    {"noise_deg", TR_REAL, AT(noise_deg), 0, 60, "noise on actions that is not recorded"},
    {"lambda", TR_REAL, AT(lambda), 0, 1e3, "ridge of the regression"},
    {"blend", TR_REAL, AT(blend), 0.01, 1, "share of the regression in a policy that learns on"},
    {"push_n", TR_REAL, AT(push_n), 0, 1e4, "standard deviation of the training pushes"},
    {"push_probability", TR_REAL, AT(push_probability), 0, 1, "share of the stages pushed"},
    {"push_from", TR_COUNT, AT(push_from), 1, 1000, "iteration of the first pushes"},
    {"push_ramp", TR_COUNT, AT(push_ramp), 1, 1000, "iterations until they are in full"},
    {"harden_rounds", TR_COUNT, AT(harden_rounds), 0, 200, "rounds of hardening"},
    {"harden_updates", TR_COUNT, AT(harden_updates), 1, 1000, "updates per round"},
    {"harden_directions", TR_COUNT, AT(harden_directions), 1, 1000, "pairs tried per update"},
    {"harden_best", TR_COUNT, AT(harden_best), 1, 1000, "of them followed"},
    {"harden_trials", TR_COUNT, AT(harden_trials), 1, 1000, "trials of each of a pair"},
    {"harden_candidates", TR_COUNT, AT(harden_candidates), 1, 1000,
     "pushes drawn for a pushed trial, of which the hardest is met"},
    {"harden_sigma_deg", TR_REAL, AT(harden_sigma_deg), 0.001, 20, "size of the shifts"},
    {"harden_spacing", TR_COUNT, AT(harden_spacing), 1, 1000,
     "fragments from one shift of their own to the next"},
    {"harden_rate", TR_REAL, AT(harden_rate), 0, 100, "step of an update, in shifts"},
    {"harden_averaged", TR_COUNT, AT(harden_averaged), 0, 1000,
     "last updates of a round whose mean is its result"},
    {"harden_push_n", TR_REAL, AT(harden_push_n), 0, 1e4, "largest push while hardening"},
    {"harden_after_s", TR_REAL, AT(harden_after_s), 0.1, 100, "time watched after it"},
    {"harden_first", TR_COUNT, AT(harden_first), 0, 1000, "of a chain: first fragment it changes"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 1000, "undisturbed trials per iteration"},
    {"test_resist_trials", TR_COUNT, AT(test_resist_trials), 0, 1000,
     "trials of the time resisted under growing pushes; does not choose"},
    {"test_cap_s", TR_REAL, AT(test_cap_s), 1, 1000, "their length"},
    {"test_grid_n", TR_REAL, AT(test_grid_n), 1, 1000, "grid of the push test"},
    {"test_settle_s", TR_REAL, AT(test_settle_s), 0, 1000, "time before its pushes"},
    {"test_after_s", TR_REAL, AT(test_after_s), 0.1, 1000, "time to be survived after them"},
    {"stop_after", TR_COUNT, AT(stop_after), 0, 1000,
     "rows without a better one that end guided learning or hardening; 0: none"},
    {"stop_at_n", TR_REAL, AT(stop_at_n), 0, 1e4, "push survived that ends both; 0: none"},
    {"seed", TR_SEED, AT(seed), 0, 0, "of everything drawn"},
};
static const tr_parameter_table table = {rows, sizeof rows / sizeof rows[0]};

tr_learn_parameters tr_learn_parameters_default(void) {
    return (tr_learn_parameters){.gain_set = "a",
                                 .step_s = 0.005,
                                 .fragment_s = 0.1,
                                 .ankles = 1,
                                 .weights = tr_cost_weights_default(),
                                 .cost_max = 8,
                                 .rollback = 10,
                                 .failures_max = 100,
                                 .elite_share = 0.1,
                                 .refine_rounds = 5,
                                 .refine_visits = 40,
                                 .refine_samples = 1000,
                                 .refine_skipped = 4,
                                 .refine_sigma_deg = 12,
                                 .refine_decay = 0.7,
                                 .iterations = 20,
                                 .visits = 200,
                                 .first_samples = 1000,
                                 .samples = 200,
                                 .first_sigma_deg = 5,
                                 .sigma_floor_deg = 2.5,
                                 .noise_deg = 3,
                                 .lambda = 1e-6,
                                 .blend = 1,
                                 .push_n = 250,
                                 .push_probability = 0.22,
                                 .push_from = 2,
                                 .push_ramp = 6,
                                 .harden_rounds = 0,
                                 .harden_updates = 10,
                                 .harden_directions = 32,
                                 .harden_best = 16,
                                 .harden_trials = 16,
                                 .harden_candidates = 1,
                                 .harden_spacing = 1,
                                 .harden_sigma_deg = 0.6,
                                 .harden_rate = 0.5,
                                 .harden_push_n = 200,
                                 .harden_after_s = 2.5,
                                 .test_trials = 10,
                                 .test_resist_trials = 0,
                                 .test_cap_s = 60,
                                 .test_grid_n = 20,
                                 .test_settle_s = 3,
                                 .test_after_s = 5,
                                 .stop_after = 0,
                                 .stop_at_n = 0,
                                 .seed = 1};
}

tr_status tr_learn_parameters_set(tr_learn_parameters *parameters, const char *name,
                                  const char *value, tr_error *error) {
    return tr_parameter_set(&table, parameters, name, value, error);
}

tr_status tr_learn_parameters_print(const tr_learn_parameters *parameters, char *out,
                                    size_t capacity) {
    return tr_parameter_print(&table, parameters, out, capacity);
}

tr_status tr_learn_parameters_explain(char *out, size_t capacity) {
    const tr_learn_parameters defaults = tr_learn_parameters_default();
    return tr_parameter_explain(&table, &defaults, out, capacity);
}
