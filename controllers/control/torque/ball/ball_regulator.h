/* The regulator of a character on a ball: how its centre of pressure should shift, and how its body
 * should turn, from a model of one plane with seven states. The derivation is in ball_regulator.c.
 *
 * Plain data; pure functions; deterministic. */
#pragma once

#include "control/torque/ball/rolling_numbers.h"

enum { TR_BALL_STATES = 7, TR_BALL_INPUTS = 2 };

/* A character on a ball.
 *   radius_m, ball_kg: of the ball
 *   kg, height_m:      of the character; its centroid above the top of the ball */
typedef struct tr_ball_load {
    double radius_m, ball_kg, kg, height_m, gravity;
} tr_ball_load;

/* The state in one plane, with places from the middle of the ball.
 *   lean_m, lean_mps:   the centroid and its speed
 *   roll_mps, place_m:  speed of the ball, and how far the feet are from their place
 *   pressure_m:         centre of pressure
 *   spin:               angular momentum about the centroid by kg times height, m/s
 *   tilt_rad:           of the trunk out of the stance
 * Positive turns are those of a fall ahead. */
typedef struct tr_ball_state {
    double lean_m, lean_mps, roll_mps, place_m, pressure_m, spin, tilt_rad;
} tr_ball_state;

/* gain: of the goal of the pressure, m, and of the rate of spin, m/s2, on the states
 * shift_per_s: rate at which the pressure follows its goal */
typedef struct tr_ball_regulator {
    double gain[TR_BALL_INPUTS][TR_BALL_STATES], shift_per_s;
} tr_ball_regulator;

/* Returns the regulator for the costs of the numbers. The goal itself costs 1. */
tr_ball_regulator tr_ball_regulator_of(const tr_ball_load *load, const tr_rolling_numbers *numbers);

bool tr_ball_regulator_is_finite(const tr_ball_regulator *regulator);

/* Rates of pressure and spin. */
typedef struct tr_ball_rates {
    double pressure_mps, spin_mps2;
} tr_ball_rates;

/* The rates that lead from `now` to `wanted`, whose own pressure has the rate `wanted_mps`. */
tr_ball_rates tr_ball_regulator_rates(const tr_ball_regulator *regulator, const tr_ball_state *now,
                                      const tr_ball_state *wanted, double wanted_mps);

/* A sway in which the pressure is sin(rate t): lean = lean sin(rate t), place = place sin(rate t). */
typedef struct tr_ball_sway {
    double lean, place;
} tr_ball_sway;

tr_ball_sway tr_ball_sway_of(const tr_ball_load *load, double rate_radps);
