#include "physics/collide/deepest.h"

/* A heap of contacts, the one to be dropped first at the top. */
typedef struct heap {
    const tr_world *world;
    int count, contact[TR_CONTACT_MAX];
} heap;

/* Is a dropped before b? */
static bool before(const tr_world *world, int a, int b) {
    bool rests_a = world->link[a].mover[1] == TR_STATIC_MOVER;
    bool rests_b = world->link[b].mover[1] == TR_STATIC_MOVER;
    if (rests_a != rests_b)
        return rests_b;
    double depth_a = world->contact[a].depth, depth_b = world->contact[b].depth;
    return depth_a != depth_b ? depth_a < depth_b : a > b;
}

/* Puts a contact where `at` was, and moves it down to its place. */
static void sink(heap *h, int at, int contact) {
    for (int child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && before(h->world, h->contact[child + 1], h->contact[child]))
            child++;
        if (!before(h->world, h->contact[child], contact))
            break;
        h->contact[at] = h->contact[child];
    }
    h->contact[at] = contact;
}

void tr_deepest_keep(tr_world *world, int first, int most) {
    if (world->contact_count - first <= most)
        return;
    heap kept = {.world = world, .count = most};
    for (int i = 0; i < most; i++)
        kept.contact[i] = first + i;
    for (int i = most / 2; i >= 0; i--)
        sink(&kept, i, kept.contact[i]);
    for (int i = first + most; i < world->contact_count; i++)
        if (before(world, kept.contact[0], i))
            sink(&kept, 0, i);
    bool keep[TR_CONTACT_ROOM] = {false};
    for (int i = 0; i < most; i++)
        keep[kept.contact[i]] = true;
    int next = first;
    for (int i = first; i < world->contact_count; i++) {
        if (!keep[i])
            continue;
        world->contact[next] = world->contact[i];
        world->link[next++] = world->link[i];
    }
    world->solver.contacts_dropped += world->contact_count - next;
    world->contact_count = next;
}
