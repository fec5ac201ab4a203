/* The state machine of a gait for one character: computes targets, gains and torques of the servos
 * from what the character sees.
 *
 * Four keyframes: 0 lifts the right foot, 1 sets it on the ground, 2 and 3 do the same with the
 * left. Lifting ends after its duration, or when the foot has struck early; setting ends when the
 * foot has struck, at the latest after twice its duration and 0.2 s. The published gait has the
 * same states, and falls within two seconds if all of them end by the clock.
 *
 * SIMBICON in terms of servos, whose targets are joint rotations. P: pelvis, T: thigh, both in the
 * gait frame (z up, x along the heading that is kept); w_T: angular velocity of the stance thigh.
 *
 *   swing hip    P^-1 Rx(roll) Ry(-pitch), with pitch and roll of the keyframe plus balance feedback
 *   stance hip   P_wanted^-1 T: the servo turns the pelvis, not the thigh, to the wanted rotation;
 *                the torque kd P^-1 w_T removes the thigh's rotation from the damping, and a torque
 *                opposite to those of swing hip and waist keeps these off the pelvis
 *   waist        equal shares of log(P^-1 R_trunk_wanted)
 *   knees, ankles, arms    joint angles
 *
 * Pure functions of their arguments; deterministic; thread-safe. */
#pragma once

#include "control/gait/gait.h"
#include "physics/world/world.h"

enum { TR_GAIT_STATES = 4 };

/* Fastest turn of the gait frame. */
#define TR_GAIT_TURN_RAD_S 0.3

/* The state of one character. All zero: it has not begun, and will begin at keyframe 0.
 *   keyframe:     in progress, 0 to 3
 *   keyframe_s:   time in it
 *   begun:        the first step has been made
 *   heading_rad:  of the gait frame in the world; follows the wanted heading with a bounded rate
 *   speed_mps:    asked of the curve of speeds; follows the wanted speed likewise; 0: the own speed
 *   felt_n:       filtered force in the gait frame: along the heading, and to the left
 *   compensation: filtered torque of the stance hip, pelvis frame, N m
 *   strikes:      of feet, since it began */
typedef struct tr_gait_state {
    int keyframe;
    bool begun;
    int64_t strikes;
    double keyframe_s, heading_rad, speed_mps;
    double felt_n[2];
    tr_vec3 compensation;
} tr_gait_state;

/* The sight of one character.
 *   bodies:     [body_count], world
 *   torque:     [body_count], of the servos in the last step, joint frames, N m
 *   load_n:     on the left and the right foot in the last step, upwards
 *   felt:       force from outside, world, N
 *   turn_rad:   to the wanted heading, from the heading of the root, to the left
 *   has_target: follow the wanted heading; else keep the present one
 *   speed_mps:  wanted; 0: the gait's speed
 *   stiffness:  factor of all gains, 1 as learned */
typedef struct tr_gait_sight {
    const tr_model *model;
    const tr_body_state *bodies;
    const tr_vec3 *torque;
    double load_n[2];
    tr_vec3 felt;
    bool has_target;
    double turn_rad, speed_mps, stiffness, step_s;
} tr_gait_sight;

/* Servos of the coming step: [body_count] each; [0] is unused. */
typedef struct tr_gait_servos {
    tr_quat target[TR_BODY_MAX];
    double kp[TR_BODY_MAX], kd[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX];
} tr_gait_servos;

/* Reads a character from the world; no target, stiffness 1. TR_NOT_FOUND: no such character. */
tr_status tr_gait_look(const tr_world *world, tr_entity_id character,
                       tr_gait_sight *out) TR_NODISCARD;

/* Fills the servos for the coming step and advances the state past it. Returns whether the keyframe
 * ends with this step. */
bool tr_gait_step(const tr_gait *gait, tr_gait_state *state, const tr_gait_sight *sight,
                  tr_gait_servos *out);
