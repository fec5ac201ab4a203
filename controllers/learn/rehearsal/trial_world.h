/* The world of a trial that differs from the ensemble's: in training, so that no skill fits one
 * world alone and that skills get used to limits of strength; in tests, to see what a controller
 * holds.
 *
 * The step is not among the differences, because fragments count steps. Pure functions of their
 * arguments. */
#pragma once

#include "learn/rehearsal/ensemble.h"
#include "math/random.h"

/* Factors of: the limits of torque; the masses and inertias of the body; the friction of the plane;
 * gravity; the share of a penetration that is corrected in a step. */
typedef struct tr_trial_world {
    double strength, mass, friction, gravity, contact;
} tr_trial_world;

/* All factors 1: as the ensemble's. */
tr_trial_world tr_trial_world_plain(void);
bool tr_trial_world_is_plain(const tr_trial_world *world);

/* All factors but strength drawn evenly from 1 - vary to 1 + vary. */
tr_trial_world tr_trial_world_draw(double vary, tr_random *random);

/* A separate world for a trial; `model` is a copy that it needs for as long as it lives. */
typedef struct tr_trial_place {
    tr_model model;
    tr_rehearsal rehearsal;
} tr_trial_place;

/* Opens it for a controller, with the plane; close it afterwards, whatever the status. */
tr_status tr_trial_place_open(const tr_trial_world *world, const tr_model *model,
                              const tr_controller *controller, tr_trial_place *out) TR_NODISCARD;
void tr_trial_place_close(tr_trial_place *place);
