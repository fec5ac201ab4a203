/* Names of joints as tools write them, read as words: "mixamorig:LeftUpLeg", "L_Hip" and
 * "Bip01 R Thigh" differ in namespaces, separators and the place of the side, not in meaning.
 * Internal to motion. */
#pragma once

#include "motion/clips/clip.h"

typedef enum tr_side { TR_SIDE_NONE, TR_SIDE_LEFT, TR_SIDE_RIGHT } tr_side;

/* A name as words.
 *   key   all of it without namespace: lower-case letters and digits, e.g. "leftupleg"
 *   side  from a word "left", "l", "right" or "r"
 *   noun  the key without the word of the side and a "C" for the centre, e.g. "upleg" */
typedef struct tr_joint_name {
    char key[TR_CLIP_NAME_MAX];
    char noun[TR_CLIP_NAME_MAX];
    tr_side side;
} tr_joint_name;

/* The namespace that at least four of five joints of the clip share ("mixamorig:", "Bip01 "), its
 * separator included; empty when it has none. */
void tr_joint_name_space(const tr_clip *clip, char out[TR_CLIP_NAME_MAX]);

/* The words of a name. `space`: the namespace of its clip, left out where the name has it. */
tr_joint_name tr_joint_name_read(const char *name, const char *space);
