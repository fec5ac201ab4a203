/* Constraints on a pose: a point of a body is at a place, or on one side of a plane (levine2012,
 * section 6.1).
 *
 * The paper looks for the pose y of least |y - mu|^2_s that meets its constraints, linearised about
 * the present pose: J dy = r. With the metric M of a joint's turn, the mean square of the way that
 * it moves the bodies it carries, the least change is
 *
 *   dy = M^-1 J^T (J M^-1 J^T + damping I)^-1 r
 *
 * which is repeated a few times. Constraints of a plane count while the point is behind it
 * (non-penetration). Joint limits of hinges are kept. A search that ends short of its constraints
 * is repeated with bent hinges, because no small turn shortens a straight limb. Where no pose can
 * meet the constraints, the result is the best round, as near as the damping allows.
 *
 * Deterministic; no state; any thread. */
#pragma once

#include "model/state.h"

enum { TR_POSE_CONSTRAINT_MAX = 12 };

/*   body, point   the point, in the body's frame, from its origin, m
 *   base          the joints of the bodies from `body` up to, but without, this ancestor move
 *   target        where it is to be, world, m
 *   normal        unit: the point is to be on this side of the plane through the target; zero: it
 *                 is to be at the target */
typedef struct tr_pose_constraint {
    int body, base;
    tr_vec3 point, target, normal;
} tr_pose_constraint;

/* Changes the joints of `pose`. count: at most TR_POSE_CONSTRAINT_MAX. Returns the largest distance
 * that is left, m. */
double tr_pose_constrain(const tr_model *model, const tr_pose_constraint *constraints, int count,
                         tr_pose *pose);
