/* The stages of a kick turn.
 *
 *   roll    all wheels roll; the body returns to the stance
 *   shift   the centroid moves above the rear axle
 *   turn    the nose is up, and the board turns about its rear axle
 *   lower   the nose is set down
 *
 * Plain data; deterministic. */
#pragma once

#include "control/torque/board/boarding_numbers.h"
#include "control/torque/board/ride_scene.h"

typedef enum tr_kick_stage {
    TR_KICK_ROLL,
    TR_KICK_SHIFT,
    TR_KICK_TURN,
    TR_KICK_LOWER,
    TR_KICK_STAGES
} tr_kick_stage;

/* stage: tr_kick_stage; steps: in this stage, at most TR_KICK_STEPS_MAX; side: of the last weave, 1
 * left, -1 right, 0 none; goal_rad: heading at which the kick aims */
typedef struct tr_kick {
    int stage, steps, side;
    double goal_rad;
} tr_kick;

enum { TR_KICK_STEPS_MAX = 1 << 20 };

/* Advances by one step, and to the next stage when that is due. heading_rad: that is asked for */
void tr_kick_advance(tr_kick *kick, const tr_boarding_numbers *numbers, const tr_ride_scene *scene,
                     double heading_rad, double step_s);

/* place_m:  of the centroid ahead of the rear axle
 * lifts:    the centre of pressure keeps the nose up
 * nose, yaw: accelerations of the board, 1/s2 */
typedef struct tr_kick_plan {
    double place_m, nose, yaw;
    bool lifts;
} tr_kick_plan;

tr_kick_plan tr_kick_plan_of(const tr_kick *kick, const tr_boarding_numbers *numbers,
                             const tr_ride_scene *scene);
