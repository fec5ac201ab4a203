/* What the loaders of all formats share. Internal to motion.
 *
 * A loader fills a raw clip: positions in units of the file, axes of the file, rot the identity in
 * the zero pose. clip_load.c converts it afterwards. */
#pragma once

#include "motion/clips/clip.h"

/* An empty clip. NULL when memory is short. */
tr_clip *tr_clip_new(tr_clip_format format);

/* Adds a joint and returns its index, or -1 when there are TR_CLIP_JOINT_MAX already or memory is
 * short. */
int tr_clip_add_joint(tr_clip *clip, const char *name, int parent);

/* Takes memory for frame_count frames of joint_count joints; checks the caps first. */
tr_status tr_clip_reserve_frames(tr_clip *clip, int64_t frame_count, const char *file,
                                 tr_error *error) TR_NODISCARD;

/* Rotation by `angle_rad` about the file's axis 'X', 'Y' or 'Z'. */
tr_quat tr_clip_axis_turn(char axis, double angle_rad);

/* Puts joint `joint` of `frame` where its parent and its local translation and rotation say. */
void tr_clip_place_joint(tr_clip *clip, int frame, int joint, tr_vec3 local_pos, tr_quat local_rot);

/* The loaders: each fills a clip without joints. options->skeleton_dir is set. */
typedef tr_status tr_clip_loader(const char *path, const tr_clip_options *options, tr_clip *clip,
                                 tr_error *error) TR_NODISCARD;
tr_clip_loader tr_bvh_read;
tr_clip_loader tr_amc_read;
tr_clip_loader tr_scene_read; /* glTF and FBX, see scene.h */
tr_clip_loader tr_smpl_read; /* motions of the SMPL bodies in NumPy's archives, as AMASS has them */
tr_clip_loader tr_deepmimic_read; /* its bones are humanoid3d.bones.json of skeleton_dir */
