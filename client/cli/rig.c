#include "cli/rig.h"

#include "proto/json_text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAP_BYTES_MAX = 1 << 20 };

/* Bodies, and the parts of a joint map that move as they do. */
static const struct {
    const char *body, *part;
    bool needed;
} rows[] = {{"pelvis", "hips", true},
            {"utorso", "chest", false},
            {"head", "head", false},
            {"luarm", "left_shoulder", false},
            {"llarm", "left_elbow", false},
            {"lhand", "left_wrist", false},
            {"lthigh", "left_hip", true},
            {"lshank", "left_knee", true},
            {"lfoot", "left_ankle", true},
            {"ltoe", "left_toe", false},
            {"rthigh", "right_hip", true},
            {"rshank", "right_knee", true},
            {"rfoot", "right_ankle", true},
            {"rtoe", "right_toe", false},
            {"ruarm", "right_shoulder", false},
            {"rlarm", "right_elbow", false},
            {"rhand", "right_wrist", false}};
enum { ROWS = sizeof rows / sizeof *rows };

tr_status tr_bone_rig_load(const char *path, tr_bone_rig *out, tr_error *error) {
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".glb") == 0)
        return tr_bone_rig_load_gltf(path, out, error);
    if (dot && strcasecmp(dot, ".bvh") == 0)
        return tr_bone_rig_load_bvh(path, out, error);
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "--rig '%s': expected a rigged mesh in one file (.glb) or a clip (.bvh)", path);
}

void tr_bone_rig_deinit(tr_bone_rig *rig) {
    json_decref(rig->gltf);
    free(rig->bone);
    free(rig->bytes);
}

bool tr_bone_rig_write(const tr_bone_rig *rig, const tr_bone_motion *motion, FILE *out,
                       double frame_s) {
    return rig->gltf ? tr_bone_rig_write_gltf(rig, motion, out, frame_s)
                     : tr_bone_rig_write_bvh(rig, motion, out, frame_s);
}

/* --- the map --- */

static int find_body(const tr_recorded_motion *motion, const char *name) {
    for (int i = 0; i < motion->body_count; i++)
        if (strcmp(motion->body[i].name, name) == 0)
            return i;
    return -1;
}

/* A body that the model does not have is passed over. */
static tr_status join(tr_bone_rig *rig, const char *body, const char *bone,
                      const tr_recorded_motion *motion, const char *path, tr_error *error) {
    for (int b = 0; b < rig->count; b++) {
        if (strcmp(rig->bone[b].name, bone) != 0)
            continue;
        rig->bone[b].body = find_body(motion, body);
        return TR_OK;
    }
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "%s: '%s': the rig has no such bone among its %d, such as '%s'", path, bone,
                   rig->count, rig->bone[0].name);
}

static tr_status check(const tr_bone_rig *rig, const tr_recorded_motion *motion, const char *path,
                       tr_error *error) {
    for (int i = 0; i < ROWS; i++) {
        const int body = find_body(motion, rows[i].body);
        bool joined = !rows[i].needed;
        for (int b = 0; b < rig->count; b++)
            joined |= body >= 0 && rig->bone[b].body == body;
        if (!joined)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%s: no bone and body for '%s' (%s): expected those of pelvis and legs",
                           path, rows[i].body, rows[i].part);
    }
    return TR_OK;
}

tr_status tr_bone_rig_join(tr_bone_rig *rig, const char *path, const tr_recorded_motion *motion,
                           tr_error *error) {
    json_t *map = NULL, *bones = NULL;
    tr_status status = tr_json_load(path, MAP_BYTES_MAX, &map, error);
    const char *key;
    json_t *value;
    /* A joint map may have "bones" too: their lengths. */
    const bool parts = !status && json_object_get(map, "parts");
    if (!status)
        bones = json_object_get(map, parts ? "parts" : "bones");
    if (!status && !json_is_object(bones))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "%s: expected 'bones' (as client/rigs) or 'parts' (a joint map)", path);
    if (!status)
        json_object_foreach(bones, key, value) {
            const char *body = parts ? NULL : key;
            for (int i = 0; parts && i < ROWS; i++)
                body = strcmp(rows[i].part, key) == 0 ? rows[i].body : body;
            if (!status && body && json_is_string(value))
                status = join(rig, body, json_string_value(value), motion, path, error);
        }
    json_decref(map);
    return !status ? check(rig, motion, path, error) : status;
}
