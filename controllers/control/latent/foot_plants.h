/* Feet that do not slide while they stand (levine2012, section 6.2).
 *
 * A support that stands is planted: the legs are bent so that it stops near its place and stays
 * there. It is released when the clips near the point say that the foot lifts, or when it would
 * pull the foot too far from the pose. A foot keeps its orientation: all its supports are shifted
 * by one offset o from the pose's places p(t).
 *
 *   planted supports, means over them   e = p + o - place,  e'' = -2 w e' - w^2 e
 *   no support is planted               o'' = -2 w o' - w^2 o
 *
 * The first is a spring on the foot in the world, so that the foot stands whatever the pose does
 * below it. The place lies e'/w ahead of where the foot is when it is planted: then e decays as
 * exp(-w t), and the foot never moves back. Velocities are continuous. Deterministic. */
#pragma once

#include "control/latent/latent_space.h"

/* All zeros: no foot is planted.
 *   known    at least one pose was seen
 *   planted  of a support
 *   place    of a planted support, world, m
 *   at       of a support in the pose before, world, m
 *   speed    of `at`, m/s
 *   offset   of a foot, from the pose's, world, m
 *   rate     of the offset, m/s */
typedef struct tr_foot_plants {
    int known, planted[TR_SUPPORT_MAX];
    tr_vec3 place[TR_SUPPORT_MAX], at[TR_SUPPORT_MAX], speed[TR_SUPPORT_MAX];
    tr_vec3 offset[TR_SUPPORT_MAX], rate[TR_SUPPORT_MAX];
} tr_foot_plants;

/* Over dt_s, to `pose`, which is changed. standing: [support_count], how surely each support
 * stands. ground_m: height of the ground. */
void tr_foot_plants_step(tr_foot_plants *plants, const tr_latent_space *space,
                         const tr_model *model, const double *standing, double ground_m,
                         double dt_s, tr_pose *pose);
