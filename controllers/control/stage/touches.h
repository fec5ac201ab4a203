/* Touches between entities: turns the contacts of each step into touches that begin once and last
 * until the two entities part.
 *
 * Internal to the stage. Contacts flicker while two bodies roll or rub, so that a touch ends only
 * after TR_TOUCH_PART_STEPS steps without contact. Plain data: a copy is an exact snapshot. */
#pragma once

#include "physics/world/world.h"

enum { TR_TOUCH_MAX = 1024, TR_TOUCH_PART_STEPS = 20 };

typedef struct tr_touch {
    tr_entity_id entity[2]; /* ascending; neither is 0 */
    int64_t last_tick;      /* of the last step with contact */
} tr_touch;

/* Sorted by entity[0], then entity[1]; no pair twice. */
typedef struct tr_touches {
    int count;
    tr_touch touch[TR_TOUCH_MAX];
} tr_touches;

/* All contacts of one pair of entities in one step. */
typedef struct tr_touch_contact {
    tr_entity_id entity[2]; /* ascending */
    int body[2];            /* of the strongest contact; -1 never occurs */
    double strongest;       /* its impulse, N s */
    tr_vec3 impulse;        /* sum, on entity[0], N s */
} tr_touch_contact;

/* Gathers contacts by pair; the static world and a character's contacts with itself are left out.
 * Returns the number of pairs. out_pairs: [count]. */
int tr_touches_gather(const tr_contact *contacts, int count, tr_touch_contact *out_pairs);

/* Notes a contact at `tick`; *out_began: whether a touch begins. False when the table is full. */
bool tr_touches_note(tr_touches *touches, const tr_touch_contact *pair, int64_t tick,
                     bool *out_began);

/* Removes the pairs that have parted. */
void tr_touches_expire(tr_touches *touches, int64_t tick);
