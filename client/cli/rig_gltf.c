/* A rigged mesh of the user, in glTF 2.0. Its nodes are the bones; one that is no bone keeps its place. */
#include "cli/gltf_file.h"

#include "proto/json_text.h"
#include "proto/text_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MESH_BYTES_MAX = 256 << 20, HEAD_BYTES = 20, CHUNK_HEAD_BYTES = 8 };

/* --- reading --- */

static tr_status refuse(const char *path, const char *what, tr_error *error) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "--rig %s: %s", path, what);
}

/* Its JSON, and where its bytes are: out_at, out_size; both 0 without any. */
static tr_status split(const char *path, const char *bytes, size_t size, json_t **out,
                       size_t *out_at, size_t *out_size, tr_error *error) {
    uint32_t head[HEAD_BYTES / 4] = {0}, chunk[2] = {0};
    if (size >= HEAD_BYTES)
        memcpy(head, bytes, sizeof head);
    const size_t length = head[3], after = HEAD_BYTES + length;
    if (head[0] != 0x46546C67 || head[1] != 2 || head[4] != 0x4E4F534A ||
        length > size - HEAD_BYTES)
        return refuse(path, "expected glTF 2.0 in one file (.glb)", error);
    tr_status status = tr_json_parse(bytes + HEAD_BYTES, length, path, out, error);
    if (status || size < after + CHUNK_HEAD_BYTES)
        return status;
    memcpy(chunk, bytes + after, sizeof chunk);
    if (chunk[0] > size - after - CHUNK_HEAD_BYTES || chunk[1] != 0x004E4942)
        return refuse(path, "its second part is cut off, or holds no bytes of meshes", error);
    *out_at = after + CHUNK_HEAD_BYTES;
    *out_size = chunk[0];
    return TR_OK;
}

/* Numbers of a list; those that it lacks keep their values. */
static void take(const json_t *list, int count, double *out) {
    for (int k = 0; k < count && k < (int)json_array_size(list); k++)
        out[k] = json_number_value(json_array_get(list, (size_t)k));
}

/* Where the node is in its parent. A scale is taken as the same along all axes. */
static void read_place(const json_t *node, tr_rig_bone *out) {
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, scale = 1;
    double turn[4] = {0, 0, 0, 1};
    if (json_object_get(node, "matrix")) {
        take(json_object_get(node, "matrix"), 16, m);
        scale = fmax(tr_vec3_length(tr_vec3_make(m[0], m[1], m[2])), 1e-9);
        for (int k = 0; k < 12; k++)
            m[k] /= scale;
        const tr_mat3 axes = {{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}};
        out->rot = tr_quat_from_mat3(&axes);
    } else {
        take(json_object_get(node, "scale"), 1, &scale);
        take(json_object_get(node, "translation"), 3, m + 12);
        take(json_object_get(node, "rotation"), 4, turn);
        out->rot = (tr_quat){turn[3], turn[0], turn[1], turn[2]};
    }
    out->scale = fmax(fabs(scale), 1e-9);
    out->pos = tr_vec3_make(m[12], m[13], m[14]);
}

/* Brings a bone, and all above it, from its parent to the world. */
static void place(tr_bone_rig *rig, bool *placed, int b, int depth) {
    tr_rig_bone *bone = &rig->bone[b];
    if (placed[b] || bone->parent < 0 || depth > rig->count)
        return;
    place(rig, placed, bone->parent, depth + 1);
    const tr_rig_bone *parent = &rig->bone[bone->parent];
    bone->pos =
        tr_vec3_add_scaled(parent->pos, parent->scale, tr_quat_rotate(parent->rot, bone->pos));
    bone->rot = tr_quat_mul(parent->rot, bone->rot);
    bone->scale *= parent->scale;
    placed[b] = true;
}

static tr_status read_bones(const char *path, tr_bone_rig *rig, tr_error *error) {
    const json_t *nodes = json_object_get(rig->gltf, "nodes");
    const size_t count = json_array_size(nodes);
    if (count < 1 || count > TR_RIG_BONE_MAX)
        return refuse(path, "expected 1 to 4096 nodes", error);
    bool *placed = calloc(count, sizeof *placed);
    rig->bone = calloc(count, sizeof *rig->bone);
    if (!placed || !rig->bone) {
        free(placed);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    rig->count = (int)count;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(nodes, i), "name"));
        rig->bone[i].parent = rig->bone[i].body = -1;
        snprintf(rig->bone[i].name, sizeof rig->bone[i].name, "%s", name ? name : "");
        read_place(json_array_get(nodes, i), &rig->bone[i]);
    }
    for (size_t i = 0; i < count; i++) {
        size_t k;
        json_t *child;
        json_array_foreach(json_object_get(json_array_get(nodes, i), "children"), k, child) {
            const json_int_t at = json_integer_value(child);
            if (at >= 0 && at < (json_int_t)count && at != (json_int_t)i)
                rig->bone[at].parent = (int)i;
        }
    }
    for (int b = 0; b < rig->count; b++)
        place(rig, placed, b, 0);
    free(placed);
    return TR_OK;
}

tr_status tr_bone_rig_load_gltf(const char *path, tr_bone_rig *out, tr_error *error) {
    char *bytes = NULL;
    size_t size = 0, at = 0;
    tr_status status = tr_bytes_file_read(path, MESH_BYTES_MAX, &bytes, &size, error);
    if (!status)
        status = split(path, bytes, size, &out->gltf, &at, &out->size, error);
    if (!status && json_array_size(json_object_get(out->gltf, "buffers")) > 1)
        status = refuse(path, "it has several buffers: expected one", error);
    if (!status) {
        memmove(bytes, bytes + at, out->size);
        out->bytes = bytes;
        return read_bones(path, out, error);
    }
    free(bytes);
    return status;
}

/* --- writing --- */

/* What an animation turns may not have a matrix. */
static void spell_place(json_t *node) {
    tr_rig_bone local = {.parent = -1};
    if (!json_object_get(node, "matrix"))
        return;
    read_place(node, &local);
    json_object_del(node, "matrix");
    json_object_update_new(node, json_pack("{s:[f,f,f], s:[f,f,f,f], s:[f,f,f]}", "translation",
                                           local.pos.x, local.pos.y, local.pos.z, "rotation",
                                           local.rot.x, local.rot.y, local.rot.z, local.rot.w,
                                           "scale", local.scale, local.scale, local.scale));
}

bool tr_bone_rig_write_gltf(const tr_bone_rig *rig, const tr_bone_motion *motion, FILE *out,
                            double frame_s) {
    tr_gltf_parts p;
    json_t *file = json_deep_copy(rig->gltf), *nodes = json_object_get(file, "nodes");
    int *node = calloc((size_t)rig->count, sizeof *node);
    tr_gltf_parts_begin(&p, json_object_get(file, "bufferViews"),
                        json_object_get(file, "accessors"), rig->bytes, rig->size);
    json_t *animation = NULL;
    if (node && p.file) {
        for (int b = 0; b < rig->count; b++) {
            node[b] = rig->bone[b].body >= 0 ? b : -1;
            if (node[b] >= 0)
                spell_place(json_array_get(nodes, (size_t)b));
        }
        animation = tr_gltf_animation(&p, motion, node, frame_s);
    }
    free(node);
    if (!animation) {
        json_decref(file);
        file = NULL;
    }
    if (file)
        json_object_set_new(file, "animations", json_pack("[o]", animation));
    return tr_gltf_write(file, &p, out);
}
