/* A lesson: a motion, or a clip from which a motion is made, and the training that learns it. */
#ifndef TROUPE_TOOLS_LESSON_H
#define TROUPE_TOOLS_LESSON_H

#include "learn/plan/plan.h"
#include "tools/clips/import_arguments.h"
#include "tools/train/training.h"

enum { TR_LESSON_PATH_MAX = 4096, TR_LESSON_CHANGE_MAX = 128 };

/* The definition of a lesson.
 *   source      a clip, or a motion that 'import' wrote
 *   name        of the controller and of the run
 *   catalogue   NULL: none
 *   from        a controller of the catalogue to continue from; NULL: none
 *   import      for a clip: options of its import
 *   effort      for a clip
 *   parameters  for a motion
 *   change      [change_count] parameters, "name" and "value", that override the plan's */
typedef struct tr_lesson_def {
    const char *source, *model, *name, *catalogue, *from, *starts, *control;
    tr_import import;
    tr_plan_effort effort;
    tr_learn_parameters parameters;
    int change_count;
    struct {
        char name[TR_NAME_MAX];
        const char *value;
    } change[TR_LESSON_CHANGE_MAX];
    int threads;
} tr_lesson_def;

/* Deinitialise it whatever the status.
 *   is_planned   made from a clip, by `plan`
 *   motion_path  the file that holds the motion
 *   control_s    processor time that the reconstruction of a planned chain took */
typedef struct tr_lesson {
    tr_model *model;
    tr_motion *motion;
    char motion_path[TR_LESSON_PATH_MAX];
    tr_run_inputs inputs;
    tr_training training;
    bool is_planned;
    double control_s;
    tr_plan plan;
} tr_lesson;

/* Is the file a motion written by 'import'? */
bool tr_lesson_is_motion(const char *path);

/* Imports and plans a clip, and prints findings and plan; writes nothing. A lesson of zeros. */
tr_status tr_lesson_plan(const tr_lesson_def *def, tr_lesson *out, tr_error *error) TR_NODISCARD;

/* Opens a lesson of zeros. A clip is imported, planned, imported as planned and written beside the
 * catalogue as NAME.motion.json; the findings and the plan are printed. The open loop of a chain is
 * reconstructed, an input of the training as if it were given as `control`. harder: attempts so far
 * that lost the motion (plan.h). TR_ABORTED: reconstruction did not find an open loop. */
tr_status tr_lesson_open(const tr_lesson_def *def, int harder, tr_lesson *out,
                         tr_error *error) TR_NODISCARD;
void tr_lesson_deinit(tr_lesson *lesson); /* of zeros is fine */

#endif
