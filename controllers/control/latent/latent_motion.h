/* Motion of one character by a latent policy: decisions at the clips' rate,
 * poses at any time between them, feet that stay where they stand.
 *
 * The policy swings from one side of its ring of candidates to the other, and between the clips
 * poses change from point to point more than from frame to frame of a clip. So the motion shows
 * a uniform cubic B-spline. Its control values are means of three decisions each: of the poses at
 * the policy's points, and of the places to which its root steps lead. The spline is twice
 * continuously differentiable, and three decisions behind.
 *
 *   pose       of the spline
 *   root step  of the spline; the feet that stand change its length, its direction by a quarter
 *              of what they ask for, and not its turn (anchor.h)
 *   feet       planted (foot_plants.h): the legs correct the sliding that remains
 *
 * The state is plain data. Deterministic; nothing is allocated. */
#pragma once

#include "control/latent/anchor.h"
#include "control/latent/foot_plants.h"
#include "control/latent/latent_policy.h"

enum { TR_LATENT_KNOTS = 6, TR_LATENT_CUBIC = 4 };

/*   point    control points, the newest last
 *   phase    0 to 1, from one decision to the next
 *   place    of the root
 *   footing  of the pose shown last, before its feet were planted
 *   carried  difference of the pose shown from the space's, channels of pose_vector.h, and its
 *            rate, 1/s; decays as a critically damped spring
 *   drag     change of the root's travel by the standing feet, heading frame, m/s; smoothed */
typedef struct tr_latent_motion {
    double point[TR_LATENT_KNOTS][TR_LATENT_DIMENSION_MAX];
    double phase;
    tr_pose_place place;
    double carried[TR_POSE_VECTOR_MAX], carried_rate[TR_POSE_VECTOR_MAX];
    tr_footing footing;
    tr_vec3 drag;
    tr_foot_plants plants;
} tr_latent_motion;

/* What a motion moves in. */
typedef struct tr_latent_mover {
    const tr_model *model;
    const tr_latent_space *space;
    const tr_latent_policy *policy;
} tr_latent_mover;

/* Begins at a frame of the space, at least four frames before its clip's end where the clip is
 * long enough. phase: 0 to 1; characters with different phases decide at different times. */
void tr_latent_motion_begin(const tr_latent_mover *mover, int frame, double phase,
                            const tr_pose_place *place, tr_latent_motion *out);

/* Begins where a body is: at the clip frame of the nearest pose and movement. The paper searches
 * argmax over x of p(y | x) instead (section 6.3). The difference between the two, and between
 * their rates, is added to the motion and decays: neither poses nor velocities jump. */
void tr_latent_motion_join(const tr_latent_mover *mover, const tr_state *state, double phase,
                           tr_latent_motion *out);

/* The cubic B-spline of the newest control points: the point that maps show. It is one decision
 * ahead of the pose. */
tr_latent_state tr_latent_motion_shown(const tr_latent_mover *mover,
                                       const tr_latent_motion *motion);

/* Advances by dt_s, at most the time between two decisions, for a goal as seen
 * from the place shown. ground_m: height of the ground. Returns the pose. With
 * a phase of 1 or more it decides in this step. */
tr_pose tr_latent_motion_step(const tr_latent_mover *mover, const tr_goal *goal, double ground_m,
                              double dt_s, tr_latent_motion *motion);

/* Steps like tr_latent_motion_step, without a policy: the point moves to `to`, at most two of the
 * clips' steps a decision, and stays there. The root moves as the movement of the point says. to:
 * [dimension]. */
tr_pose tr_latent_motion_follow(const tr_latent_mover *mover, const double *to, double ground_m,
                                double dt_s, tr_latent_motion *motion);
