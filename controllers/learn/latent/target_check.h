/* Whether a policy hits targets: many characters, each with one point after the other (levine2012,
 * section 7.2).
 *
 * A point is drawn within a sector before the character, at the task's height. It is hit when the
 * task's body comes near it within the time. The character then gets the next point, wherever it
 * stands. */
#pragma once

#include "control/latent/latent_policy.h"
#include "learn/latent/latent_check.h"
#include "learn/rehearsal/pool.h"

/*   targets           of each character
 *   sector_rad        of the bearing, to either side
 *   near_m, far_m     distances of the points from the root
 *   hit_m, seconds    what counts as a hit
 *   policy_alone      the pose is the policy's: no constraint helps (strike.h) */
typedef struct tr_target_check {
    const tr_model *model;
    const tr_latent_space *space;
    const tr_latent_policy *policy;
    tr_pool *pool;
    int characters, targets;
    double sector_rad, near_m, far_m, hit_m, seconds;
    bool policy_alone;
    uint64_t seed;
} tr_target_check;

/* 32 characters, 20 targets each at 0.6 to 1 m within 60 degrees, 0.1 m, 2 s. */
tr_target_check tr_target_check_default(void);

/*   hits, trials    and the Wilson interval of their share, 95 %
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
tr_status tr_target_check_run(const tr_target_check *check,
                              tr_target_check_result *out) TR_NODISCARD;
