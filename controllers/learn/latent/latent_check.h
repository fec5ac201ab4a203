/* What a latent controller can do: many characters, each with goals that change (levine2012,
 * section 7.3).
 *
 * Rewards are counted without the quality term, as figure 6 of the paper does, and in directions
 * alone, exp(-3 |angle|), whatever the policy was trained for, so that figures can be compared. A
 * character that moves at random earns about 106 of 1000. */
#ifndef TROUPE_LEARN_LATENT_CHECK_H
#define TROUPE_LEARN_LATENT_CHECK_H

#include "control/latent/latent_policy.h"
#include "learn/rehearsal/pool.h"

/*   steps       decisions of each character
 *   goal_steps  until it is given another goal
 *   decisions   the points themselves are shown, as in the paper: no spline, no planted feet */
typedef struct tr_latent_check {
    const tr_model *model;
    const tr_latent_space *space;
    const tr_latent_policy *policy;
    tr_pool *pool;
    int characters, steps, goal_steps;
    bool decisions;
    uint64_t seed;
} tr_latent_check;

/* A median over characters, or over goals, with the bounds of the middle half. */
typedef struct tr_spread {
    double median, low, high;
} tr_spread;

/* Sorts `values`. NAN: there are none. */
tr_spread tr_spread_of(double *values, int count);

/* Results of a heading task. Each is a spread over characters, unless its line says "over goals".
 *   reward              per step, of 1000
 *   deviation_deg       of the travel from the goal, in the second half of the time to each goal
 *   deviation_mean_deg  its mean over all
 *   reach_s             over goals: until the travel is within 20 deg of the goal
 *   turn_s              the same of goals that begin more than 90 deg off
 *   missed              share of the goals that were never within 20 deg
 *   speed_mps           of the root
 *   variance            of the pose, times the mean over the clips
 *   slip_mps            speed of the slowest support point of the lower foot: median over time
 *   jerk                mean third difference of the bodies' positions, m/s3
 *   clip_slip_mps, clip_jerk    the same of the clips */
typedef struct tr_latent_check_result {
    tr_spread reward, deviation_deg, reach_s, turn_s, speed_mps, variance, slip_mps, jerk;
    double deviation_mean_deg, missed;
    double clip_slip_mps, clip_jerk;
} tr_latent_check_result;

/* TR_INVALID_ARGUMENT: not a heading task; TR_RESOURCE_EXHAUSTED: no memory. Deterministic whatever
 * the number of threads. */
tr_status tr_latent_check_run(const tr_latent_check *check,
                              tr_latent_check_result *out) TR_NODISCARD;

#endif
