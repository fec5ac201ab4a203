/* The other ground of hardening: slopes, kerbs and uneven ground on which a share of the trials
 * takes place.
 *
 * Pure functions of their arguments. */
#pragma once

#include "learn/rehearsal/trial_ground.h"
#include "math/random.h"

/* The ground of trials; each size is drawn evenly between half of this and all of it, and 0 leaves
 * out its kinds: slopes up, down and across; kerbs up and down; uneven ground. */
typedef struct tr_harden_ground {
    double share; /* of the trials; 0: all are on the plane */
    double slope_deg, kerb_m, uneven_m;
} tr_harden_ground;

enum { TR_HARDEN_GROUND_MAX = 7 };

bool tr_harden_ground_is_sound(const tr_harden_ground *ground);

/* Lists the kinds that are drawn, with their largest amounts; the rest 0. Returns how many. */
int tr_harden_grounds(const tr_harden_ground *ground, tr_trial_ground out[TR_HARDEN_GROUND_MAX]);

/* Draws one of the kinds, with an amount between half of the largest and all of it; the rest 0. */
tr_trial_ground tr_harden_ground_draw(const tr_harden_ground *ground, tr_random *random);

/* Is trial `item` on other ground? Every so many are, evenly spread. */
bool tr_harden_ground_takes(const tr_harden_ground *ground, int item);

/* Does it teach the answer to this component of the ground (fragment.h)? Slopes teach the answer to
 * slopes; kerbs and uneven ground teach the answer to steps. */
bool tr_harden_ground_teaches(const tr_harden_ground *ground, int component);
