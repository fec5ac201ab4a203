/* How smoothly a character changes from one space to another (levine2012,
 * sections 6.3 and 7.5).
 *
 * Characters move in one space towards random goals and then join another one
 * as a puppet does when its controller changes (latent_motion.h). Measured
 * are the turns of the joints from frame to frame, beside those in the clips of
 * both spaces. */
#ifndef TROUPE_LEARN_LATENT_SWITCH_CHECK_H
#define TROUPE_LEARN_LATENT_SWITCH_CHECK_H

#include "control/latent/latent_motion.h"
#include "learn/latent/latent_check.h"
#include "learn/rehearsal/pool.h"

/*   from, to        both of one model, with clips of one frame rate
 *   jump            the second space begins without the carried difference: a control
 *   before_s        least time before the change; as much again is random
 *   after_s         that is measured, from the change on */
typedef struct tr_switch_check {
    tr_latent_mover from, to;
    tr_pool *pool;
    int characters;
    bool jump;
    double before_s, after_s;
    uint64_t seed;
} tr_switch_check;

/* Largest turn of a joint from one frame to the next, rad: over the time after
 * the change, over the same time before it, both spread over characters; and
 * over the clips. */
typedef struct tr_switch_check_result {
    tr_spread after, before;
    double clips;
} tr_switch_check_result;

/* TR_INVALID_ARGUMENT: the frame rates differ, or there are no characters;
 * TR_RESOURCE_EXHAUSTED: no memory. Deterministic whatever the number of
 * threads. */
tr_status tr_switch_check_run(const tr_switch_check *check,
                              tr_switch_check_result *out) TR_NODISCARD;

#endif
