/* A lesson: how a clip becomes the motion that is learned. It is imported, planned (learn/plan), imported
 * as planned, and written beside the catalogue as NAME.motion.json; the open loop of a chain is
 * reconstructed. Findings and plan are printed. */
#pragma once

#include "learn/plan/parts.h"
#include "motion/retarget/import.h"

enum { TR_LESSON_PATH_MAX = 4096 };

/* Options of a command that plans. clip: source of a motion, for its digest; part: of a long clip,
 * counted from 1; 0: the whole */
typedef struct tr_lesson_options {
    tr_import import;
    const char *effort, *clip;
    int part;
    bool all_parts, plans_only;
} tr_lesson_options;

/* source: the clip; has_loop: a control or a controller brings an open loop; harder: attempts so far
 * that lost the motion (plan.h); change: sets what the command line changes in the plan */
typedef struct tr_lesson_def {
    const tr_lesson_options *options;
    const char *source, *name, *catalogue;
    const tr_model *model;
    bool has_loop;
    int harder, threads;
    uint64_t seed;
    tr_status (*change)(const void *context, void *settings, tr_error *error);
    const void *context;
} tr_lesson_def;

/* Deinitialise it whatever the status.
 *   motion_path  the file that holds the motion
 *   control      [control_size] the open loop of a planned chain; NULL: none
 *   control_s    processor time that it took */
typedef struct tr_lesson {
    tr_plan plan;
    tr_motion *motion;
    char motion_path[TR_LESSON_PATH_MAX];
    char *control;
    size_t control_size;
    double control_s;
} tr_lesson;

/* Is the file a motion written by 'import'? */
bool tr_lesson_is_motion(const char *path);

/* The parts of the clip; they are printed. out: [TR_PLAN_PART_MAX] */
tr_status tr_lesson_parts(const tr_lesson_def *def, tr_plan_part *out, int *out_count,
                          tr_error *error) TR_NODISCARD;

/* What can be learned of the clip: the whole, as one part without a name, or else its parts; nothing is
 * printed. out_hash: of the clip's content. The status is that of the plan of the whole where there is
 * no part. */
tr_status tr_lesson_survey(const tr_lesson_def *def, tr_plan_part *out, int *out_count,
                           uint64_t *out_hash, tr_error *error) TR_NODISCARD;

/* Fills a lesson of zeros. With plans_only it ends after the plan. The parts of a
 * clip that no plan fits are printed. TR_ABORTED: reconstruction did not
 * find an open loop. */
tr_status tr_lesson_open(const tr_lesson_def *def, tr_lesson *out, tr_error *error) TR_NODISCARD;
void tr_lesson_deinit(tr_lesson *lesson); /* of zeros is fine */
