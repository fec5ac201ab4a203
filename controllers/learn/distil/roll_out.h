/* Roll-outs: trials of a graph's skills in which states, and what the teachers would do there, are
 * noted (Ross et al. 2011, DAgger: the learner acts, the teacher labels). */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"

/* The beginning of a fragment, in the unmirrored half.
 *   since:  fragments since the trial began
 *   action: of the teacher, [action.size] rad */
typedef struct tr_roll_out_sample {
    int fragment, since;
    float state[TR_FEATURE_COUNT], action[TR_ACTION_MAX];
} tr_roll_out_sample;

/* acts, teacher: of the same graph, but for policies
 * trials: of each cyclic skill; each ends after trial_s or when the motion is lost
 * push_n: pushes are drawn evenly up to this, every 1 to 3 s */
typedef struct tr_roll_out_def {
    const tr_controller *acts, *teacher;
    int trials;
    double trial_s, push_n, noise_rad;
    uint64_t seed;
} tr_roll_out_def;

/* The samples of all trials, in their order: [*out_count], to be freed. Deterministic, whatever the
 * number of threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_roll_out(tr_ensemble *ensemble, const tr_roll_out_def *def, tr_roll_out_sample **out,
                      int *out_count) TR_NODISCARD;
