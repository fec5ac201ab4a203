/* A trajectory: the poses of one character over time, for strips and evaluation.
 *
 * Grows as it records, up to the limit it was made with. Belongs to one thread at a time. */
#ifndef TROUPE_CONTROL_TRAJECTORY_H
#define TROUPE_CONTROL_TRAJECTORY_H

#include "physics/world.h"

typedef struct tr_trajectory tr_trajectory;

enum { TR_TRAJECTORY_POSE_MAX = 1 << 17 };

/* Keeps every `every`-th pose that it is shown, the first included, `limit` at most.
 * TR_INVALID_ARGUMENT: every < 1, or a limit outside 1..TR_TRAJECTORY_POSE_MAX. */
tr_status tr_trajectory_create(int every, int limit, tr_trajectory **out) TR_NODISCARD;
void tr_trajectory_destroy(tr_trajectory *trajectory); /* NULL is fine */

/* Shows it the character: call it before the first step and after every step. TR_NOT_FOUND: no
 * such character; TR_RESOURCE_EXHAUSTED: a pose was due but the limit is reached or memory is out;
 * nothing is then recorded. */
tr_status tr_trajectory_record(tr_trajectory *trajectory, const tr_world *world,
                               tr_entity_id character) TR_NODISCARD;

/* Forgets all poses; the next one shown is kept. */
void tr_trajectory_clear(tr_trajectory *trajectory);

/* The poses so far, in order: [*out_count]. They live until the next call with this trajectory. */
const tr_pose *tr_trajectory_poses(const tr_trajectory *trajectory, int *out_count);

/* World time of each pose: [count], s. */
const double *tr_trajectory_times_s(const tr_trajectory *trajectory);

#endif
