/* Snapshots: everything that determines the future, as versioned and checksummed bytes.
 *
 *     magic u32, version u32, payload size u64, checksum of the payload u64, payload
 *
 * The payload is what a walk over the world visits (snapshot_walk.h). Numbers are in the byte order
 * and the layout of the machine that wrote them: a snapshot is for the same build family, not for
 * exchange (a recording is). Derived things (frames, body states, boxes) are not stored but made
 * again by the functions that made them, which gives the same bits.
 *
 * A restore builds a second world beside the first, checks all of it, and exchanges the two at the
 * end, so that a hostile or broken snapshot leaves the world untouched.
 *
 * Only the present version is read. */
#include "math/hash.h"
#include "physics/world/snapshot_walk.h"
#include "physics/world/world.h"

#include <string.h>

enum { MAGIC = 0x53505254 /* "TRPS" */, VERSION = 6, HEADER_SIZE = 24 };

/* Only a reading walk changes the world. */
static void look_over(tr_snapshot_walk *walk, const tr_world *world) {
    tr_snapshot_walk_world(walk, (tr_world *)world);
}

size_t tr_world_snapshot_size(const tr_world *world) {
    tr_snapshot_walk walk = {.mode = TR_WALK_COUNT};
    look_over(&walk, world);
    return HEADER_SIZE + walk.size;
}

static uint64_t hash(const tr_world *world, bool states_alone) {
    tr_snapshot_walk walk = {
        .mode = TR_WALK_HASH, .states_alone = states_alone, .hash = TR_HASH_START};
    look_over(&walk, world);
    return walk.hash;
}

uint64_t tr_world_hash(const tr_world *world) {
    return hash(world, false);
}

uint64_t tr_world_state_hash(const tr_world *world) {
    return hash(world, true);
}

tr_status tr_world_snapshot(const tr_world *world, void *buffer, size_t capacity,
                            size_t *out_size) {
    size_t size = tr_world_snapshot_size(world);
    if (capacity < size)
        return TR_OUT_OF_RANGE;
    unsigned char *bytes = buffer;
    tr_snapshot_walk walk = {.mode = TR_WALK_WRITE, .out = bytes + HEADER_SIZE};
    look_over(&walk, world);
    uint32_t head[2] = {MAGIC, VERSION};
    uint64_t payload = walk.size, sum = tr_hash_words(walk.out, walk.size);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + 8, &payload, sizeof payload);
    memcpy(bytes + 16, &sum, sizeof sum);
    *out_size = size;
    return TR_OK;
}

tr_status tr_world_restore(tr_world *world, const void *buffer, size_t size,
                           const tr_model *const *models, int model_count) {
    const unsigned char *bytes = buffer;
    uint32_t head[2];
    uint64_t payload, sum;
    if (size < HEADER_SIZE)
        return TR_INVALID_ARGUMENT;
    memcpy(head, bytes, sizeof head);
    memcpy(&payload, bytes + 8, sizeof payload);
    memcpy(&sum, bytes + 16, sizeof sum);
    if (head[0] != MAGIC || head[1] != VERSION || payload != size - HEADER_SIZE ||
        sum != tr_hash_words(bytes + HEADER_SIZE, payload))
        return TR_INVALID_ARGUMENT;
    tr_snapshot_walk walk = {.mode = TR_WALK_READ,
                             .bytes = {.at = bytes + HEADER_SIZE, .left = payload},
                             .models = models,
                             .model_count = model_count,
                             .known = world};
    tr_world *read = NULL;
    tr_status status = tr_snapshot_walk_read(&walk, &read);
    if (status)
        return status;
    /* The handle stays; what it holds is exchanged. */
    tr_world old = *world;
    *world = *read;
    *read = old;
    tr_world_destroy(read);
    return TR_OK;
}
