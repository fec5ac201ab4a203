/* Motion fields (Lee, Wampler, Bernstein, Popović and Popović 2010): the control of figure 6 of
 * levine2012, the same clips and the same task without a learned space.
 *
 * A state is a pose x and the step v that follows it. With the k nearest frames (x_i, v_i, y_i),
 * y_i the step after v_i, and weights w_i of their inverse squared distances, action a counts frame
 * a as 1 and the others as w_i, all divided by their sum, and
 *
 *   x' = x + (1 - drift) sum_i w_i v_i + drift (x_a + v_a - x),     v' = the same of y
 *
 * The root's steps are mixed as v is. Values lie at the frames and on the task's grid of goals, and
 * are mixed by the weights. Deterministic whatever the number of threads. */
#ifndef TROUPE_LEARN_LATENT_MOTION_FIELD_H
#define TROUPE_LEARN_LATENT_MOTION_FIELD_H

#include "control/latent/latent_space.h"
#include "control/latent/latent_task.h"
#include "learn/rehearsal/pool.h"

enum { TR_MOTION_FIELD_NEAR = 15 };

typedef struct tr_motion_field tr_motion_field;

/*   space     whose clips are used; its points are not
 *   drift     share by which a step leads back to the clips */
typedef struct tr_motion_field_def {
    const tr_model *model;
    const tr_latent_space *space;
    const tr_latent_task *task;
    double discount, drift;
    tr_pool *pool;
} tr_motion_field_def;

/* Computes the values, until none changes by more than a thousandth. The space must outlive the
 * field.
 * TR_INVALID_ARGUMENT: fewer than TR_MOTION_FIELD_NEAR frames, or not a heading task;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_motion_field_create(const tr_motion_field_def *def,
                                 tr_motion_field **out) TR_NODISCARD;
void tr_motion_field_destroy(tr_motion_field *field); /* NULL is fine */

/* A pose vector and the step that follows it: of the pose, then of the root, channels of
 * pose_vector.h a frame. */
typedef struct tr_motion_field_state {
    double pose[TR_POSE_VECTOR_MAX], step[TR_POSE_VECTOR_MAX];
    tr_root_step root;
} tr_motion_field_state;

/* Returns the state of the frame of the field that is nearest to a frame of the space in number. */
tr_motion_field_state tr_motion_field_begin(const tr_motion_field *field, int frame);

/* Takes the best action. Returns how the root moves. */
tr_root_step tr_motion_field_advance(const tr_motion_field *field, const tr_goal *goal,
                                     tr_motion_field_state *state);

/* Returns V(state, goal). */
double tr_motion_field_value(const tr_motion_field *field, const tr_motion_field_state *state,
                             const tr_goal *goal);

#endif
