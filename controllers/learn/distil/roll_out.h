/* Roll-outs: trials of a graph's skills in which states, and what the teachers would do there, are
 * noted (Ross et al. 2011, DAgger: the learner acts, the teacher labels). In trials with changes
 * another skill takes over now and then, where it is most alike. */
#pragma once

#include "learn/distil/switch_test.h"

/* A fragment, as seen in its unmirrored half.
 *   next:   fragment that follows in its skill
 *   since:  fragments since the trial began
 *   lost:   the motion was lost in it
 *   state:  at its beginning; after: at its end, in the unmirrored half of `next`
 *   action: of the teacher; noise: that was added to what acted; [action.size] rad */
typedef struct tr_roll_out_sample {
    int fragment, next, since;
    bool lost;
    float state[TR_FEATURE_COUNT], after[TR_FEATURE_COUNT];
    float action[TR_ACTION_MAX], noise[TR_ACTION_MAX];
} tr_roll_out_sample;

/* acts, teacher: of the same graph, but for policies
 * cycles: says where the skills usually are, for changes
 * trials: of each cyclic skill; each ends after trial_s or when the motion is lost
 * push_n: pushes are drawn evenly up to this, every 1 to 3 s, in that share of the trials
 * change_share: of ends of fragments at which the skill changes */
typedef struct tr_roll_out_def {
    const tr_controller *acts, *teacher;
    const tr_follower *cycles;
    int trials;
    double trial_s, push_n, pushed_share, change_share, noise_rad;
    uint64_t seed;
} tr_roll_out_def;

/* The samples of all trials, in their order: [*out_count], to be freed. Deterministic, whatever the
 * number of threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_roll_out(tr_ensemble *ensemble, const tr_roll_out_def *def, tr_roll_out_sample **out,
                      int *out_count) TR_NODISCARD;

/* d of a noted state at the start of a fragment. */
void tr_roll_out_deviation(const tr_follower *follower, int fragment, const float *state,
                           float out[TR_FEATURE_COUNT]);
