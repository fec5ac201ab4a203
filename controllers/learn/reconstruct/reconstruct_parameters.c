/* The parameters of a reconstruction, by name. */
#include "learn/reconstruct/reconstruct.h"

#include <stddef.h>

#define AT(field) offsetof(tr_reconstruct_parameters, field)

static const tr_parameter rows[] = {
    {"gains", TR_NAME, AT(gain_set), 0, 0, "a", "gain set of the model"},
    {"step_s", TR_REAL, AT(step_s), 0.0005, 0.02, "0.005", "simulation step"},
    {"fragment_s", TR_REAL, AT(fragment_s), 0.01, 0.4, "0.1", "intended duration of a fragment"},
    {"cycles", TR_COUNT, AT(cycles), 1, 1000, "1", "times that a cyclic motion is run through"},
    {"arms", TR_COUNT, AT(arms), 0, 1, "0", "1: the shoulders are sampled too"},
    {"plain", TR_COUNT, AT(plain), 0, 1, "0", "1: the original algorithm"},
    {"samples", TR_COUNT, AT(samples), 4, 10000, "200", "Ns, per fragment and trial"},
    {"elite_share", TR_REAL, AT(elite_share), 0.001, 1, "0.1", "ns / Ns"},
    {"omega", TR_REAL, AT(omega_rad), 1e-4, 2, "0.1", "first standard deviation of a sample, rad"},
    {"tau", TR_REAL, AT(tau), 0, 0.5, "0", "that of the time scale's logarithm; 0: not scaled"},
    {"window", TR_COUNT, AT(window.size), 1, 2000, "50", "fragments of the sliding window"},
    {"updates_min", TR_COUNT, AT(window.updates_min), 1, 1000, "5", "before a fragment slides out"},
    {"updates_max", TR_COUNT, AT(window.updates_max), 1, 1000, "20", "after which it does"},
    {"patience", TR_COUNT, AT(window.patience), 1, 1000, "5", "trials without decrease: stable"},
    {"margin", TR_COUNT, AT(window.margin), 1, 1000, "15",
     "fragments that a trial must continue for"},
    {"good", TR_REAL, AT(window.good), 0, 1e3, "0.3", "normalised cost that is good enough"},
    {"trials_max", TR_COUNT, AT(trials_max), 1, 100000, "1000",
     "trials before the search is given up"},
    {"stalls_max", TR_COUNT, AT(stalls_max), 1, 1000, "20",
     "trials without progress before a rollback"},
    {"rollback", TR_COUNT, AT(rollback), 1, 1000, "5", "fragments to roll back"},
    {"cost_max", TR_REAL, AT(cost_max), 0.1, 1e6, "15",
     "a fragment whose best sample costs more failed"},
    {"successes", TR_COUNT, AT(successes), 1, 10000, "1", "plain: controls wanted"},
    {"budget", TR_REAL, AT(budget), 0, 1e12, "0", "plain: samples to spend instead; 0: none"},
    {"rounds", TR_COUNT, AT(rounds), 0, 1000, "0", "averaging rounds after the search"},
    {"shrink", TR_REAL, AT(shrink), 0.1, 1, "0.7", "of the windows from round to round"},
    {"weight_pose", TR_REAL, AT(weights.base.pose), 0, 1e3, "4", "eq. 20: joint angles"},
    {"weight_root", TR_REAL, AT(weights.base.root), 0, 1e3, "4", "eq. 20: root orientation"},
    {"weight_effector", TR_REAL, AT(weights.base.effector), 0, 1e3, "10",
     "eq. 20: effector heights"},
    {"weight_balance", TR_REAL, AT(weights.base.balance), 0, 1e3, "1",
     "eq. 20: centroid to effectors"},
    {"weight_centroid", TR_REAL, AT(weights.base.centroid), 0, 1e3, "3", "eq. 20: centroid"},
    {"weight_velocity", TR_REAL, AT(weights.base.velocity), 0, 1e3, "0.1", "eq. 20: its velocity"},
    {"weight_angular", TR_REAL, AT(weights.base.angular), 0, 1e3, "0.03",
     "eq. 20: angular momentum"},
    {"weight_action", TR_REAL, AT(weights.base.action), 0, 1e3, "0.5",
     "eq. 20: norm of the sample"},
    {"weight_trunk", TR_REAL, AT(weights.trunk), 0, 1e3, "2", "flips: orientation of the trunk"},
    {"weight_reach", TR_REAL, AT(weights.reach), 0, 1e3, "5", "flips: where the end effectors are"},
    {"weight_support", TR_REAL, AT(weights.support), 0, 1e3, "5",
     "standing: centroid over the feet"},
    {"weight_tau", TR_REAL, AT(weights.tau), 0, 1e3, "0.5", "change of the time scale"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "of everything drawn"},
};
const tr_parameter_table tr_reconstruct_parameter_table = {.row = rows,
                                                           .count = sizeof rows / sizeof rows[0]};

tr_reconstruct_parameters tr_reconstruct_parameters_default(void) {
    tr_reconstruct_parameters values = {0};
    tr_parameter_reset(&tr_reconstruct_parameter_table, &values);
    return values;
}
