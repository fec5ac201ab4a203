/* Finding arms and legs by shape, where the names of joints say nothing. */
#pragma once

#include "motion/clips/skeleton.h"

/* Fills the parts that a draft lacks from the tree of the clip's joints: the pair of equal branches
 * with the longest two bones are legs, the next pair above them arms; hips and chest are where they
 * branch off, and the head is at the end of what else rises from the chest. Which side is left shows
 * from where the toes point, or how the knees bend. Parts that are named stay. The clip is as its
 * file holds it. */
void tr_skeleton_draft_limbs(const tr_clip *clip, tr_skeleton *draft);
