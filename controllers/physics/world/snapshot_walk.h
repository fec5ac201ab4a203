/* The walk over all that survives a step. Internal to physics/.
 *
 * One function visits every number of a world that the future depends on, or that anything outside
 * physics/ can observe after a step: the state, and the report of the last step with its contacts.
 * It counts, writes, hashes or reads what it visits, so that size, bytes, hash and restored world
 * cannot disagree: a member that is added to the walk is in all four. What is not visited is derived
 * from it, or made anew by each step; tr_snapshot_walk_poison overwrites the latter. */
#pragma once

#include "math/byte_reader.h"
#include "physics/scene/scene.h"

typedef enum tr_snapshot_walk_mode {
    TR_WALK_COUNT,
    TR_WALK_WRITE,
    TR_WALK_HASH,
    TR_WALK_READ
} tr_snapshot_walk_mode;

/* Zeros for what the mode does not use. */
typedef struct tr_snapshot_walk {
    tr_snapshot_walk_mode mode;
    bool states_alone; /* HASH: tr_world_state_hash */

    unsigned char *out; /* WRITE */
    size_t size;        /* COUNT, WRITE: so far */
    uint64_t hash;      /* HASH: so far */

    /* READ */
    tr_byte_reader bytes;
    tr_status status;              /* the first failure stays */
    const tr_model *const *models; /* [model_count] */
    int model_count;
    const tr_world *known; /* to be replaced: its models and surfaces may be used */
} tr_snapshot_walk;

/* Visits a world; only a reading walk changes it. */
void tr_snapshot_walk_world(tr_snapshot_walk *walk, tr_world *world);

/* Makes a world of the bytes; the caller destroys it. Statuses as tr_world_restore. */
tr_status tr_snapshot_walk_read(tr_snapshot_walk *walk, tr_world **out) TR_NODISCARD;

/* After a step, in builds with assertions: overwrites what the walk does not visit and the next step
 * makes anew, so that nothing can come to depend on it. */
void tr_snapshot_walk_poison(tr_world *world);
