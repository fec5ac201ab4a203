/* What a work begins with: its model and its inputs, opened for a command, or found again by the
 * record of a run (tools/reproduce). */
#pragma once

#include "db/tables/runs.h"
#include "tools/frame/subject.h"
#include "tools/learn/method_options.h"

/* shown: [count] what the method sees of them */
typedef struct tr_method_parts {
    int count;
    tr_subject subject[TR_METHOD_PART_MAX];
    tr_method_part shown[TR_METHOD_PART_MAX];
} tr_method_parts;

/* Of one input: what is owned.
 *   subject  a controller of the catalogue, with its model
 *   shown    a shallow copy of another controller */
typedef struct tr_method_source {
    tr_subject subject;
    tr_controller shown;
    tr_motion *motion, *motions[TR_METHOD_MOTION_MAX];
    tr_method_parts *parts;
    char *content;
} tr_method_source;

/* model:     that is learned on; model_id: its row, 0: not in the catalogue yet
 * own_model: the same, if it is owned
 * parent_id: the run that this one continues; 0: none. clip_id: the clip that its controller learned
 * from
 * lesson:    of a clip; is_planned: there is one
 * settings:  those of the options, or of the plan */
typedef struct tr_method_sources {
    const tr_method *method;
    const tr_model *model;
    tr_model *own_model;
    tr_row_id model_id, parent_id, clip_id;
    tr_method_source source[TR_METHOD_INPUT_MAX];
    tr_method_given given[TR_METHOD_INPUT_MAX];
    bool is_planned;
    tr_lesson lesson;
    _Alignas(max_align_t) unsigned char settings[TR_METHOD_SETTINGS_MAX];
} tr_method_sources;

/* Opens the files and the controllers of a command. harder: attempts so far that lost the motion.
 * Deinitialise it whatever the status. */
tr_status tr_method_sources_open(const tr_method_options *options, int harder,
                                 tr_method_sources *out, tr_error *error) TR_NODISCARD;

/* The parts of the clip of a command that plans. out: [TR_PLAN_PART_MAX] */
tr_status tr_method_sources_parts(const tr_method_options *options, tr_plan_part *out,
                                  int *out_count, tr_error *error) TR_NODISCARD;

/* The file that holds the motion; NULL: none is learned. */
const char *tr_method_motion_path(const tr_method_options *options,
                                  const tr_method_sources *sources);
void tr_method_sources_deinit(tr_method_sources *sources); /* of zeros is fine */

/* Loads a controller of the catalogue as the next part of an input, under the name by which it was
 * asked for. */
tr_status tr_method_sources_add_part(tr_method_sources *sources, int input, tr_catalogue *catalogue,
                                     const char *controller, const char *name,
                                     tr_error *error) TR_NODISCARD;

/* Is the input given? */
bool tr_method_is_given(const tr_method_sources *sources, int input);

/* What a record keeps of the inputs: files whole, sections of controllers, and lists of parts; in
 * order of roles. */
tr_status tr_method_sources_keep(const tr_method_sources *sources, tr_sections *out,
                                 tr_error *error) TR_NODISCARD;
