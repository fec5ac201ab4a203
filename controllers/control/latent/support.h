/* Support points: points of the bodies that a character stands on. Planting holds them in place.
 *
 * They follow from the shapes of the bodies in the rest pose: the two ends of each support body's
 * sole along its longer horizontal axis, or its middle when the sole is short; of a toe (a body
 * whose parent is a support body too) only the far end. A character may have any number of feet.
 * Deterministic; no state. */
#pragma once

#include "model/state.h"

enum { TR_SUPPORT_MAX = 8 };

/* point: in the body's frame, from its origin, m. foot: which of the character's feet it belongs
 * to, from 0. */
typedef struct tr_support {
    int body, foot;
    tr_vec3 point;
} tr_support;

/* The support points of `count` bodies, at most TR_SUPPORT_MAX of either, toes after their feet;
 * returns their number. */
int tr_support_find(const tr_model *model, const int *bodies, int count,
                    tr_support out[static TR_SUPPORT_MAX]);

/* The model's feet and toes, as far as it names them; returns their number. */
int tr_support_bodies(const tr_model *model, int out[static TR_SUPPORT_MAX]);

/* Return where a support point is, and how fast it moves, world, m and m/s. bodies:
 * [body_count]. */
tr_vec3 tr_support_position(const tr_model *model, const tr_support *support,
                            const tr_body_state *bodies);
tr_vec3 tr_support_velocity(const tr_model *model, const tr_support *support,
                            const tr_body_state *bodies);
