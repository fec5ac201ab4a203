#include "cli/recorded_motion.h"

#include "proto/bvh.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 8, SIDES = 12, FLOAT = 5126, SHORT = 5123 };

/* A limb at rest. offset: of its joint's centre from the parent's, in the parent's frame; middle, axis: in
 * its body's frame; radius, half: m */
typedef struct limb {
    double offset[3], middle[3], axis[4], radius, half;
} limb;

/* --- the figure --- */

/* The shortest turn from z to a direction. */
static void turn_from_z(const double d[3], double length, double out[4]) {
    double w = 1 + d[2] / length, x = -d[1] / length, y = d[0] / length;
    double size = sqrt(w * w + x * x + y * y);
    bool opposite = size < 1e-6;
    out[0] = opposite ? 0 : w / size;
    out[1] = opposite ? 1 : x / size;
    out[2] = opposite ? 0 : y / size;
    out[3] = 0;
}

/* A limb reaches from its joint as far beyond the centre of mass as that is from the joint, and is as
 * heavy as the body at the density of water: an ellipsoid of 4/3 pi r^2 h. */
static void set_limb(limb *l, const tr_client_body *from) {
    double reach[3], length = 0;
    for (int k = 0; k < 3; k++) {
        reach[k] = from->com[k] - from->anchor[k];
        length += reach[k] * reach[k];
    }
    l->half = fmax(sqrt(length), 0.02);
    memcpy(l->middle, reach, sizeof reach);
    if (length > 0)
        turn_from_z(reach, sqrt(length), l->axis);
    else
        l->axis[0] = 1;
    l->radius = fmax(sqrt(from->mass_kg / 1000 / (4.0 / 3 * M_PI * l->half)), 0.01);
}

static limb limb_of(const tr_recorded_motion *motion, int body) {
    const tr_client_body *from = &motion->body[body];
    limb l = {.radius = 0};
    double joint[3];
    tr_recorded_motion_rotate(from->rot, from->anchor, joint);
    for (int k = 0; k < 3 && from->parent >= 0; k++)
        l.offset[k] = from->pos[k] + joint[k] - motion->body[from->parent].anchor[k];
    set_limb(&l, from);
    return l;
}

/* out: x, y, z, w, in the parent */
static void turn_in_parent(const tr_recorded_motion *motion, int frame, int body, float out[4]) {
    double own[4], above[4], size = 0;
    tr_recorded_motion_turn(motion, frame, body, own);
    if (body > 0) {
        tr_recorded_motion_turn(motion, frame, motion->body[body].parent, above);
        const double back[4] = {above[0], -above[1], -above[2], -above[3]};
        tr_bvh_multiply(back, own, own);
    }
    for (int k = 0; k < 4; k++)
        size += own[k] * own[k];
    for (int k = 0; k < 4; k++)
        out[k] = (float)(own[(k + 1) % 4] / sqrt(size));
}

/* --- the file --- */

/* What the JSON refers to, and the bytes behind it. */
typedef struct parts {
    json_t *views, *accessors;
    FILE *bytes;
    size_t size;
} parts;

/* One array of values, a view and an accessor each; returns its number. bounds: of [width] columns are
 * stated, as times and places need. */
static int add_array(parts *p, const void *data, size_t count, int width, int component,
                     bool bounds) {
    static const char *const kinds[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    size_t size = count * (size_t)width * (component == FLOAT ? sizeof(float) : sizeof(uint16_t));
    json_t *accessor =
        json_pack("{s:i, s:i, s:I, s:s}", "bufferView", (int)json_array_size(p->views),
                  "componentType", component, "count", (json_int_t)count, "type", kinds[width]);
    json_array_append_new(p->views, json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                                              (json_int_t)p->size, "byteLength", (json_int_t)size));
    json_t *low = json_array(), *high = json_array();
    for (int k = 0; bounds && k < width; k++) {
        const float *value = (const float *)data + k;
        float least = value[0], most = value[0];
        for (size_t i = 1; i < count; i++) {
            least = fminf(least, value[i * (size_t)width]);
            most = fmaxf(most, value[i * (size_t)width]);
        }
        json_array_append_new(low, json_real((double)least));
        json_array_append_new(high, json_real((double)most));
    }
    if (bounds)
        json_object_update_new(accessor, json_pack("{s:O, s:O}", "min", low, "max", high));
    json_decref(low);
    json_decref(high);
    json_array_append_new(p->accessors, accessor);
    (void)fwrite(data, 1, size, p->bytes);
    for (p->size += size; p->size % 4; p->size++)
        fputc(0, p->bytes);
    return (int)json_array_size(p->accessors) - 1;
}

/* A sphere of radius 1, whose normals are its places. */
static json_t *add_sphere(parts *p) {
    float place[(RINGS + 1) * (SIDES + 1)][3];
    uint16_t corner[RINGS * SIDES][6];
    for (int r = 0; r <= RINGS; r++)
        for (int s = 0; s <= SIDES; s++) {
            double down = M_PI * r / RINGS, about = 2 * M_PI * s / SIDES;
            float *at = place[r * (SIDES + 1) + s];
            at[0] = (float)(sin(down) * cos(about));
            at[1] = (float)(sin(down) * sin(about));
            at[2] = (float)cos(down);
        }
    for (int r = 0; r < RINGS; r++)
        for (int s = 0; s < SIDES; s++) {
            int a = r * (SIDES + 1) + s, b = a + SIDES + 1;
            const int faces[6] = {a, b, a + 1, a + 1, b, b + 1};
            for (int k = 0; k < 6; k++)
                corner[r * SIDES + s][k] = (uint16_t)faces[k];
        }
    int places = add_array(p, place, sizeof place / sizeof *place, 3, FLOAT, true);
    int faces = add_array(p, corner, sizeof corner / sizeof(uint16_t), 1, SHORT, false);
    return json_pack("[{s:[{s:{s:i, s:i}, s:i}]}]", "primitives", "attributes", "POSITION", places,
                     "NORMAL", places, "indices", faces);
}

static json_t *triple(const double v[3]) {
    return json_pack("[f,f,f]", v[0], v[1], v[2]);
}

/* Node 0 turns Troupe's axes to glTF's; body i is node 1 + i, and its limb node 1 + bodies + i. */
static json_t *make_nodes(const tr_recorded_motion *motion) {
    int count = motion->body_count;
    json_t *nodes = json_pack("[{s:s, s:[f,f,f,f], s:[i]}]", "name", "troupe", "rotation", -0.5,
                              -0.5, -0.5, 0.5, "children", 1);
    for (int i = 0; i < count; i++) {
        json_t *children = json_pack("[i]", 1 + count + i);
        for (int c = i + 1; c < count; c++)
            if (motion->body[c].parent == i)
                json_array_append_new(children, json_integer(1 + c));
        json_array_append_new(nodes, json_pack("{s:s, s:o, s:o}", "name", motion->body[i].name,
                                               "translation", triple(limb_of(motion, i).offset),
                                               "children", children));
    }
    for (int i = 0; i < count; i++) {
        const limb l = limb_of(motion, i);
        json_array_append_new(nodes, json_pack("{s:o, s:[f,f,f,f], s:[f,f,f], s:i}", "translation",
                                               triple(l.middle), "rotation", l.axis[1], l.axis[2],
                                               l.axis[3], l.axis[0], "scale", l.radius, l.radius,
                                               l.half, "mesh", 0));
    }
    return nodes;
}

static void add_track(json_t *animation, int times, int values, int node, const char *path) {
    json_t *samplers = json_object_get(animation, "samplers");
    int sampler = (int)json_array_size(samplers);
    json_array_append_new(samplers, json_pack("{s:i, s:i}", "input", times, "output", values));
    json_array_append_new(
        json_object_get(animation, "channels"),
        json_pack("{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", node, "path", path));
}

/* NULL: no memory. */
static json_t *make_animation(const tr_recorded_motion *motion, parts *p, double frame_s) {
    int count = motion->frame_count;
    size_t size = (size_t)count;
    float *column = calloc(4 * size + 1, sizeof *column);
    if (!column)
        return NULL;
    json_t *animation = json_pack("{s:s, s:[], s:[]}", "name", "motion", "samplers", "channels");
    for (int f = 0; f < count; f++)
        column[f] = (float)(f * frame_s);
    int times = add_array(p, column, size, 1, FLOAT, true);
    for (int f = 0; f < count; f++) {
        double place[3];
        tr_recorded_motion_place(motion, f, place);
        for (int k = 0; k < 3; k++)
            column[3 * f + k] = (float)place[k];
    }
    add_track(animation, times, add_array(p, column, size, 3, FLOAT, false), 1, "translation");
    for (int i = 0; i < motion->body_count; i++) {
        for (int f = 0; f < count; f++)
            turn_in_parent(motion, f, i, column + 4 * (size_t)f);
        add_track(animation, times, add_array(p, column, size, 4, FLOAT, false), 1 + i, "rotation");
    }
    free(column);
    return animation;
}

static void write_chunk(FILE *out, const char *kind, const char *data, size_t size, char fill) {
    const uint32_t padded = (uint32_t)((size + 3) / 4 * 4);
    (void)fwrite(&padded, 1, sizeof padded, out);
    (void)fwrite(kind, 1, 4, out);
    (void)fwrite(data, 1, size, out);
    for (size_t i = size; i < padded; i++)
        fputc(fill, out);
}

static void write_file(FILE *out, const char *text, const char *bytes, size_t size) {
    size_t length = strlen(text);
    const uint32_t head[] = {0x46546C67, 2,
                             (uint32_t)(28 + (length + 3) / 4 * 4 + (size + 3) / 4 * 4)};
    (void)fwrite(head, 1, sizeof head, out);
    write_chunk(out, "JSON", text, length, ' ');
    write_chunk(out, "BIN\0", bytes, size, 0);
}

bool tr_recorded_motion_write_gltf(const tr_recorded_motion *motion, FILE *out, double frame_s) {
    char *bytes = NULL, *text = NULL;
    size_t size = 0;
    parts p = {json_array(), json_array(), open_memstream(&bytes, &size), 0};
    json_t *meshes = p.bytes ? add_sphere(&p) : NULL;
    json_t *animation = p.bytes ? make_animation(motion, &p, frame_s) : NULL;
    bool whole = p.bytes && !ferror(p.bytes);
    whole = (!p.bytes || fclose(p.bytes) == 0) && whole && animation;
    json_t *file = json_pack(
        "{s:{s:s, s:s}, s:i, s:[{s:[i]}], s:o, s:o*, s:[o*], s:o, s:o, s:[{s:I}]}", "asset",
        "version", "2.0", "generator", "troupe export", "scene", 0, "scenes", "nodes", 0, "nodes",
        make_nodes(motion), "meshes", meshes, "animations", animation, "accessors", p.accessors,
        "bufferViews", p.views, "buffers", "byteLength", (json_int_t)p.size);
    if (whole && file)
        text = json_dumps(file, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (text)
        write_file(out, text, bytes, p.size);
    json_decref(file);
    bool done = text != NULL;
    free(text);
    free(bytes);
    return done;
}
