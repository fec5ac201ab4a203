/* Blows: how hard parts of a character's body hit what is around it. A blow is the sum of the
 * impulses of a part's contacts within 25 ms; contacts with itself do not count. Deterministic. */
#pragma once

#include "physics/world/world.h"

enum { TR_BLOW_STEPS_MAX = 64 };

/* Parts of the body that a fall should not hit. */
typedef enum tr_blow_part { TR_BLOW_HEAD, TR_BLOW_TRUNK, TR_BLOW_ROOT, TR_BLOW_PARTS } tr_blow_part;

/* Begins as zeros.
 * impulse_ns: [part][step] of the last steps, by tick, N s
 * hardest_ns: the hardest blow to each part, N s */
typedef struct tr_blows {
    double impulse_ns[TR_BLOW_PARTS][TR_BLOW_STEPS_MAX];
    double hardest_ns[TR_BLOW_PARTS];
} tr_blows;

/* Adds the contacts of the last step, of `step_s`. */
void tr_blows_note(tr_blows *blows, const tr_world *world, tr_entity_id character, double step_s);
