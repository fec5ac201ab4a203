/* Motions of the SMPL bodies as AMASS has them (Mahmood et al. 2019): an archive of NumPy's arrays with
 *   poses            [frames][66 or more], rotation vectors of the joints, the first 22 counting; or
 *                    root_orient [frames][3] and pose_body [frames][63]
 *   trans            [frames][3], of the root, m
 *   mocap_framerate  (mocap_frame_rate, fps)  Hz
 *
 * Rotations count from a T pose: y up, x to the left, z ahead. The shape of a person (betas) needs the
 * licensed model and is not read: the bones are those of the project's humanoid, to whose size a
 * retargeted motion is scaled in any case. */
#include "motion/clips/loader.h"

#include "math/hash.h"
#include "motion/scan/npz.h"
#include "proto/text_file.h"

#include <stdlib.h>
#include <string.h>

enum { JOINTS = 22, BODY = 3 * (JOINTS - 1) };

static const struct {
    const char *name;
    int parent;
    tr_vec3 offset;
} BONES[JOINTS] = {
    {"Pelvis", -1, {0, 0, 0}},           {"L_Hip", 0, {0.09, -0.05, 0}},
    {"R_Hip", 0, {-0.09, -0.05, 0}},     {"Spine1", 0, {0, 0.1, 0}},
    {"L_Knee", 1, {0, -0.42, 0}},        {"R_Knee", 2, {0, -0.42, 0}},
    {"Spine2", 3, {0, 0.13, 0}},         {"L_Ankle", 4, {0, -0.4, 0}},
    {"R_Ankle", 5, {0, -0.4, 0}},        {"Spine3", 6, {0, 0.06, 0}},
    {"L_Foot", 7, {0, -0.06, 0.13}},     {"R_Foot", 8, {0, -0.06, 0.13}},
    {"Neck", 9, {0, 0.22, 0}},           {"L_Collar", 9, {0.08, 0.14, 0}},
    {"R_Collar", 9, {-0.08, 0.14, 0}},   {"Head", 12, {0, 0.09, 0.02}},
    {"L_Shoulder", 13, {0.12, 0.03, 0}}, {"R_Shoulder", 14, {-0.12, 0.03, 0}},
    {"L_Elbow", 16, {0.28, 0, 0}},       {"R_Elbow", 17, {-0.28, 0, 0}},
    {"L_Wrist", 18, {0.25, 0, 0}},       {"R_Wrist", 19, {-0.25, 0, 0}},
};

/* Rows of an archive: root and body rotations, and places. */
typedef struct motion_rows {
    const tr_npz_array *root, *body, *place;
    size_t body_at; /* of the first joint below the root, in its row */
} motion_rows;

static tr_status find_rows(const tr_npz *npz, const char *path, motion_rows *out, tr_error *error) {
    const tr_npz_array *poses = tr_npz_find(npz, "poses");
    *out = (motion_rows){.root = poses ? poses : tr_npz_find(npz, "root_orient"),
                         .body = poses ? poses : tr_npz_find(npz, "pose_body"),
                         .place = tr_npz_find(npz, "trans"),
                         .body_at = poses ? 3 : 0};
    if (!out->root || !out->body || !out->place)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s: expected the arrays 'poses' (or 'root_orient' and 'pose_body') and "
                       "'trans' of numbers: rotation vectors of the SMPL joints, and the root's "
                       "places",
                       path);
    const tr_npz_array *all[] = {out->root, out->body, out->place};
    const size_t least[] = {3, out->body_at + BODY, 3};
    for (int i = 0; i < 3; i++)
        if (all[i]->dimensions != 2 || all[i]->shape[1] < least[i] ||
            all[i]->shape[0] != out->place->shape[0])
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.200s: '%.40s': expected a row of %zu numbers or more for each frame",
                           path, all[i]->name, least[i]);
    return TR_OK;
}

static void read_rate(const tr_npz *npz, tr_clip *clip) {
    static const char *const names[] = {"mocap_framerate", "mocap_frame_rate", "fps"};
    static const double assumed_hz = 120; /* most of AMASS */
    clip->dt_s = 1 / assumed_hz;
    clip->found.rate_assumed = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && clip->found.rate_assumed; i++) {
        const tr_npz_array *rate = tr_npz_find(npz, names[i]);
        if (rate && rate->size == 1 && rate->value[0] >= 1 && rate->value[0] <= 1e4) {
            clip->dt_s = 1 / rate->value[0];
            clip->found.rate_assumed = false;
        }
    }
}

static tr_status place_frame(tr_clip *clip, const motion_rows *rows, int frame, const char *path,
                             tr_error *error) {
    for (int joint = 0; joint < JOINTS; joint++) {
        const tr_npz_array *array = joint == 0 ? rows->root : rows->body;
        size_t at = (size_t)frame * array->shape[1] +
                    (joint == 0 ? 0 : rows->body_at + 3 * ((size_t)joint - 1));
        const double *v = array->value + at,
                     *p = rows->place->value + (size_t)frame * rows->place->shape[1];
        tr_vec3 turn = {v[0], v[1], v[2]};
        if (!(tr_vec3_length(turn) < 1e3 && tr_vec3_is_finite(tr_vec3_make(p[0], p[1], p[2]))))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.200s: '%.40s', frame %d: expected finite numbers", path, array->name,
                           frame);
        tr_clip_place_joint(clip, frame, joint,
                            joint == 0 ? tr_vec3_make(p[0], p[1], p[2]) : BONES[joint].offset,
                            tr_quat_exp(turn));
    }
    return TR_OK;
}

static tr_status fill(tr_clip *clip, const tr_npz *npz, const char *path, tr_error *error) {
    motion_rows rows;
    tr_status status = find_rows(npz, path, &rows, error);
    if (status)
        return status;
    for (int i = 0; i < JOINTS; i++) {
        int joint = tr_clip_add_joint(clip, BONES[i].name, BONES[i].parent);
        clip->joints[joint].offset = BONES[i].offset;
    }
    clip->found.unit_given = true;
    clip->found.unit_m = 1;
    read_rate(npz, clip);
    status = tr_clip_reserve_frames(clip, (int64_t)rows.place->shape[0], path, error);
    for (int f = 0; !status && f < clip->frame_count; f++)
        status = place_frame(clip, &rows, f, path, error);
    return status;
}

tr_status tr_smpl_read(const char *path, const tr_clip_options *options, tr_clip *clip,
                       tr_error *error) {
    (void)options;
    tr_npz npz = {0};
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_bytes_file_read(path, TR_CLIP_FILE_MAX, &bytes, &size, error);
    if (!status)
        status = tr_npz_parse(&(tr_npz_file){bytes, size, path, true}, &npz, error);
    if (!status)
        status = fill(clip, &npz, path, error);
    clip->hash = tr_hash_add(TR_HASH_START, bytes, size);
    tr_npz_deinit(&npz);
    free(bytes);
    return status;
}
