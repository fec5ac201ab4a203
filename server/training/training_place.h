/* The files of trainings: which clips may be learned, and a folder for each training.
 *
 *     STATE/trainings/NAME/clips -> the configured folder of clips
 *     STATE/trainings/NAME/trained.troupe, training.checkpoint, the imported motion
 *
 * `troupe-train` runs in that folder, so that the command that it records names no other folder of
 * this machine. Names come from clients: no clip and no training is looked for outside its
 * folder. */
#pragma once

#include "model/model.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TR_TRAINING_PATH_MAX = 1280, /* bytes with the terminator */
    TR_TRAINING_CLIP_MAX = 128,  /* the same, of a clip's file name */
    TR_TRAINING_CLIPS_LISTED = 256,
    TR_TRAINING_PLACES_LISTED = 64
};

#define TR_TRAINING_CATALOGUE "trained.troupe" /* in the folder of a training */
#define TR_TRAINING_CHECKPOINT "training.checkpoint"
#define TR_TRAINING_REQUEST "request.txt"    /* for what it was started */
#define TR_TRAINING_PREVIEW "preview.digest" /* of the preview in the daemon's catalogue */
#define TR_TRAINING_BUNDLE "result.troupe"   /* the same, closed, for the daemon's catalogue */

/* The request that started a training. */
typedef struct tr_training_request {
    char clip[TR_TRAINING_CLIP_MAX], effort[16];
    uint64_t seed;
} tr_training_request;

/* A folder that holds what a training had reached. */
typedef struct tr_training_place {
    char name[TR_NAME_MAX];
    tr_training_request request;
    int64_t began_ns, last_ns; /* of the request and of the last round, since 1970 */
} tr_training_place;

/* Is it 1 to 47 of a-z, 0-9, '-' and '_', the first a letter or digit? */
bool tr_training_name_is_valid(const char *name);

/* Checks that `clip` is a plain file name that learn reads (.bvh, .amc, .txt, .json) of a regular
 * file whose real place is in `clips`. TR_INVALID_ARGUMENT, TR_NOT_FOUND; `error` names the
 * clip. */
tr_status tr_training_clip_check(const char *clips, const char *clip, tr_error *error) TR_NODISCARD;

/* Lists the clips that pass that check, by name; of more than TR_TRAINING_CLIPS_LISTED, some. Zero
 * if the folder cannot be read. */
int tr_training_clips_list(const char *clips,
                           char out[TR_TRAINING_CLIPS_LISTED][TR_TRAINING_CLIP_MAX]);

/* Makes the folder STATE/trainings/NAME with its link to `clips`; one that is there stays, with the
 * checkpoint in it. out: its path. TR_PERMISSION_DENIED. */
tr_status tr_training_place_make(const char *all, const char *name, const char *clips,
                                 char out[TR_TRAINING_PATH_MAX], tr_error *error) TR_NODISCARD;

/* Writes the request that started the training. TR_FAILED_PRECONDITION: the folder has a checkpoint
 * of another request. */
tr_status tr_training_place_claim(const char *folder, const char *name,
                                  const tr_training_request *request, tr_error *error) TR_NODISCARD;

/* Removes the folder and the files in it. Does not follow links. */
void tr_training_place_remove(const char *folder);

/* The same, unless it holds a checkpoint or a result. */
void tr_training_place_tidy(const char *folder);

/* Lists the folders in `all` that hold a checkpoint or a result, in no order; of more than
 * TR_TRAINING_PLACES_LISTED, some. Removes the others, which a killed daemon left. */
int tr_training_places_list(const char *all, tr_training_place out[TR_TRAINING_PLACES_LISTED]);
