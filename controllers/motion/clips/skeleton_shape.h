/* Whether the joints that a map names make a human body: limbs hang together, left and right are
 * equally long, and the proportions are a person's. */
#pragma once

#include "motion/clips/skeleton.h"

enum { TR_SHAPE_TEXT_MAX = 200 };

/* The outcome of the tests.
 *   tests, passed  tests that apply, and how many of them pass
 *   hangs          the joints of trunk and limbs hang from each other in the right order
 *   complaint      the first test that fails, for people; empty: all pass */
typedef struct tr_skeleton_shape {
    int tests, passed;
    bool hangs;
    char complaint[TR_SHAPE_TEXT_MAX];
} tr_skeleton_shape;

/* Tests a map that names joints of the clip. Lengths are taken from the clip's first frame; any
 * unit and any axes will do. */
tr_skeleton_shape tr_skeleton_judge(const tr_skeleton *skeleton, const tr_clip *clip);
