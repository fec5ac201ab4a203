/* The built-in figure: a skin of rounded limbs, which bend with the joints, and the motion of its bones. */
#include "cli/gltf_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { RINGS = 8, SIDES = 12, LIMB_POINTS = (RINGS + 1) * (SIDES + 1) };

/* --- the skin --- */

/* middle: of the limb, in its body's frame; axis: what turns z to its length */
typedef struct limb {
    const tr_rest_body *rest;
    tr_vec3 middle;
    tr_quat axis;
    double radius, half;
} limb;

static void store(tr_vec3 v, float *out) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/* [count] each */
typedef struct skin {
    float (*place)[3], (*normal)[3], (*weight)[4];
    uint8_t (*joint)[4];
    uint16_t (*corner)[6];
} skin;

/* A point of a unit sphere becomes one of the limb. Around the joint it follows the parent too, by half at
 * the joint's centre, so that the skin bends. */
static void set_point(const limb *l, int body, int parent, tr_vec3 on, const skin *s, int at) {
    const double r = l->radius, h = l->half;
    const tr_vec3 point =
        tr_vec3_add(l->middle, tr_quat_rotate(l->axis, tr_vec3_make(r * on.x, r * on.y, h * on.z)));
    const tr_vec3 normal = tr_vec3_normalize_or(tr_vec3_make(on.x / r, on.y / r, on.z / h), on);
    const tr_quat upright = tr_quat_mul(l->rest->rot, l->axis);
    store(tr_vec3_add(l->rest->joint, tr_quat_rotate(l->rest->rot, point)), s->place[at]);
    store(tr_quat_rotate(upright, normal), s->normal[at]);
    float above = parent < 0 ? 0 : (float)fmax(0, 0.5 - 0.5 * tr_vec3_length(point) / r);
    s->joint[at][0] = (uint8_t)body;
    s->joint[at][1] = (uint8_t)(above > 0 ? parent : 0);
    s->weight[at][0] = 1 - above;
    s->weight[at][1] = above;
}

static void set_limb_skin(const tr_recorded_motion *motion, int body, const skin *s) {
    const tr_vec3 z = {0, 0, 1}, reach = motion->rest[body].reach;
    limb l = {.rest = &motion->rest[body], .middle = reach};
    l.half = fmax(tr_vec3_length(reach), 0.02);
    l.axis = tr_quat_between(z, tr_vec3_normalize_or(reach, z));
    l.radius = fmax(sqrt(motion->body[body].mass_kg / 1000 / (4.0 / 3 * M_PI * l.half)), 0.01);
    for (int r = 0; r <= RINGS; r++)
        for (int k = 0; k <= SIDES; k++) {
            double down = M_PI * r / RINGS, about = 2 * M_PI * k / SIDES;
            const tr_vec3 on = {sin(down) * cos(about), sin(down) * sin(about), cos(down)};
            set_point(&l, body, motion->body[body].parent, on, s,
                      body * LIMB_POINTS + r * (SIDES + 1) + k);
        }
    for (int r = 0; r < RINGS; r++)
        for (int k = 0; k < SIDES; k++) {
            int a = body * LIMB_POINTS + r * (SIDES + 1) + k, b = a + SIDES + 1;
            const int faces[6] = {a, b, a + 1, a + 1, b, b + 1};
            for (int i = 0; i < 6; i++)
                s->corner[(body * RINGS + r) * SIDES + k][i] = (uint16_t)faces[i];
        }
}

static json_t *add_skin(tr_gltf_parts *p, const skin *s, size_t bodies) {
    size_t points = bodies * LIMB_POINTS;
    int place = tr_gltf_add(p, s->place, points, 3, TR_GLTF_FLOAT, true);
    int normal = tr_gltf_add(p, s->normal, points, 3, TR_GLTF_FLOAT, false);
    int joint = tr_gltf_add(p, s->joint, points, 4, TR_GLTF_BYTE, false);
    int weight = tr_gltf_add(p, s->weight, points, 4, TR_GLTF_FLOAT, false);
    int corner = tr_gltf_add(p, s->corner, bodies * RINGS * SIDES * 6, 1, TR_GLTF_SHORT, false);
    return json_pack("[{s:[{s:{s:i, s:i, s:i, s:i}, s:i}]}]", "primitives", "attributes",
                     "POSITION", place, "NORMAL", normal, "JOINTS_0", joint, "WEIGHTS_0", weight,
                     "indices", corner);
}

/* The mesh of all limbs; NULL: no memory. */
static json_t *make_skin(const tr_recorded_motion *motion, tr_gltf_parts *p) {
    size_t bodies = (size_t)motion->body_count, points = bodies * LIMB_POINTS;
    skin s = {calloc(points, sizeof *s.place), calloc(points, sizeof *s.normal),
              calloc(points, sizeof *s.weight), calloc(points, sizeof *s.joint),
              calloc(bodies * RINGS * SIDES, sizeof *s.corner)};
    json_t *meshes = NULL;
    if (s.place && s.normal && s.weight && s.joint && s.corner) {
        for (int b = 0; b < motion->body_count; b++)
            set_limb_skin(motion, b, &s);
        meshes = add_skin(p, &s, bodies);
    }
    free(s.place);
    free(s.normal);
    free(s.weight);
    free(s.joint);
    free(s.corner);
    return meshes;
}

/* --- the bones --- */

/* From the parent's joint, in the parent's frame. */
static json_t *make_offset(const tr_recorded_motion *motion, int body) {
    const tr_rest_body root = {.rot = tr_quat_identity()};
    const tr_rest_body *parent = body > 0 ? &motion->rest[motion->body[body].parent] : &root;
    const tr_vec3 v =
        tr_quat_rotate_inverse(parent->rot, tr_vec3_sub(motion->rest[body].joint, parent->joint));
    return json_pack("[f,f,f]", v.x, v.y, v.z);
}

/* Node 0 turns Troupe's axes to glTF's; body i is node 1 + i; the last one has the skin. */
static json_t *make_nodes(const tr_recorded_motion *motion) {
    int count = motion->body_count;
    json_t *nodes = json_pack("[{s:s, s:[f,f,f,f], s:[i]}]", "name", "troupe", "rotation", -0.5,
                              -0.5, -0.5, 0.5, "children", 1);
    for (int i = 0; i < count; i++) {
        const double *q = motion->body[i].rot;
        json_t *children = json_array();
        for (int c = i + 1; c < count; c++)
            if (motion->body[c].parent == i)
                json_array_append_new(children, json_integer(1 + c));
        json_t *node =
            json_pack("{s:s, s:o, s:[f,f,f,f]}", "name", motion->body[i].name, "translation",
                      make_offset(motion, i), "rotation", q[1], q[2], q[3], q[0]);
        if (json_array_size(children))
            json_object_set(node, "children", children);
        json_decref(children);
        json_array_append_new(nodes, node);
    }
    json_array_append_new(nodes,
                          json_pack("{s:s, s:i, s:i}", "name", "figure", "mesh", 0, "skin", 0));
    return nodes;
}

/* What leads from the rest pose to each bone. */
static json_t *make_binding(const tr_rest_body *rest, int count, tr_gltf_parts *p) {
    float(*matrix)[16] = calloc((size_t)count, sizeof *matrix);
    json_t *joints = json_array();
    if (!matrix)
        return joints;
    for (int i = 0; i < count; i++) {
        const tr_vec3 column[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, tr_vec3_negate(rest[i].joint)};
        for (int c = 0; c < 4; c++)
            store(tr_quat_rotate_inverse(rest[i].rot, column[c]), matrix[i] + 4 * c);
        matrix[i][15] = 1;
        json_array_append_new(joints, json_integer(1 + i));
    }
    int binding = tr_gltf_add(p, matrix, (size_t)count, 16, TR_GLTF_FLOAT, false);
    free(matrix);
    return json_pack("[{s:i, s:o}]", "inverseBindMatrices", binding, "joints", joints);
}

static tr_quat turn_in_parent(const tr_recorded_motion *motion, int frame, int body) {
    const tr_quat own = tr_recorded_motion_turn(motion, frame, body);
    const tr_quat above = body > 0
                              ? tr_recorded_motion_turn(motion, frame, motion->body[body].parent)
                              : tr_quat_identity();
    return tr_quat_normalize(tr_quat_mul(tr_quat_conj(above), own));
}

static json_t *make_animation(const tr_recorded_motion *motion, tr_gltf_parts *p, double frame_s) {
    tr_bone_motion bones = {0};
    int *node = calloc((size_t)motion->body_count, sizeof *node);
    json_t *animation = NULL;
    if (node && tr_bone_motion_init(&bones, motion->body_count, motion->frame_count)) {
        for (int f = 0; f < motion->frame_count; f++) {
            bones.pos[f] = tr_recorded_motion_place(motion, f);
            for (int i = 0; i < motion->body_count; i++)
                bones.rot[f * motion->body_count + i] = turn_in_parent(motion, f, i);
        }
        for (int i = 0; i < motion->body_count; i++)
            node[i] = 1 + i;
        animation = tr_gltf_animation(p, &bones, node, frame_s);
    }
    tr_bone_motion_deinit(&bones);
    free(node);
    return animation;
}

bool tr_recorded_motion_write_gltf(const tr_recorded_motion *motion, FILE *out, double frame_s) {
    tr_gltf_parts p;
    json_t *meshes = NULL, *animation = NULL, *skins = NULL, *file = NULL;
    tr_gltf_parts_begin(&p, NULL, NULL, NULL, 0);
    if (p.file) {
        meshes = make_skin(motion, &p);
        skins = make_binding(motion->rest, motion->body_count, &p);
        animation = make_animation(motion, &p, frame_s);
        file = json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i,i]}], s:o, s:o*, s:o*, s:[o*]}", "asset",
                         "version", "2.0", "generator", "troupe export", "scene", 0, "scenes",
                         "nodes", 0, 1 + motion->body_count, "nodes", make_nodes(motion), "meshes",
                         meshes, "skins", skins, "animations", animation);
    }
    if (!meshes || !animation) {
        json_decref(file);
        file = NULL;
    }
    return tr_gltf_write(file, &p, out);
}
