/* The parameters of a reconstruction, by name. */
#include "learn/reconstruct/reconstruct.h"

#include <stddef.h>

#define AT(field) offsetof(tr_reconstruct_parameters, field)

static const tr_parameter rows[] = {
    {"gains", TR_NAME, AT(gain_set), 0, 0, "a", "gain set of the model"},
    {"cycles", TR_COUNT, AT(cycles), 1, 1000, "1", "times that a cyclic motion is run through"},
    {"arms", TR_COUNT, AT(arms), 0, 1, "0", "1: the shoulders are sampled too"},
    {"plain", TR_COUNT, AT(plain), 0, 1, "0", "1: the original algorithm"},
    {"samples", TR_COUNT, AT(samples), 4, 10000, "200", "Ns, per fragment and trial"},
    {"tau", TR_REAL, AT(tau), 0, 0.5, "0", "that of the time scale's logarithm; 0: not scaled"},
    {"trials_max", TR_COUNT, AT(trials_max), 1, 100000, "1000",
     "trials before the search is given up"},
    {"budget", TR_REAL, AT(budget), 0, 1e12, "0",
     "plain: samples to spend, instead of the first success; 0: none"},
    {"rounds", TR_COUNT, AT(rounds), 0, 1000, "0", "averaging rounds after the search"},
    {"carried_kg", TR_REAL, AT(carried_kg), 0, 100, "0",
     "mass of a ball in the right hand; 0: none"},
    {"weight_velocity", TR_REAL, AT(weight_velocity), 0, 1e3, "0.1", "eq. 20: its velocity"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "of everything drawn"},
};

/* Constants now (tr_reconstruct_amounts_default, track.h, and where they are used). */
static const char retired[] =
    "weight_pose=4 weight_root=4 weight_effector=10 weight_balance=1 weight_centroid=3 "
    "weight_angular=0.03 weight_action=0.5 weight_trunk=2 weight_reach=5 weight_support=5 "
    "weight_tau=0.5 step_s=0.005 fragment_s=0.1 rollback=5 shrink=0.7 "
    "elite_share=0.1 omega=0.1 window=50 updates_min=5 updates_max=20 patience=5 margin=15 "
    "good=0.3 "
    "stalls_max=20 cost_max=15 successes=1";

const tr_parameter_table tr_reconstruct_parameter_table = {
    .row = rows, .count = sizeof rows / sizeof rows[0], .retired = retired};

tr_reconstruct_amounts tr_reconstruct_amounts_default(void) {
    return (tr_reconstruct_amounts){.elite_share = 0.1,
                                    .omega_rad = 0.1,
                                    .window = {.size = 50,
                                               .updates_min = 5,
                                               .updates_max = 20,
                                               .patience = 5,
                                               .margin = 15,
                                               .good = 0.3},
                                    .stalls_max = 20,
                                    .cost_max = 15,
                                    .successes = 1};
}
