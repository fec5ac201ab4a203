/* Retargeting: from the joints of a source clip to the poses of a character model, and the whole
 * way from a clip to a motion ready for learning.
 *
 * Bones point where they point in the source: limbs follow world bone directions, with the hinge
 * axis of elbow and knee taken from the bend of the limb over the whole clip (so that a straight
 * limb does not spin); trunk, head and feet follow the source's joint frames, through the
 * calibration of its joint map. Positions are scaled by the ratio of leg lengths. Any model whose
 * marks name feet, hands, head and trunk will do. */
#ifndef TROUPE_MOTION_RETARGET_H
#define TROUPE_MOTION_RETARGET_H

#include "motion/clips/clip.h"
#include "motion/clips/skeleton.h"
#include "motion/motion.h"

/* Every frame of the clip on the model, at the clip's rate; not grounded, not placed.
 * TR_INVALID_ARGUMENT: the model lacks a mark, or the clip a joint; the message says which. */
tr_status tr_retarget(const tr_clip *clip, const tr_skeleton *skeleton, const tr_model *model,
                      tr_motion **out, tr_error *error) TR_NODISCARD;

/* A whole import, as `troupe-train import` does it: load, retarget, cut, resample, close,
 * symmetrise, smooth, ground, place. Start from tr_import_default, whose values are in brackets.
 *   clip         how to read the file
 *   first, last  frames of the clip, both included; last < 0: to its end (all)
 *   dt_s         of the motion (0.005), 0.0001 to 0.1
 *   frame_count  > 0: exactly so many frames, the motion stretched to fit (0)
 *   symmetric    implies cyclic
 *   alike        both sides do the same at the same time, as in a flip: the motion is two cycles,
 *                the second the mirror image of the first; implies cyclic
 *   return_s     > 0: cyclic through a blended return of this length, at most 10 (0)
 *   blend_s      > 0: cyclic by blending the gap away over the last blend_s, at most 10; 0: over the
 *                whole cycle (0)
 *   from_rest_s, to_rest_s  > 0: begins or ends in the rest pose, see tr_motion_join_rest; not for
 *                cyclic ones (0)
 *   from_lying_s > 0: begins lying, see tr_motion_join_lying; not for cyclic ones (0)
 *   smooth_s     Gaussian sigma, at most 1 (0.02)
 *   ground       percentile for tr_motion_ground; < 0: tr_motion_fit_ground (-1)
 *   touch        bend toes, wrists and legs to meet the ground, see motion.h (true)
 *   name         of the motion; NULL: of the clip. Texts are cut to their buffers.
 *   licence, origin  provenance; NULL: "not stated" */
typedef struct tr_import {
    tr_clip_options clip;
    int first, last;
    double dt_s;
    int frame_count;
    bool cyclic, symmetric, alike;
    double return_s, blend_s, from_rest_s, to_rest_s, from_lying_s, smooth_s, ground;
    bool touch;
    const char *name, *licence, *origin;
} tr_import;

tr_import tr_import_default(void);

/* Imports the clip file at `path` onto `model`. out_clip: the source clip, for reports and strips;
 * may be NULL. On success *out and *out_clip are the caller's. Deterministic. */
tr_status tr_import_run(const char *path, const tr_model *model, const tr_import *import,
                        tr_motion **out, tr_clip **out_clip, tr_error *error) TR_NODISCARD;

/* Sets what the text says that an import wrote into its motion (source.options); the rest stays.
 * TR_INVALID_ARGUMENT: not such a text. */
tr_status tr_import_read_options(const char *text, tr_import *out, tr_error *error) TR_NODISCARD;

#endif
