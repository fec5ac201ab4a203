/* Drafting a joint map for a skeleton that no map describes, from the words in the names of its
 * joints. */
#pragma once

#include "motion/clips/skeleton.h"

/* The name of drafted maps, which stands for them where a map is named: "drafted". */
extern const char *const TR_SKELETON_DRAFTED;

/* Fills a map with what the names say: limbs by the usual words ("thigh", "upleg", "calf"), hips and
 * chest as the joints from which both legs and both arms branch off. Parts that no name shows are
 * left empty. Resolved (skeleton_detect.h). */
void tr_skeleton_draft(const tr_clip *clip, tr_skeleton *out);
