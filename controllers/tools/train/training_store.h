/* Stores the result of a training in the catalogue: the controller, and all that it derives
 * from. */
#ifndef TROUPE_TOOLS_TRAINING_STORE_H
#define TROUPE_TOOLS_TRAINING_STORE_H

#include "control/driver/controller.h"
#include "db/tables/runs.h"
#include "motion/poses/motion.h"

/* TR_ALREADY_EXISTS: the catalogue of that path has a controller or a run of this name. A catalogue
 * that does not exist has neither. */
tr_status tr_training_check_name(const char *catalogue, const char *name,
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
