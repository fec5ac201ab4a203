/* Trainings as messages. Encoding only. */
#pragma once

#include "proto/mapping.h"
#include "server/training/trainings.h"

/* Makes the message, with the curves of one that is not in the catalogue; NULL: no memory. */
Troupe__Training *tr_encode_training(const tr_training_info *info, tr_mapping_memory *memory);

/* The list: infos[count], the clips' names[clip_count], and the limit. NULL: no memory. */
typedef struct tr_training_list {
    int count, clip_count, limit;
    const tr_training_info *const *infos;
    char (*clips)[TR_TRAINING_CLIP_MAX];
} tr_training_list;
Troupe__TrainingList *tr_encode_training_list(const tr_training_list *list,
                                              tr_mapping_memory *memory);
