#include "cli/gltf_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void tr_gltf_parts_begin(tr_gltf_parts *parts, json_t *views, json_t *accessors, const void *data,
                         size_t size) {
    *parts = (tr_gltf_parts){.views = views ? json_incref(views) : json_array(),
                             .accessors = accessors ? json_incref(accessors) : json_array()};
    parts->file = open_memstream(&parts->bytes, &parts->length);
    if (parts->file && size > 0)
        (void)fwrite(data, 1, size, parts->file);
    for (parts->size = size; parts->file && parts->size % 4; parts->size++)
        fputc(0, parts->file);
}

static json_t *bounds_of(const float *data, size_t count, int width, float (*pick)(float, float)) {
    json_t *bounds = json_array();
    for (int k = 0; k < width; k++) {
        float value = data[k];
        for (size_t i = 1; i < count; i++)
            value = pick(value, data[i * (size_t)width + (size_t)k]);
        json_array_append_new(bounds, json_real((double)value));
    }
    return bounds;
}

int tr_gltf_add(tr_gltf_parts *p, const void *data, size_t count, int width, int component,
                bool bounds) {
    static const char *const kinds[17] = {
        [1] = "SCALAR", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"};
    const size_t number = component == TR_GLTF_FLOAT ? 4 : component == TR_GLTF_SHORT ? 2 : 1;
    const size_t size = count * (size_t)width * number;
    json_t *accessor =
        json_pack("{s:i, s:i, s:I, s:s}", "bufferView", (int)json_array_size(p->views),
                  "componentType", component, "count", (json_int_t)count, "type", kinds[width]);
    json_array_append_new(p->views, json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                                              (json_int_t)p->size, "byteLength", (json_int_t)size));
    if (bounds) {
        json_object_set_new(accessor, "min", bounds_of(data, count, width, fminf));
        json_object_set_new(accessor, "max", bounds_of(data, count, width, fmaxf));
    }
    json_array_append_new(p->accessors, accessor);
    (void)fwrite(data, 1, size, p->file);
    for (p->size += size; p->size % 4; p->size++)
        fputc(0, p->file);
    return (int)json_array_size(p->accessors) - 1;
}

/* --- the motion --- */

static void add_track(json_t *animation, int times, int values, int node, const char *path) {
    json_t *samplers = json_object_get(animation, "samplers");
    int sampler = (int)json_array_size(samplers);
    json_array_append_new(samplers, json_pack("{s:i, s:i}", "input", times, "output", values));
    json_array_append_new(
        json_object_get(animation, "channels"),
        json_pack("{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", node, "path", path));
}

json_t *tr_gltf_animation(tr_gltf_parts *p, const tr_bone_motion *motion, const int *node,
                          double frame_s) {
    const size_t frames = (size_t)motion->frame_count, bones = (size_t)motion->bone_count;
    float *column = calloc(4 * (frames + 1), sizeof *column);
    if (!column)
        return NULL;
    json_t *animation = json_pack("{s:s, s:[], s:[]}", "name", "motion", "samplers", "channels");
    for (size_t f = 0; f < frames; f++)
        column[f] = (float)((double)f * frame_s);
    int times = tr_gltf_add(p, column, frames, 1, TR_GLTF_FLOAT, true);
    for (size_t f = 0; f < frames; f++) {
        const tr_vec3 v = motion->pos[f];
        memcpy(column + 3 * f, (float[]){(float)v.x, (float)v.y, (float)v.z}, 3 * sizeof *column);
    }
    add_track(animation, times, tr_gltf_add(p, column, frames, 3, TR_GLTF_FLOAT, false),
              node[motion->root], "translation");
    for (size_t b = 0; b < bones; b++) {
        if (node[b] < 0)
            continue;
        /* The format has the real part last. */
        for (size_t f = 0; f < frames; f++) {
            const tr_quat q = motion->rot[f * bones + b];
            const float last[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
            memcpy(column + 4 * f, last, sizeof last);
        }
        add_track(animation, times, tr_gltf_add(p, column, frames, 4, TR_GLTF_FLOAT, false),
                  node[b], "rotation");
    }
    free(column);
    return animation;
}

/* --- the file --- */

static void write_chunk(FILE *out, const char *kind, const char *data, size_t size, char fill) {
    const uint32_t padded = (uint32_t)((size + 3) / 4 * 4);
    (void)fwrite(&padded, 1, sizeof padded, out);
    (void)fwrite(kind, 1, 4, out);
    (void)fwrite(data, 1, size, out);
    for (size_t i = size; i < padded; i++)
        fputc(fill, out);
}

static void write_chunks(FILE *out, const char *text, const char *bytes, size_t size) {
    size_t length = strlen(text);
    const uint32_t head[] = {0x46546C67, 2,
                             (uint32_t)(28 + (length + 3) / 4 * 4 + (size + 3) / 4 * 4)};
    (void)fwrite(head, 1, sizeof head, out);
    write_chunk(out, "JSON", text, length, ' ');
    write_chunk(out, "BIN\0", bytes, size, 0);
}

bool tr_gltf_write(json_t *file, tr_gltf_parts *p, FILE *out) {
    bool whole = p->file && !ferror(p->file);
    whole = p->file && fclose(p->file) == 0 && whole && file;
    json_object_set_new(file, "accessors", p->accessors);
    json_object_set_new(file, "bufferViews", p->views);
    json_object_set_new(file, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)p->size));
    char *text = whole ? json_dumps(file, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (text)
        write_chunks(out, text, p->bytes, p->size);
    json_decref(file);
    free(p->bytes);
    free(text);
    return text != NULL;
}
