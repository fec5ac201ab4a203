/* What the loaders of all formats share. Internal to motion.
 *
 * A loader fills a raw clip: positions in units of the file, axes of the file, rot the identity in
 * the zero pose. clip_load.c converts it afterwards. */
#ifndef TROUPE_MOTION_LOADER_H
#define TROUPE_MOTION_LOADER_H

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

/* All bytes of a file of at most TR_CLIP_FILE_MAX, for the caller to free. */
tr_status tr_clip_read_bytes(const char *path, void **out, size_t *out_size,
                             tr_error *error) TR_NODISCARD;

tr_status tr_bvh_read(const char *path, tr_clip **out, tr_error *error) TR_NODISCARD;
tr_status tr_amc_read(const char *path, const char *asf_path, tr_clip **out,
                      tr_error *error) TR_NODISCARD;

/* Motions of the SMPL bodies in NumPy's archives, as AMASS has them. */
tr_status tr_smpl_read(const char *path, tr_clip **out, tr_error *error) TR_NODISCARD;

/* skeleton_dir: holds humanoid3d.bones.json, the bones of the character of DeepMimic. */
tr_status tr_deepmimic_read(const char *path, const char *skeleton_dir, tr_clip **out,
                            tr_error *error) TR_NODISCARD;

#endif
