/* A gait's training on disk: what it found, and all that it needs to continue.
 *
 * A scratch file of this build's structs, as checkpoint.h: refused by a build with others
 * or for another model, clip or other settings (TR_FAILED_PRECONDITION); a checksum finds damage
 * (TR_DATA_LOSS). A training that continues from it computes the same as one that was never
 * interrupted. */
#ifndef TROUPE_LEARN_GAIT_CHECKPOINT_H
#define TROUPE_LEARN_GAIT_CHECKPOINT_H

#include "learn/gait/gait_training.h"

tr_status tr_gait_checkpoint_save(const tr_gait_training *training, const char *path,
                                  tr_error *error) TR_NODISCARD;

/* What may differ from the training that wrote it.
 *   RESUME:   nothing
 *   ADOPT:    the settings: what was found is taken, and the search is left behind (restart it:
 *             tr_gait_training_restart_at)
 *   TRANSFER: the model and the clip too: the parameters of a gait are angles and gains, and other
 *             humanoids can try them */
typedef enum tr_gait_checkpoint_use {
    TR_GAIT_RESUME,
    TR_GAIT_ADOPT,
    TR_GAIT_TRANSFER
} tr_gait_checkpoint_use;

/* Into a training just created.
 * TR_NOT_FOUND: no such file. On failure the training is unusable; destroy it. */
tr_status tr_gait_checkpoint_load(tr_gait_training *training, const char *path,
                                  tr_gait_checkpoint_use use, tr_error *error) TR_NODISCARD;

/* A checkpoint in memory; name: for messages. */
typedef struct tr_gait_checkpoint {
    const char *name, *data; /* data: [size] */
    size_t size;
} tr_gait_checkpoint;

/* As tr_gait_checkpoint_load. */
tr_status tr_gait_checkpoint_take(tr_gait_training *training, const tr_gait_checkpoint *from,
                                  tr_gait_checkpoint_use use, tr_error *error) TR_NODISCARD;

#endif
