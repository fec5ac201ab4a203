/* The strokes of a skating character: the stage that the pushing foot is in, and how its sole
 * should accelerate there.
 *
 *   roll     beside the board, lifted; while the board is fast enough, it stays so
 *   reach    to the ground, where it lands at little speed against the ground
 *   push     it stands on the ground, and the board rolls past it
 *   return   up, and to its place beside the board
 *
 * Plain data; deterministic. */
#ifndef TROUPE_CONTROL_STROKE_H
#define TROUPE_CONTROL_STROKE_H

#include "control/skating/board_scene.h"
#include "control/skating/skating_numbers.h"

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

/* One step further; another stage begins when its time has come. wanted_mps: of the board */
void tr_stroke_advance(tr_stroke *stroke, const tr_skating_numbers *numbers,
                       const tr_board_scene *scene, double wanted_mps, double step_s);

/* force_n:  along the board, of the ground on the pushing foot
 * load_n:   upwards
 * lean_m:   how far further ahead the centroid should be
 * accel:    of the pushing sole, along the axes of the scene; of a lifted foot against the standing
 *           one along the board */
typedef struct tr_stroke_plan {
    double force_n, load_n, lean_m;
    bool lifted;
    tr_vec3 accel;
} tr_stroke_plan;

tr_stroke_plan tr_stroke_plan_of(const tr_stroke *stroke, const tr_skating_numbers *numbers,
                                 const tr_board_scene *scene, double step_s);

#endif
