/* Beginning with what another training of a gait found: its checkpoint, of this build or of the builds
 * before checkpoints had blocks. Model, clip and settings may be others, because the parameters of a
 * gait are angles and gains, which other humanoids can try. The search is left behind; restart it
 * (tr_gait_training_restart_at). */
#pragma once

#include "learn/gait/gait_training.h"

/* Takes a file into a training just created. content: [size] of the file; name: for messages.
 * TR_DATA_LOSS: of another kind, cut short or damaged; TR_FAILED_PRECONDITION: of a build with
 * other structs. After a failure the training may be destroyed only. */
tr_status tr_gait_start_take(tr_gait_training *training, const char *content, size_t size,
                             const char *name, tr_error *error) TR_NODISCARD;

/* Does the same with the file at a path. Other statuses: as tr_whole_file_read. */
tr_status tr_gait_start_load(tr_gait_training *training, const char *path,
                             tr_error *error) TR_NODISCARD;
