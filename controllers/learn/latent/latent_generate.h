/* Motions that a policy generates: a character walks a course, and other learners use its poses as
 * they use a clip. */
#ifndef TROUPE_LEARN_LATENT_LATENT_GENERATE_H
#define TROUPE_LEARN_LATENT_LATENT_GENERATE_H

#include "control/latent/latent_motion.h"
#include "motion/poses/motion.h"

enum { TR_COURSE_LEG_MAX = 64 };

/* From a time on: a heading of the world, rad, and a speed, m/s; 0: the policy's own. */
typedef struct tr_course_leg {
    double from_s, heading_rad, speed_mps;
} tr_course_leg;

/*   leg         in order of time; none: straight on
 *   turn_rad_s  by which the headings turn all the time: a circle
 *   settle_s    that is walked before the motion begins
 *   frame_s     between the frames of the motion
 *   frame       of the space, at which the character begins
 *   cyclic      only one stride: the one that ends most like it begins and turns most nearly as the
 *               course does; closed, so that it turns exactly as the course does */
typedef struct tr_generation {
    tr_latent_mover mover;
    tr_course_leg leg[TR_COURSE_LEG_MAX];
    int leg_count, frame;
    double turn_rad_s, settle_s, seconds, frame_s;
    bool cyclic;
} tr_generation;

/* TR_INVALID_ARGUMENT: the policy is not one for headings, or a number is out of range;
 * TR_NOT_FOUND: no stride ends as it began; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_generate(const tr_generation *generation, tr_motion **out) TR_NODISCARD;

#endif
