/* What all controllers that compute torques read of their character. */
#pragma once

#include "model/state.h"

typedef struct tr_dynamics tr_dynamics; /* physics/spatial/dynamics.h */

/* The character, as a step of a controller that computes torques reads it.
 *   state, bodies: of the dynamics; bodies: [body_count]
 *   joint:         [body_count] rotations of the stance; [0] is unused */
typedef struct tr_program_body {
    const tr_dynamics *dynamics;
    const tr_state *state;
    const tr_body_state *bodies;
    const tr_quat *joint;
    tr_vec3 gravity;
} tr_program_body;
