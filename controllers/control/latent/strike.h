/* A body that strikes at a point (levine2012, sections 6.1 and 7.2).
 *
 * The policy brings the body near, as the clips do; the rest of the way is a constraint on the pose.
 * For the body's distance d from the point in the space's pose, its offset from there follows
 *
 *   share (point - body),     share = smoothstep, 0 for d > 0.5 m, 1 for d < 0.2 m
 *
 * as a critically damped spring, so that it does not jump, even when the point changes. Trunk and
 * arm give way; the legs keep the pose. Deterministic; nothing is allocated. */
#pragma once

#include "control/latent/latent_task.h"

/* All zeros: at the pose. World, m and m/s. */
typedef struct tr_strike {
    tr_vec3 offset, rate;
} tr_strike;

/* The goal of a target task: a point of the world, seen from a place. */
tr_goal tr_strike_goal(tr_vec3 point, const tr_pose_place *place);

/* Over dt_s, to `pose`, which is changed. point: world, m; NULL: none, the body returns to the
 * pose. */
void tr_strike_step(tr_strike *strike, const tr_model *model, int body, const tr_vec3 *point,
                    double dt_s, tr_pose *pose);
