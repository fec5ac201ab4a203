/* glTF 2.0 in one file (.glb): the JSON, and the bytes that it refers to. Little-endian machines only, as
 * all of the command line client. */
#pragma once

#include "cli/rig.h"

#include <jansson.h>

/* Bytes that are collected, with a view and an accessor for each array. */
typedef struct tr_gltf_parts {
    json_t *views, *accessors;
    FILE *file; /* on `bytes`; NULL: no memory */
    char *bytes;
    size_t size, length; /* length: of `bytes`, once the file is closed */
} tr_gltf_parts;

/* The kinds of numbers, as the format calls them. */
enum { TR_GLTF_BYTE = 5121, TR_GLTF_SHORT = 5123, TR_GLTF_FLOAT = 5126 };

/* Begins with the bytes and lists that a file has; NULL: none. */
void tr_gltf_parts_begin(tr_gltf_parts *parts, json_t *views, json_t *accessors, const void *data,
                         size_t size);

/* Adds an array of [count][width] numbers (width: 1, 3, 4 or 16), and returns its accessor. bounds: state
 * the least and the most of each column, which must be floats. */
int tr_gltf_add(tr_gltf_parts *parts, const void *data, size_t count, int width, int component,
                bool bounds);

/* The animation of a motion of bones. node: of each bone; -1: it is not animated. NULL: no memory. */
json_t *tr_gltf_animation(tr_gltf_parts *parts, const tr_bone_motion *motion, const int *node,
                          double frame_s);

/* Puts views, accessors and bytes into `take_file` and writes it. False: no memory. */
bool tr_gltf_write(json_t *take_file, tr_gltf_parts *take_parts, FILE *out);
