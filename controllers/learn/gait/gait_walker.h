/* A walker: a character of a world at work with a gait, with noise on its start and its servos.
 *
 * What trials have in common (gait_trial.h, gait_haul.h). Plain data; deterministic. */
#pragma once

#include "control/gait/gait_step.h"
#include "math/random.h"

/* Standard deviations of the start's joint angles and of each target in each step, about each axis;
 * the start moves forwards at an even draw of speeds. */
typedef struct tr_gait_noise {
    double joint_rad, target_rad;
    double speed_low_mps, speed_high_mps;
} tr_gait_noise;
tr_gait_noise tr_gait_noise_default(void);

typedef struct tr_gait_walker {
    const tr_gait *gait;
    tr_world *world;
    const tr_model *model;
    tr_entity_id character;
    tr_gait_noise noise;
    tr_random random;
    tr_gait_state state;
    double rest_m; /* height of the root at rest */
} tr_gait_walker;

/* Returns a disturbed start, heading 0 at the origin. */
tr_state tr_gait_walker_start(const tr_model *model, const tr_gait_noise *noise, uint64_t seed);

/* Returns a walker of the world that has not begun. */
tr_gait_walker tr_gait_walker_make(const tr_gait *gait, tr_world *world, tr_entity_id character,
                                   const tr_gait_noise *noise, uint64_t seed);

/* Drives the walkers of one world and makes a step of it. wanted: [count]; heading, speed and stiffness
 * of it count. */
tr_status tr_gait_walkers_step(tr_gait_walker *walker, const tr_gait_sight *wanted,
                               int count) TR_NODISCARD;

/* Returns tr_falls_is_down, or true earlier: the root below 0.63 of its height at rest, or the
 * trunk leaning more than 66 degrees. */
bool tr_gait_walker_has_fallen(const tr_gait_walker *walker);
