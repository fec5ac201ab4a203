/* Writing BVH, so that any motion, also a simulated one, opens in Blender and other tools. */
#pragma once

#include "motion/clips/clip.h"
#include "motion/poses/motion.h"

/* A motion as a clip: a joint per body and an end per leaf. cycle_count: number of repetitions of a
 * cyclic motion (at least 1; no effect on others). TR_INVALID_ARGUMENT: the model has another
 * number of bodies; TR_RESOURCE_EXHAUSTED: over the caps of clip.h. On success *out is the
 * caller's, to be passed to tr_clip_destroy. */
tr_status tr_clip_from_motion(const tr_model *model, const tr_motion *motion, int cycle_count,
                              tr_clip **out) TR_NODISCARD;

/* Writes metres, y up, z forward; rotations ZXY, in degrees. tr_clip_load reads it back to
 * 1e-5 m. */
tr_status tr_bvh_save(const tr_clip *clip, const char *path, tr_error *error) TR_NODISCARD;

/* A motion of `model` as a BVH file, one cycle of it. */
tr_status tr_bvh_save_motion(const tr_model *model, const tr_motion *motion, const char *path,
                             tr_error *error) TR_NODISCARD;

/* The same as text; *out_text is the caller's to free. */
tr_status tr_bvh_print(const tr_clip *clip, char **out_text, size_t *out_size) TR_NODISCARD;
