/* The verdict on a controller that is learned: the test by which the best of a training is kept.
 *
 * Internal to the learner. */
#pragma once

#include "learn/train/harden_ground.h"
#include "learn/train/learner.h"

/* score: below 0 the share of the test time held, from 0 on the push survived, N; with ground plus
 * 200 N for the share of the trials on it that stay up; where strikes cost, plus what the largest
 * load of a step is worth (tread.h); where sliding costs, plus 50 N for each cm/s by which contacts
 * slide slower than 0.1 m/s */
typedef struct tr_verdict {
    double undisturbed_s, push95_n, score;
} tr_verdict;

/* Tests a controller on the seeds of the row in progress. */
tr_status tr_verdict_reach(tr_learner *learner, const tr_controller *controller,
                           tr_verdict *out) TR_NODISCARD;

/* Returns the ground on which a controller is tested, and hardened. */
tr_harden_ground tr_verdict_ground(const tr_learn_parameters *parameters);
