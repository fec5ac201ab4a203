/* Trainings and the catalogue: jobs that look whether a name is free, and that copy what a training
 * has learned. The callback is called on the loop. For the loop's thread. */
#pragma once

#include "model/model.h"
#include "server/catalogue/catalogue_thread.h"

/* error->status is the outcome. controller: its name in the catalogue; "": none. */
typedef void (*tr_training_stored)(void *context, const char *controller, const tr_error *error);

/* TR_ALREADY_EXISTS: the catalogue has a controller or a run of this name. TR_RESOURCE_EXHAUSTED:
 * it is busy, and the callback is not called. */
tr_status tr_training_store_check(tr_catalogue_thread *thread, const char *name,
                                  tr_training_stored done, void *context) TR_NODISCARD;

/* NAME-preview. */
void tr_training_preview_name(const char *training, char out[TR_NAME_MAX]);

/* folder, name: of the training; is_preview: it is stored as a preview */
typedef struct tr_training_result {
    const char *folder, *name;
    bool is_preview;
} tr_training_result;

/* Copies the controller `name` of TR_TRAINING_CATALOGUE in `folder`, with all it depends on. Models
 * and clips whose names are taken by other content get free ones. It replaces the training's preview.
 * TR_NOT_FOUND: nothing was learned. */
tr_status tr_training_store_import(tr_catalogue_thread *thread, const tr_training_result *result,
                                   tr_training_stored done, void *context) TR_NODISCARD;
