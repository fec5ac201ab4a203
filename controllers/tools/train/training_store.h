/* Stores the result of a training in the catalogue: the controller, and all that it derives
 * from. */
#ifndef TROUPE_TOOLS_TRAINING_STORE_H
#define TROUPE_TOOLS_TRAINING_STORE_H

#include "control/controller.h"
#include "db/tables/runs.h"
#include "learn/train/record.h"
#include "motion/motion.h"

typedef struct tr_training_result {
    const char *method, *model_path, *motion_path;
    const char *clip_path; /* the motion's clip; NULL: not available */
    const tr_model *model;
    const tr_motion *motion;
    const tr_training_record *record;
    const tr_run_inputs *inputs;
    const tr_controller *controller;
    bool replaces; /* the result of an earlier call under the same name */
} tr_training_result;

/* TR_ALREADY_EXISTS: the catalogue of that path has a controller or a run of this name. A catalogue
 * that does not exist has neither. */
tr_status tr_training_check_name(const char *catalogue, const char *name,
                                 tr_error *error) TR_NODISCARD;

/* Puts model, clip, run and controller into the catalogue of that path, which is made when missing:
 * all of them or nothing. The clip's digest is that of clip_path, else the one noted by the import,
 * else that of the motion's file. TR_INVALID_ARGUMENT: the motion was not made from clip_path;
 * TR_NOT_FOUND: the run that this one continued is not in the catalogue. */
tr_status tr_training_store(const char *catalogue, const tr_training_result *result,
                            tr_error *error) TR_NODISCARD;

/* --- parts of it, for other stores; inside a change of the catalogue --- */

/* The model with its file's text. */
tr_status tr_training_put_model(tr_catalogue *catalogue, const char *path, const tr_model *model,
                                tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* The clip of a motion; clip_path: the clip's file, NULL: not available. */
tr_status tr_training_put_clip(tr_catalogue *catalogue, const tr_motion *motion,
                               const char *motion_path, const char *clip_path, tr_row_id *out_id,
                               tr_error *error) TR_NODISCARD;

/* What 'reproduce' needs to import the motion again, behind the parameters. */
void tr_training_note_motion(const tr_motion *motion, tr_run_row *run);

/* Removes the controller and the run of this name, if there are any. */
tr_status tr_training_remove_earlier(tr_catalogue *catalogue, const char *name,
                                     tr_error *error) TR_NODISCARD;

#endif
