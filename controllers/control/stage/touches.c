#include "control/stage/touches.h"

#include <string.h>

static uint64_t key(const tr_entity_id *entity) {
    return (uint64_t)entity[0] << 32 | entity[1];
}

/* Contacts of one pair mostly follow one another, so that the search from the end is short. */
static tr_touch_contact *find_pair(tr_touch_contact *pairs, int count, const tr_entity_id *entity) {
    for (int i = count - 1; i >= 0; i--)
        if (pairs[i].entity[0] == entity[0] && pairs[i].entity[1] == entity[1])
            return &pairs[i];
    return NULL;
}

int tr_touches_gather(const tr_contact *contacts, int count, tr_touch_contact *out_pairs) {
    int pairs = 0;
    for (int i = 0; i < count; i++) {
        const tr_contact *contact = &contacts[i];
        /* The ground and a body that touches itself are no touches. */
        if (contact->entity[0] == 0 || contact->entity[1] == 0 ||
            contact->entity[0] == contact->entity[1])
            continue;
        int low = contact->entity[1] < contact->entity[0];
        tr_entity_id entity[2] = {contact->entity[low], contact->entity[!low]};
        tr_touch_contact *pair = find_pair(out_pairs, pairs, entity);
        if (!pair) {
            pair = &out_pairs[pairs++];
            *pair = (tr_touch_contact){.entity = {entity[0], entity[1]},
                                       .body = {contact->body[low], contact->body[!low]}};
        }
        double strength = tr_vec3_length(contact->impulse);
        pair->impulse = tr_vec3_add_scaled(pair->impulse, low ? -1.0 : 1.0, contact->impulse);
        /* The bodies of the hardest contact stand for the pair. */
        if (strength > pair->strongest) {
            pair->strongest = strength;
            pair->body[0] = contact->body[low];
            pair->body[1] = contact->body[!low];
        }
    }
    return pairs;
}

/* Returns the first touch whose key is not below: the place to insert. */
static int lower_bound(const tr_touches *touches, uint64_t wanted) {
    int low = 0, high = touches->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (key(touches->touch[middle].entity) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tr_touches_note(tr_touches *touches, const tr_touch_contact *pair, int64_t tick,
                     bool *out_began) {
    /* Touches stay sorted, so that snapshots and hashes do not depend on their order in time. */
    int at = lower_bound(touches, key(pair->entity));
    tr_touch *touch = &touches->touch[at];
    *out_began = false;
    /* The pair touched before: it only stays in touch. */
    if (at < touches->count && key(touch->entity) == key(pair->entity)) {
        touch->last_tick = tick;
        return true;
    }
    if (touches->count == TR_TOUCH_MAX)
        return false;
    memmove(touch + 1, touch, (size_t)(touches->count - at) * sizeof *touch);
    *touch = (tr_touch){{pair->entity[0], pair->entity[1]}, tick};
    touches->count++;
    *out_began = true;
    return true;
}

void tr_touches_expire(tr_touches *touches, int64_t tick) {
    int kept = 0;
    for (int i = 0; i < touches->count; i++)
        if (tick - touches->touch[i].last_tick < TR_TOUCH_PART_STEPS)
            touches->touch[kept++] = touches->touch[i];
    touches->count = kept;
}
