/* What a latent controller can do: many characters, each with goals that change (levine2012,
 * section 7.3).
 *
 * Rewards are counted without the quality term, as figure 6 of the paper does, and in directions
 * alone, exp(-3 |angle|), whatever the policy was trained for, so that figures can be compared. A
 * character that moves at random earns about 106 of 1000. */
#pragma once

#include "control/latent/latent_policy.h"
#include "learn/measure/heading_record.h"
#include "learn/rehearsal/pool.h"

/* --- a sequence of poses --- */

/* How natural a sequence of poses is, by two measures that clips have too: whether the standing
 * foot slides, and how jerky the movement is. Takes the poses in their order; begin a measure as zeros.
 *   slip   [slip_count], speeds of the slowest support point of the lower foot, m/s
 *   jerk   sum of the third differences' lengths, m/s3, over jerk_count bodies and frames */
typedef struct tr_gait_measure {
    const tr_model *model;
    const tr_support *support;
    int support_count;
    double dt_s;
    double *slip; /* room for as many as there are poses */
    int slip_count, jerk_count, pose_count;
    double jerk;
    tr_vec3 body[4][TR_BODY_MAX]; /* of the last poses, the newest first */
    tr_vec3 point[2][TR_SUPPORT_MAX];
} tr_gait_measure;

void tr_gait_measure_add(tr_gait_measure *measure, const tr_pose *pose);

/* Forgets the poses, but not what was measured: the next pose begins another sequence. */
void tr_gait_measure_break(tr_gait_measure *measure);

/* Return the median of the slips, which it sorts, and the mean of the third differences. 0: nothing
 * was measured. */
double tr_gait_measure_slip(tr_gait_measure *measure);
double tr_gait_measure_jerk(const tr_gait_measure *measure);

/* --- characters --- */

/*   steps       decisions of each character
 *   targets     points of each character, where the task is to strike
 *   goal_steps  until it is given another goal
 *   policy      gives the goals, and is measured
 *   decisions   the points themselves are shown, as in the paper: no spline, no planted feet, and no
 *               constraint that brings the body to a target (strike.h) */
typedef struct tr_latent_check {
    const tr_model *model;
    const tr_latent_space *space;
    const tr_latent_policy *policy;
    tr_pool *pool;
    int characters, steps, goal_steps, targets;
    bool decisions;
    uint64_t seed;
} tr_latent_check;

/* Results of a heading task: how headings are followed (heading_record.h), and spreads over
 * characters.
 *   speed_mps           of the root
 *   variance            of the pose, times the mean over the clips
 *   slip_mps            speed of the slowest support point of the lower foot: median over time
 *   jerk                mean third difference of the bodies' positions, m/s3
 *   clip_slip_mps, clip_jerk    the same of the clips */
typedef struct tr_latent_check_result {
    tr_heading_summary heading;
    tr_spread speed_mps, variance, slip_mps, jerk;
    double clip_slip_mps, clip_jerk;
} tr_latent_check_result;

/* TR_INVALID_ARGUMENT: not a heading task; TR_RESOURCE_EXHAUSTED: no memory. Deterministic whatever
 * the number of threads. */
tr_status tr_latent_check_run(const tr_latent_check *check,
                              tr_latent_check_result *out) TR_NODISCARD;

/* Whether targets are hit (section 7.2). A point is drawn 0.6 to 1 m away, within 60 degrees to either side, at
 * the task's height. It is hit when the task's body comes within 0.1 m of it in 2 s. The character then
 * gets the next point, wherever it stands.
 *   hits, trials    and the Wilson interval of their share, 95 %
 *   miss_m          least distance of the body, over targets
 *   hit_s           until a hit, over those that were hit
 *   slip_mps        speed of the slowest support point of the lower foot: median over time, over
 *                   characters */
typedef struct tr_target_check_result {
    int hits, trials;
    double low, high;
    tr_spread miss_m, hit_s, slip_mps;
} tr_target_check_result;

/* TR_INVALID_ARGUMENT: not a target task; TR_RESOURCE_EXHAUSTED: no memory. Deterministic whatever
 * the number of threads. */
tr_status tr_latent_check_targets(const tr_latent_check *check,
                                  tr_target_check_result *out) TR_NODISCARD;
