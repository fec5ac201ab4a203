/* The strokes of a skating character: the stage that the pushing foot is in, and how its sole
 * should accelerate there.
 *
 *   roll     the foot is lifted beside the board, and stays there while the board is fast enough
 *   reach    it moves to the ground, and lands at little speed relative to the ground
 *   push     it stands on the ground, and the board rolls past it
 *   return   it moves up, and back to its place beside the board
 *
 * Plain data; deterministic. */
#pragma once

#include "control/torque/skate/board_scene.h"
#include "control/torque/skate/skating_numbers.h"

typedef enum tr_stroke_stage {
    TR_STROKE_ROLL,
    TR_STROKE_REACH,
    TR_STROKE_PUSH,
    TR_STROKE_RETURN,
    TR_STROKE_STAGES
} tr_stroke_stage;

/* stage: tr_stroke_stage; steps: in this stage, at most TR_STROKE_STEPS_MAX */
typedef struct tr_stroke {
    int stage, steps;
} tr_stroke;

enum { TR_STROKE_STEPS_MAX = 1 << 20 };

/* Advances by one step, and to the next stage when that is due. wanted_mps: the speed that the board
 * should have */
void tr_stroke_advance(tr_stroke *stroke, const tr_skating_numbers *numbers,
                       const tr_board_scene *scene, double wanted_mps, double step_s);

/* force_n:  along the board, of the ground on the pushing foot
 * load_n:   upwards
 * lean_m:   by how much farther ahead the centroid should be
 * accel:    of the pushing sole, along the axes of the scene; along the board, that of a lifted foot
 *           is relative to the standing one */
typedef struct tr_stroke_plan {
    double force_n, load_n, lean_m;
    bool lifted;
    tr_vec3 accel;
} tr_stroke_plan;

tr_stroke_plan tr_stroke_plan_of(const tr_stroke *stroke, const tr_skating_numbers *numbers,
                                 const tr_board_scene *scene, double step_s);
