/* Feet that do not slide while they stand (levine2012, section 6.2).
 *
 * A support that stands is planted: the legs are bent so that it stays at its place on the ground.
 * It is released when the clips near the point say that the foot lifts, or when it would pull the
 * foot too far from the pose. A foot keeps its orientation: all its supports are shifted by one
 * offset, which follows the planted supports, or returns to zero when none is planted, as a
 * critically damped spring: feet do not stop with a jerk. Deterministic. */
#ifndef TROUPE_CONTROL_LATENT_FOOT_PLANTS_H
#define TROUPE_CONTROL_LATENT_FOOT_PLANTS_H

#include "control/latent/latent_space.h"

/* All zeros: no foot is planted.
 *   planted  of a support
 *   at       of a planted support, world, m
 *   offset   of a foot, from the pose's, world, m
 *   rate     of the offset, m/s */
typedef struct tr_foot_plants {
    int planted[TR_SUPPORT_MAX];
    tr_vec3 at[TR_SUPPORT_MAX], offset[TR_SUPPORT_MAX], rate[TR_SUPPORT_MAX];
} tr_foot_plants;

/* Over dt_s, to `pose`, which is changed. standing: [support_count], how surely each support
 * stands. ground_m: height of the ground. */
void tr_foot_plants_step(tr_foot_plants *plants, const tr_latent_space *space,
                         const tr_model *model, const double *standing, double ground_m,
                         double dt_s, tr_pose *pose);

#endif
