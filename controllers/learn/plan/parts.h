/* The parts of a long clip: strides, turns and stretches between rests, each of which can be learned as
 * one skill. Deterministic. */
#pragma once

#include "learn/plan/plan.h"

enum { TR_PLAN_PART_MAX = 64, TR_PLAN_PART_NAME_MAX = 16 };

/* A part.
 *   name         "walk", "run", "turn", "rise", "stop" or "skill", numbered from the second on: "walk-2"
 *   first, last  frames of the clip
 *   plan         of these frames */
typedef struct tr_plan_part {
    char name[TR_PLAN_PART_NAME_MAX];
    int first, last;
    tr_plan plan;
} tr_plan_part;

/* Cuts a motion that was imported open, as for tr_plan_make, where it rests, and where it is calmest
 * until no part is too long. Parts that no plan fits are left out, and gaits as fast as an earlier one.
 * out: [TR_PLAN_PART_MAX]. */
tr_status tr_plan_parts(const tr_plan_def *def, tr_plan_part *out, int *out_count) TR_NODISCARD;
