/* The apparatus: what a character balances on, and its stance there.
 *
 * The board lies on a cylinder whose axle points forwards, so that it rocks from side to side, and
 * both feet are pinned to it (Liu 2017, section 5.1.1). On a ball the feet stand freely (5.1.2). */
#pragma once

#include "control/balance/balance.h"
#include "math/parameter_table.h"

/* The settings of learning to balance, by name: the object, the stance on it, and the parameters of
 * identification and search. Task files (controllers/recipes/balance) and --set give values. */
typedef struct tr_balance_settings {
    uint64_t seed;
    /* The object: "board" on a cylinder, or "ball". */
    char object[TR_NAME_MAX];
    double radius_m, base_kg;
    /* The stance. */
    double feet_m, bound_rad;
    /* Identification and regulator. */
    int rounds;
    /* Search. */
    int generations, samples, trials, test_every, test_trials;
    double push_n;
    /* Postures of the result (control/balance/postures.h). */
    int posture_looks, rocking;
    double rock_rad, lean_rad;
} tr_balance_settings;

extern const tr_parameter_table tr_balance_settings_table;

/* Gain set of the servos, of toes, and of the stance after a fall. */
#define TR_APPARATUS_GAINS "b"

/* Bend of the knees of a learned balance. */
#define TR_APPARATUS_KNEE_RAD 0.5

/* The stance is found by inverse kinematics: soles flat on the board or tangent to the ball,
 * `feet_m` from the middle, knees bent by knee_rad, the centre of mass above the base. The controller has no
 * feedback yet. TR_INVALID_ARGUMENT: no such object, or no such stance; TR_FAILED_PRECONDITION: the
 * model does not stand on two legs. */
tr_status tr_apparatus_create(const tr_model *model, const tr_balance_settings *settings,
                              double knee_rad, tr_controller **out, tr_error *error) TR_NODISCARD;
