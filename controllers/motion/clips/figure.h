/* A clip's body in one pose: where the joints of its parts are. Internal to motion. */
#pragma once

#include "motion/clips/skeleton.h"

/* Parts in a pose; those that the skeleton lacks are zero. Metres, z up, in the clip's world.
 *   rot  joint frames to world */
typedef struct tr_figure {
    tr_vec3 pos[TR_PART_COUNT];
    tr_quat rot[TR_PART_COUNT];
} tr_figure;

/* The pose of a frame, and that in which all rotations are zero. */
tr_figure tr_figure_frame(const tr_clip *clip, const tr_part_joints *joints, int frame);
tr_figure tr_figure_zero(const tr_clip *clip, const tr_part_joints *joints);

/* The middle between a left part and its right counterpart. */
tr_vec3 tr_figure_middle(const tr_figure *figure, tr_part left);

/* From the right hip to the left one; not normalised. */
tr_vec3 tr_figure_left(const tr_figure *figure);

/* From the middle of the hips to that of the shoulders; not normalised. */
tr_vec3 tr_figure_trunk(const tr_figure *figure);

/* The nearest axis, if it is within 12 degrees: zero poses and rigs stand along axes. */
tr_vec3 tr_figure_snap(tr_vec3 v);

/* Up in a pose, snapped: along the trunk and the legs. */
tr_vec3 tr_figure_up(const tr_figure *figure);

/* Whether it stands upright with respect to `up`, a unit vector: trunk and straight legs along it,
 * both feet on one level. */
bool tr_figure_stands(const tr_figure *figure, tr_vec3 up);

/* The frame with z along `up` and y along the part of `left` orthogonal to it; x points ahead. */
tr_quat tr_figure_axes(tr_vec3 left, tr_vec3 up);

/* How fast the fastest part moves from one frame to the next, m/s: hips in the world, the others
 * about the hips. *out_part is which. */
double tr_figure_leap(const tr_clip *clip, const tr_part_joints *joints, int frame,
                      tr_part *out_part);

/* Whether a motion jumps from one frame to the next so that the two cannot belong together: faster
 * than any limb, and far faster than in the frames around. */
bool tr_figure_breaks(const tr_clip *clip, const tr_part_joints *joints, int frame);

/* The number of frames at the beginning that do not belong to the motion: a separate pose, which
 * many converters add, and the way from it into the motion; 0: none. */
int tr_figure_lead_in(const tr_clip *clip, const tr_part_joints *joints);
