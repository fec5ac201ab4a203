/* Limbs: three joints in a row, such as hip, knee and ankle, or shoulder, elbow and wrist, and the
 * inverse kinematics that puts the last body where it is to be.
 *
 * Damped Gauss-Newton steps with finite differences, from angles that the caller gives: the same
 * angles and goal give the same pose to the bit. No state; any thread. */
#pragma once

#include "model/state.h"

enum { TR_LIMB_JOINTS = 3, TR_LIMB_ANGLES_MAX = 3 * TR_LIMB_JOINTS };

/* body: from the trunk outwards; each stands for its joint to the one before
 * angles: of all three; a rotation vector (3) for each ball joint, an angle for each hinge */
typedef struct tr_limb {
    int body[TR_LIMB_JOINTS];
    int angles;
} tr_limb;

/* The limb that ends with this body. TR_INVALID_ARGUMENT: fewer than three joints lead from the root
 * to it. */
tr_status tr_limb_find(const tr_model *model, int body, tr_limb *out) TR_NODISCARD;

/* Angles to begin with: straight, but for the hinges, which bend by bend_rad to the larger side of
 * their range. out: [angles], rad */
void tr_limb_bend(const tr_model *model, const tr_limb *limb, double bend_rad, double *out);

/* Where the last body of a limb is to be, world.
 * point: of that body, in its frame, that is to be at pos
 * rot:   body to world; counts where `turned` */
typedef struct tr_limb_goal {
    tr_vec3 point, pos;
    bool turned;
    tr_quat rot;
} tr_limb_goal;

/* Turns the joints of the pose so that the goal is met; hinges stay bent to the larger side of their
 * range. angles: [limb->angles], rad, where it begins, and what it found. Returns how far it misses
 * the goal, m; a radian counts as 0.3 m. INFINITY: something is not finite. */
double tr_limb_reach(const tr_model *model, const tr_limb *limb, const tr_limb_goal *goal,
                     tr_pose *pose, double *angles);
