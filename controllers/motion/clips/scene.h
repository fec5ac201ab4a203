/* Scenes with a rigged figure: glTF 2.0 and FBX, read by assimp where the build has it
 * (scene_assimp.c, its keeper; scene_none.c otherwise). Only the tools link it.
 *
 * The bones of the meshes, the nodes between them and the root, and the ends of limbs become the
 * joints of a clip. Its zero pose is the rest pose of the file. A file without an animation has one
 * frame, the rest pose. Built without assimp, reading fails with TR_UNIMPLEMENTED and says what to install;
 * the skin of a file without a mesh has no vertices. Internal to motion. */
#pragma once

#include "motion/clips/clip.h"

enum { TR_SCENE_VERTEX_MAX = 2000000 };

/* The skin in the rest pose, axes and units of the file; [count] each, owned.
 *   pos    world
 *   joint  of the clip, that which moves the vertex most
 *   area   a third of the triangles around it, units squared */
typedef struct tr_skin {
    int count;
    tr_vec3 *pos;
    int *joint;
    double *area;
} tr_skin;

void tr_skin_deinit(tr_skin *skin); /* of zeros is fine */
