/* Rigs of users: the bones of a rigged mesh (.glb) or of a clip (.bvh), and the motion of a recorded
 * character on them, as client/python/troupe/retarget.py computes it. */
#pragma once

#include "cli/recorded_motion.h"
#include "proto/status.h"

#include <jansson.h>

/* A bone as bound. pos, rot, scale: in the rig's world; body: of the model, that the bone
 * follows; -1: it keeps its place in the parent. channel: of a BVH, such as "Zr" and "Xp", in order. */
typedef struct tr_rig_bone {
    tr_vec3 pos;
    tr_quat rot;
    double scale;
    int parent, body, channel_count;
    char channel[6][2];
    char name[128];
} tr_rig_bone;

typedef struct tr_bone_rig {
    tr_rig_bone *bone; /* [count], a parent anywhere */
    int count;
    json_t *gltf; /* NULL: the rig is of a BVH */
    char *bytes;  /* of the glTF, or the head of the BVH */
    size_t size;
} tr_bone_rig;

enum { TR_RIG_BONE_MAX = 4096 };

/* A motion of bones. rot: in the parent; pos: of the root in its parent */
typedef struct tr_bone_motion {
    int bone_count, frame_count, root;
    tr_quat *rot; /* [frame_count][bone_count] */
    tr_vec3 *pos; /* [frame_count] */
} tr_bone_motion;

/* Reads the file, by its name. A struct of zeros is empty. TR_INVALID_ARGUMENT: the message names the file
 * and what was expected. */
tr_status tr_bone_rig_load(const char *path, tr_bone_rig *out, tr_error *error) TR_NODISCARD;
void tr_bone_rig_deinit(tr_bone_rig *rig);

/* The formats of tr_bone_rig_load. */
tr_status tr_bone_rig_load_gltf(const char *path, tr_bone_rig *out, tr_error *error) TR_NODISCARD;
tr_status tr_bone_rig_load_bvh(const char *path, tr_bone_rig *out, tr_error *error) TR_NODISCARD;

/* Joins bones and bodies of the motion's model by a map: of client/rigs, or a joint map of
 * controllers/skeletons. TR_INVALID_ARGUMENT: a bone that the map names does not exist, or one of pelvis
 * and legs has none. */
tr_status tr_bone_rig_join(tr_bone_rig *rig, const char *map_path, const tr_recorded_motion *motion,
                           tr_error *error) TR_NODISCARD;

/* The motion on the bones of a joined rig. TR_INVALID_ARGUMENT: the bound pose does not stand;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_bone_rig_retarget(const tr_bone_rig *rig, const tr_recorded_motion *motion,
                               tr_bone_motion *out, tr_error *error) TR_NODISCARD;
void tr_bone_motion_deinit(tr_bone_motion *motion);
bool tr_bone_motion_init(tr_bone_motion *motion, int bone_count, int frame_count);

/* Write a file like the rig's, with this motion instead of the one in it. False: no memory. */
bool tr_bone_rig_write(const tr_bone_rig *rig, const tr_bone_motion *motion, FILE *out,
                       double frame_s);
bool tr_bone_rig_write_gltf(const tr_bone_rig *rig, const tr_bone_motion *motion, FILE *out,
                            double frame_s);
bool tr_bone_rig_write_bvh(const tr_bone_rig *rig, const tr_bone_motion *motion, FILE *out,
                           double frame_s);
