/* Strips: rows of stick figures as SVG, to judge motions by eye, one above the other.
 *
 * Each figure has its own cell, seen from the side (travel to the right) or from the
 * front. Left limbs are blue, right limbs red, the rest dark; the ground is a line. */
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "motion/clips/clip.h"
#include "motion/clips/skeleton.h"
#include "motion/poses/motion.h"

enum { TR_STRIP_ROW_MAX = 16, TR_STRIP_FIGURE_MAX = 200 };

typedef enum tr_strip_view { TR_STRIP_SIDE, TR_STRIP_FRONT } tr_strip_view;

/* One row: poses of a model, or frames of a source clip (then `model` is NULL). Nothing is owned.
 *   poses         [figure_count]
 *   frames        [figure_count], of the clip
 *   figure_count  1 to TR_STRIP_FIGURE_MAX
 *   ground_m      height of the ground line in the row's coordinates
 *   heading_rad   direction that points to the right of the page in the side view */
typedef struct tr_strip_row {
    const char *label;
    const tr_model *model;
    const tr_pose *poses;
    const tr_clip *clip;
    const tr_skeleton *skeleton;
    const int *frames;
    int figure_count;
    double ground_m, heading_rad;
    tr_strip_view view;
} tr_strip_row;

typedef struct tr_strip {
    const char *title;
    const tr_strip_row *rows; /* [row_count] */
    int row_count;            /* at most TR_STRIP_ROW_MAX */
    double time_step_s;       /* between figures, written below them; 0: no times */
} tr_strip;

/* The SVG as text; *out_text is the caller's to free. TR_INVALID_ARGUMENT: a count or a frame out
 * of range, or a row without poses and without a clip. The same strip gives the same bytes. */
tr_status tr_strip_print(const tr_strip *strip, char **out_text, size_t *out_size) TR_NODISCARD;
tr_status tr_strip_save(const tr_strip *strip, const char *path, tr_error *error) TR_NODISCARD;
