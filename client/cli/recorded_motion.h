/* The states of one character of a recording, and the files that show them. Any struct of zeros is empty. */
#pragma once

#include "math/quat.h"
#include "troupe/client.h"

#include <stdio.h>

/* A body at rest, from the root's. reach: from its joint to its centre of mass, in its own frame */
typedef struct tr_rest_body {
    tr_vec3 pos, joint, reach; /* joint: its centre */
    tr_quat rot;
} tr_rest_body;

/* body: of the model, parents first; not owned */
typedef struct tr_recorded_motion {
    const tr_client_body *body; /* [body_count] */
    tr_rest_body *rest;         /* [body_count] */
    int body_count, frame_count, room;
    float *rot; /* [room][body_count][4]: w, x, y, z, world */
    float *pos; /* [room][3], of the first body, world */
} tr_recorded_motion;

/* Begins a motion of a model. False: it has no bodies, they are not a tree with
 * parents first, or no memory. */
bool tr_recorded_motion_begin(tr_recorded_motion *motion, const tr_client_body *body,
                              int body_count);
void tr_recorded_motion_deinit(tr_recorded_motion *motion);

/* Adds a frame, which must have bodies (TR_CLIENT_BODIES). False: another model, or no memory. */
bool tr_recorded_motion_add(tr_recorded_motion *motion, const tr_client_character *character);

/* Where a body is turned to, world. */
tr_quat tr_recorded_motion_turn(const tr_recorded_motion *motion, int frame, int body);

/* How far a body has turned from rest, world. */
tr_quat tr_recorded_motion_turned(const tr_recorded_motion *motion, int frame, int body);

/* The centre of the first joint, world. */
tr_vec3 tr_recorded_motion_place(const tr_recorded_motion *motion, int frame);

/* Write a whole file: BVH, or glTF 2.0 as one file (.glb) with a node per body, whose rounded limb is as
 * heavy as the body, and the motion as an animation; metres, y up, z forward. A failure to write stays in
 * the error flag of `out`. False: no memory. */
bool tr_recorded_motion_write_bvh(const tr_recorded_motion *motion, FILE *out, double frame_s);
bool tr_recorded_motion_write_gltf(const tr_recorded_motion *motion, FILE *out, double frame_s);
