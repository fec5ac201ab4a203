/* The settings of learning to balance, by name: the object, the stance on it, and the parameters of
 * identification and search. Task files (controllers/recipes/balance) and --set give values. */
#pragma once

#include "math/parameter_table.h"
#include "model/model.h"

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
