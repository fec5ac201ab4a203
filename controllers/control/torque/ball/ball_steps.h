/* The steps of a character on a ball: it sways from side to side, and at each side lifts the foot
 * that does not bear it, and sets it down at its place on the ball again.
 *
 * The sway is a circle of the regulator's plane (ball_regulator.h), so that the pressure is
 * sin(rate t) times half the way between the feet. A foot is lifted only if the pressure that the
 * regulator asks for lies within the sole of the other one; else both stay, and the next step may
 * do. Plain data; deterministic. */
#pragma once

#include "control/torque/ball/ball_regulator.h"
#include "control/torque/ball/ball_scene.h"

/* step:   in the cycle of two steps; the left foot bears in the first one
 * begun:  steps since it began, until swaying has grown
 * lifted: side of the foot that is lifted, or TR_BALL_NONE
 * swing:  steps since it was lifted
 * ahead_m, aside_m: the centre of pressure, from the middle of the ball */
typedef struct tr_ball_steps {
    int step, begun, lifted, swing;
    double ahead_m, aside_m;
} tr_ball_steps;

enum { TR_BALL_NONE = -1, TR_BALL_STEPS_MAX = 1 << 20 };

/* A walk is planned from these.
 *   load:       of the regulator
 *   tilt:       of the trunk out of the stance, along the axes of the scene, rad
 *   speed_mps:  of the ball, ahead; its mean */
typedef struct tr_ball_walk {
    const tr_rolling_numbers *numbers;
    const tr_ball_load *load;
    const tr_ball_regulator *regulator;
    const tr_ball_scene *scene;
    tr_vec3 tilt;
    double speed_mps, step_s;
} tr_ball_walk;

/* pressure, pressure_vel: that the regulator asks for; x and y from the middle of the ball
 * moment:   rate of the angular momentum, that it asks for; z is 0
 * bearing:  side of the foot that bears, or is about to; TR_BALL_NONE: both do
 * lifted:   side, or TR_BALL_NONE
 * place:    where the lifted foot will stand
 * accel:    of the middle of its sole, relative to the middle of the ball */
typedef struct tr_ball_step_plan {
    tr_vec3 pressure, pressure_vel, moment;
    int bearing, lifted;
    tr_vec3 place, accel;
} tr_ball_step_plan;

/* The centre of pressure that is feasible is `ahead_m` and `aside_m` of the next one: the caller sets them.
 * Plans one step, and advances by it. */
tr_ball_step_plan tr_ball_steps_plan(tr_ball_steps *steps, const tr_ball_walk *walk);
