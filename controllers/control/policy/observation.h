/* What a policy sees: rows of numbers of a character's state, with the names, the order and the
 * bits of troupe.envs.observations in the Python package.
 *
 *   root_height  1      of the root above the ground, m
 *   root_rot     4      rotation of the root in the heading frame, w x y z
 *   root_vel     3      its velocity there, m/s
 *   root_omega   3      its angular velocity there, rad/s
 *   joint_rot    4 each joint rotations, without the root's, w x y z
 *   joint_rate   3 each joint rates in the joint frame, without the root's, rad/s
 *   phase        2      sine and cosine of the entry's place in the cycle
 *   facing       2      cosine and sine of the root's heading in the world
 *   contacts     1 each body, the root's too: 1 where it touches something else than its character
 *   target       3      cosine and sine of the turn to the heading that is asked for, and the speed,
 *                       m/s; without a heading (1, 0), with the skill's own speed 0
 *   ground       15     heights of the ground ahead above the local ground, m (tr_world_ground_ahead)
 *
 * The heading frame is at the root, turned about z so that the root's x axis points along x. Every
 * number of the state is first rounded to single precision, as states on the wire are, and so is
 * every number of the result; in between, only additions, multiplications, divisions and square
 * roots in double precision, whose bits do not depend on the library (the sines and cosines of
 * `phase` and `target` are tr_sincos). Pure functions; thread-safe. */
#pragma once

#include "control/driver/steering.h"
#include "model/state.h"
#include "physics/world/world.h"

typedef enum tr_observation_row {
    TR_SEES_ROOT_HEIGHT,
    TR_SEES_ROOT_ROT,
    TR_SEES_ROOT_VEL,
    TR_SEES_ROOT_OMEGA,
    TR_SEES_JOINT_ROT,
    TR_SEES_JOINT_RATE,
    TR_SEES_PHASE,
    TR_SEES_FACING,
    TR_SEES_CONTACTS,
    TR_SEES_TARGET,
    TR_SEES_GROUND,
    TR_OBSERVATION_ROWS
} tr_observation_row;

enum { TR_OBSERVATION_MAX = 20 + TR_GROUND_AHEAD + 8 * TR_BODY_MAX };

/* The row's name in the table above, a literal. find: false: no row has the name. */
const char *tr_observation_name(tr_observation_row row);
bool tr_observation_find(const char *name, tr_observation_row *out);

/* Which rows, in which order; no row twice. */
typedef struct tr_observation {
    int count;
    tr_observation_row row[TR_OBSERVATION_ROWS];
} tr_observation;

/* The number of its values for a model of body_count bodies. */
int tr_observation_size(const tr_observation *observation, int body_count);

/* What rows are taken from. state: above its ground; touching: [body_count]; target: its skill does not
 * count; ground: [TR_GROUND_AHEAD]; phase: of the cycle, 0 to 1. Pointers may be NULL where no row needs them. */
typedef struct tr_observed {
    const tr_state *state;
    const bool *touching;
    const tr_steering_target *target;
    const double *ground;
    double phase;
    int body_count;
} tr_observed;

bool tr_observation_has(const tr_observation *observation, tr_observation_row row);

/* out: [tr_observation_size]. */
void tr_observe(const tr_observation *observation, const tr_observed *from, float *out);
