/* A latent space made by hand: three loops one above the other, of a gait that turns right, goes
 * straight, and turns left. */
#pragma once

#include "control/latent/latent_space.h"
#include "control/latent/pillar.h"
#include "model/mjcf.h"

enum { LOOP_FRAMES = 25, LOOP_COUNT = 3, LOOP_DIMENSION = 3 };

/* Radians by which a loop turns in a step, times -1, 0, 1; metres it goes forward. */
#define LOOP_TURN 0.12
#define LOOP_FORWARD 0.05

/* humanoid.xml; the caller destroys it. */
tr_model *loops_model(void);

/* The definition; its arrays are static. */
tr_latent_space_def loops_definition(const tr_model *model);

tr_latent_space *loops_make(const tr_model *model);

/* How deep the arms of a pose are within a pillar, m; 0: they are out of it. */
double loops_pillar_depth(const tr_model *model, const tr_pillar *pillar, const tr_pose *pose);
