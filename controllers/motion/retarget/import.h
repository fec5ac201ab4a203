/* All steps from a clip to a motion that is ready for learning, as in `troupe-train import`: load,
 * calibrate, retarget, cut, resample, close, symmetrise, smooth, ground, place, check. */
#pragma once

#include "motion/clips/calibration.h"
#include "motion/clips/clip.h"
#include "motion/poses/motion.h"
#include "motion/retarget/inspection.h"

/* The procedures of an import: 1 is that of old records, which have no number; 4 is the present one.
 *   1  calibrated by the joint map alone, every frame taken, nothing checked
 *   2  calibrated by the clip (calibration.h), a separate first frame is left out, checked
 *   3  a cycle that turns by 12 deg or more keeps its turn, not only one of 20; compared with the clip
 *   4  a drift of the ground is taken out, and feet that stand pitched throughout are laid flat
 * The earlier procedures are kept, so that old trainings can be reproduced. */
enum {
    TR_IMPORT_PROCEDURE_FIRST = 1,
    TR_IMPORT_PROCEDURE_SECOND,
    TR_IMPORT_PROCEDURE_THIRD,
    TR_IMPORT_PROCEDURE
};

/* What to import and how. Start from tr_import_default, whose values are in brackets; the table in
 * import_options.h lists names, units and bounds of what can be set.
 *   clip         how to read the file
 *   procedure    above (4)
 *   stand        frames that stand, to calibrate from; last < first: found (none)
 *   accepted     one bit for each tr_check whose finding does not refuse the import (none)
 *   first, last  frames of the clip, both included; last < 0: to its end (all)
 *   dt_s         of the motion (0.005)
 *   frame_count  > 0: the exact number of frames; the motion is stretched to fit (0)
 *   symmetric    implies cyclic
 *   alike        both sides do the same at the same time, as in a flip: the motion is two cycles,
 *                the second the mirror image of the first; implies cyclic
 *   return_s     > 0: cyclic through a blended return of this length (0)
 *   blend_s      > 0: cyclic by blending the gap away over the last blend_s; 0: over the whole cycle
 *                (0)
 *   from_rest_s, to_rest_s  > 0: begins or ends in the rest pose, see tr_motion_join_rest; not for
 *                cyclic ones (0)
 *   from_lying_s > 0: begins lying, see tr_motion_join_lying; not for cyclic ones (0)
 *   smooth_s     Gaussian sigma (0.02)
 *   ground       percentile for tr_motion_ground; < 0: tr_motion_fit_ground (-1)
 *   stiff        do not bend toes, wrists and legs to meet the ground, see motion.h (false)
 *   name         of the motion; NULL: of the clip. Texts are cut to their buffers.
 *   licence, origin  provenance; NULL: "not stated" */
typedef struct tr_import {
    tr_clip_options clip;
    int procedure;
    tr_frame_range stand;
    unsigned accepted;
    int first, last;
    double dt_s;
    int frame_count;
    bool cyclic, symmetric, alike;
    double return_s, blend_s, from_rest_s, to_rest_s, from_lying_s, smooth_s, ground;
    bool stiff;
    const char *name, *licence, *origin;
} tr_import;

tr_import tr_import_default(void);

/* The findings of an import.
 *   clip         the source, with its joint map as calibrated
 *   first, last  frames that were taken
 *   scale        length of the model's legs over that of the clip's
 *   stretch      length in time of the frames taken in the motion, over that in the clip
 *   gap          between the ends, before the cycle was closed; 0 when the motion is open
 *   drift_m, pitch_rad  of the ground and of the feet, that were taken out; 0: none
 *   finding      [finding_count], what the checks found */
typedef struct tr_import_account {
    tr_clip *clip;
    tr_calibration calibration;
    int first, last;
    double scale, stretch, drift_m, pitch_rad[2];
    tr_motion_gap gap;
    int finding_count;
    tr_finding finding[TR_CHECK_COUNT];
} tr_import_account;

void tr_import_account_deinit(tr_import_account *account); /* of zeros is fine */

/* Imports the clip file at `path` onto `model`. On success *out is the caller's, and *out_account,
 * which may be NULL, is to be deinitialised. TR_FAILED_PRECONDITION: a check refuses the result;
 * the message says what is wrong and what to do. Deterministic. */
tr_status tr_import_run(const char *path, const tr_model *model, const tr_import *import,
                        tr_motion **out, tr_import_account *out_account,
                        tr_error *error) TR_NODISCARD;
