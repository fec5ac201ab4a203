/* A gait's training on disk: what it found, and all that it needs to continue.
 *
 * A scratch file of this build's structs, as checkpoint.h: refused by a build with others
 * (TR_FAILED_PRECONDITION), for another model, clip or other settings; a checksum finds damage
 * (TR_DATA_LOSS). A training that continues from it computes the same as one that was never
 * interrupted. */
#ifndef TROUPE_LEARN_GAIT_CHECKPOINT_H
#define TROUPE_LEARN_GAIT_CHECKPOINT_H

#include "learn/gait/gait_training.h"

tr_status tr_gait_checkpoint_save(const tr_gait_training *training, const char *path,
                                  tr_error *error) TR_NODISCARD;

/* Into a training just created with the same definition. With `adopt` the settings may differ: what
 * was found is taken, and the search is left behind (restart it: tr_gait_training_restart_at).
 * TR_NOT_FOUND: no such file. On failure the training is unusable; destroy it. */
tr_status tr_gait_checkpoint_load(tr_gait_training *training, const char *path, bool adopt,
                                  tr_error *error) TR_NODISCARD;

/* A checkpoint in memory; name: for messages. */
typedef struct tr_gait_checkpoint {
    const char *name, *data; /* data: [size] */
    size_t size;
} tr_gait_checkpoint;

/* As tr_gait_checkpoint_load. */
tr_status tr_gait_checkpoint_take(tr_gait_training *training, const tr_gait_checkpoint *from,
                                  bool adopt, tr_error *error) TR_NODISCARD;

#endif
