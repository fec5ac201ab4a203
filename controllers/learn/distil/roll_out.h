/* Roll-outs: trials of a graph's skills in which states, and what the teachers would do there, are
 * noted (Ross et al. 2011, DAgger: the learner acts, the teacher labels). In trials with changes
 * another skill takes over now and then, where it is most alike or worth the most. */
#pragma once

#include "learn/distil/switch_test.h"
#include "learn/train/harden_ground.h"

enum { TR_ROLL_OUT_SKILL_MAX = 64 };

/* A fragment, as seen in its unmirrored half.
 *   since:  fragments since the trial began
 *   state:  at its beginning
 *   action: of the teacher, [action.size] rad */
typedef struct tr_roll_out_sample {
    int fragment, since;
    float state[TR_FEATURE_COUNT], action[TR_ACTION_MAX];
} tr_roll_out_sample;

/* A sample, and what came of it.
 *   next:  fragment that follows in its skill
 *   from:  skill before the last change; -1: there was none; age: fragments since then
 *   lost:  the motion was lost in it
 *   after: state at its end, in the unmirrored half of `next`
 *   noise: that was added to what acted, [action.size] rad */
typedef struct tr_roll_out_step {
    tr_roll_out_sample at;
    int next, from, age;
    bool lost;
    float after[TR_FEATURE_COUNT], noise[TR_ACTION_MAX];
} tr_roll_out_step;

/* The skills between which changes are drawn.
 * share:  of ends of fragments at which the skill changes
 * critic: says what entries are worth, for so large a share of the changes; the others enter where the
 *         skill is most alike
 * failed: [from][to], 0 to 1, how often that change failed lately; such changes, and trials that begin
 *         in skills out of which they fail, are drawn more often */
typedef struct tr_roll_out_changes {
    double share, valued_share;
    const tr_network *critic;
    double (*failed)[TR_ROLL_OUT_SKILL_MAX];
} tr_roll_out_changes;

/* acts, teacher: of the same graph of cyclic skills, but for policies
 * cycles: says where the skills usually are, for changes
 * trials: of each skill, in the mean where they are drawn; each ends after trial_s or when the motion
 *         is lost
 * push_n: pushes are drawn evenly up to this, every 1 to 3 s, in that share of the trials
 * changes: NULL: none; ground: of which trials, heading anywhere; NULL: all are on the plane */
typedef struct tr_roll_out_def {
    const tr_controller *acts, *teacher;
    const tr_follower *cycles;
    const tr_roll_out_changes *changes;
    const tr_harden_ground *ground;
    int trials;
    double trial_s, push_n, pushed_share, noise_rad;
    uint64_t seed;
} tr_roll_out_def;

/* The steps of all trials, in their order: [*out_count], to be freed. Deterministic, whatever the number
 * of threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_roll_out(tr_ensemble *ensemble, const tr_roll_out_def *def, tr_roll_out_step **out,
                      int *out_count) TR_NODISCARD;

/* d of a noted state at the start of a fragment. */
void tr_roll_out_deviation(const tr_follower *follower, int fragment, const float *state,
                           float out[TR_FEATURE_COUNT]);
