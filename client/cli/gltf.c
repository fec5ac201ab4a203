/* The built-in figure: a skin of rounded limbs, which bend with the joints, and the motion of its bones. */
#include "cli/gltf_file.h"

#include "proto/bvh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 8, SIDES = 12, LIMB_POINTS = (RINGS + 1) * (SIDES + 1) };

/* A limb at rest. offset: of its joint's centre from the parent's, in the parent's frame; middle, axis: in
 * its body's frame; radius, half: m; at, rot: of the joint, from the root's */
typedef struct limb {
    double offset[3], middle[3], axis[4], radius, half, at[3], rot[4];
} limb;

/* --- limbs --- */

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

/* limb: of all bodies, of which those before this one are set */
static void place_limb(const tr_recorded_motion *motion, int body, limb *all) {
    const tr_client_body *from = &motion->body[body];
    limb *l = &all[body];
    double joint[3], step[3];
    set_limb(l, from);
    memcpy(l->rot, from->rot, sizeof l->rot);
    if (from->parent < 0)
        return;
    const limb *parent = &all[from->parent];
    tr_bvh_rotate(from->rot, from->anchor, joint);
    for (int k = 0; k < 3; k++)
        l->offset[k] = from->pos[k] + joint[k] - motion->body[from->parent].anchor[k];
    tr_bvh_rotate(parent->rot, l->offset, step);
    for (int k = 0; k < 3; k++)
        l->at[k] = parent->at[k] + step[k];
    tr_bvh_multiply(parent->rot, from->rot, l->rot);
}

/* --- the skin --- */

/* [count] each */
typedef struct skin {
    float (*place)[3], (*normal)[3], (*weight)[4];
    uint8_t (*joint)[4];
    uint16_t (*corner)[6];
} skin;

/* A point of a unit sphere becomes one of the limb. Around the joint it follows the parent too, by half at
 * the joint's centre, so that the skin bends. */
static void set_point(const limb *l, int body, int parent, const double on[3], const skin *s,
                      int at) {
    const double scaled[3] = {l->radius * on[0], l->radius * on[1], l->half * on[2]};
    const double upright[3] = {on[0] / l->radius, on[1] / l->radius, on[2] / l->half};
    double point[3], normal[3], away = 0, length = 0;
    tr_bvh_rotate(l->axis, scaled, point);
    tr_bvh_rotate(l->axis, upright, normal);
    for (int k = 0; k < 3; k++) {
        point[k] += l->middle[k];
        away += point[k] * point[k];
        length += normal[k] * normal[k];
    }
    tr_bvh_rotate(l->rot, point, point);
    tr_bvh_rotate(l->rot, normal, normal);
    for (int k = 0; k < 3; k++) {
        s->place[at][k] = (float)(l->at[k] + point[k]);
        s->normal[at][k] = (float)(normal[k] / sqrt(length));
    }
    float above = parent < 0 ? 0 : (float)fmax(0, 0.5 - 0.5 * sqrt(away) / l->radius);
    s->joint[at][0] = (uint8_t)body;
    s->joint[at][1] = (uint8_t)(above > 0 ? parent : 0);
    s->weight[at][0] = 1 - above;
    s->weight[at][1] = above;
}

static void set_limb_skin(const tr_recorded_motion *motion, const limb *l, int body,
                          const skin *s) {
    for (int r = 0; r <= RINGS; r++)
        for (int k = 0; k <= SIDES; k++) {
            double down = M_PI * r / RINGS, about = 2 * M_PI * k / SIDES;
            const double on[3] = {sin(down) * cos(about), sin(down) * sin(about), cos(down)};
            set_point(l, body, motion->body[body].parent, on, s,
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
static json_t *make_skin(const tr_recorded_motion *motion, const limb *all, tr_gltf_parts *p) {
    size_t bodies = (size_t)motion->body_count, points = bodies * LIMB_POINTS;
    skin s = {calloc(points, sizeof *s.place), calloc(points, sizeof *s.normal),
              calloc(points, sizeof *s.weight), calloc(points, sizeof *s.joint),
              calloc(bodies * RINGS * SIDES, sizeof *s.corner)};
    json_t *meshes = NULL;
    if (s.place && s.normal && s.weight && s.joint && s.corner) {
        for (int b = 0; b < motion->body_count; b++)
            set_limb_skin(motion, &all[b], b, &s);
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

static json_t *triple(const double v[3]) {
    return json_pack("[f,f,f]", v[0], v[1], v[2]);
}

static json_t *rotation(const double q[4]) {
    return json_pack("[f,f,f,f]", q[1], q[2], q[3], q[0]);
}

/* Node 0 turns Troupe's axes to glTF's; body i is node 1 + i; the last one has the skin. */
static json_t *make_nodes(const tr_recorded_motion *motion, const limb *all) {
    int count = motion->body_count;
    json_t *nodes = json_pack("[{s:s, s:[f,f,f,f], s:[i]}]", "name", "troupe", "rotation", -0.5,
                              -0.5, -0.5, 0.5, "children", 1);
    for (int i = 0; i < count; i++) {
        json_t *children = json_array();
        for (int c = i + 1; c < count; c++)
            if (motion->body[c].parent == i)
                json_array_append_new(children, json_integer(1 + c));
        json_t *node = json_pack("{s:s, s:o, s:o}", "name", motion->body[i].name, "translation",
                                 triple(all[i].offset), "rotation", rotation(motion->body[i].rot));
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
static json_t *make_binding(const limb *all, int count, tr_gltf_parts *p) {
    float(*matrix)[16] = calloc((size_t)count, sizeof *matrix);
    json_t *joints = json_array();
    if (!matrix)
        return joints;
    for (int i = 0; i < count; i++) {
        const double *q = all[i].rot, back[4] = {q[0], -q[1], -q[2], -q[3]};
        double column[4][3] = {
            {1}, {0, 1}, {0, 0, 1}, {-all[i].at[0], -all[i].at[1], -all[i].at[2]}};
        for (int c = 0; c < 4; c++) {
            tr_bvh_rotate(back, column[c], column[c]);
            for (int k = 0; k < 3; k++)
                matrix[i][4 * c + k] = (float)column[c][k];
        }
        matrix[i][15] = 1;
        json_array_append_new(joints, json_integer(1 + i));
    }
    int binding = tr_gltf_add(p, matrix, (size_t)count, 16, TR_GLTF_FLOAT, false);
    free(matrix);
    return json_pack("[{s:i, s:o}]", "inverseBindMatrices", binding, "joints", joints);
}

/* out: w, x, y, z, in the parent */
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
        out[k] = (float)(own[k] / sqrt(size));
}

static json_t *make_animation(const tr_recorded_motion *motion, tr_gltf_parts *p, double frame_s) {
    tr_bone_motion bones = {0};
    int *node = calloc((size_t)motion->body_count, sizeof *node);
    json_t *animation = NULL;
    if (node && tr_bone_motion_init(&bones, motion->body_count, motion->frame_count)) {
        for (int f = 0; f < motion->frame_count; f++) {
            double place[3];
            tr_recorded_motion_place(motion, f, place);
            for (int k = 0; k < 3; k++)
                bones.pos[f][k] = (float)place[k];
            for (int i = 0; i < motion->body_count; i++)
                turn_in_parent(motion, f, i, bones.rot[f * motion->body_count + i]);
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
    limb *all = calloc((size_t)motion->body_count, sizeof *all);
    tr_gltf_parts_begin(&p, NULL, NULL, NULL, 0);
    if (all && p.file) {
        for (int i = 0; i < motion->body_count; i++)
            place_limb(motion, i, all);
        meshes = make_skin(motion, all, &p);
        skins = make_binding(all, motion->body_count, &p);
        animation = make_animation(motion, &p, frame_s);
        file = json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i,i]}], s:o, s:o*, s:o*, s:[o*]}", "asset",
                         "version", "2.0", "generator", "troupe export", "scene", 0, "scenes",
                         "nodes", 0, 1 + motion->body_count, "nodes", make_nodes(motion, all),
                         "meshes", meshes, "skins", skins, "animations", animation);
    }
    free(all);
    if (!meshes || !animation) {
        json_decref(file);
        file = NULL;
    }
    return tr_gltf_write(file, &p, out);
}
