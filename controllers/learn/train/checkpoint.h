/* Checkpoints: a learner on disk, so that a training continues after an interruption.
 *
 * A scratch file, not an exchange format: it holds this build's structs byte by byte. A build with
 * other structs refuses it (TR_FAILED_PRECONDITION), and so does a learner of another model or on
 * other steps or with other parameters. It is written beside its place and renamed, so that a crash
 * leaves the old file or the new file whole; a checksum finds damage (TR_DATA_LOSS). A learner that
 * continues from a checkpoint computes the same as one that was never interrupted. */
#ifndef TROUPE_LEARN_CHECKPOINT_H
#define TROUPE_LEARN_CHECKPOINT_H

#include "learn/train/learner.h"

tr_status tr_checkpoint_save(const tr_learner *learner, const char *path,
                             tr_error *error) TR_NODISCARD;

/* Loads into a learner just created with the same definition. TR_NOT_FOUND: no such file. On
 * failure the learner does not change. */
tr_status tr_checkpoint_load(tr_learner *learner, const char *path, tr_error *error) TR_NODISCARD;

#endif
