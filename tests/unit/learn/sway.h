/* A small motion that the project makes itself: the humanoid stands and sways from side to side. */
#pragma once

#include "learn/train/learner.h"

tr_model *sway_model(void);

/* 0.8 s a cycle, symmetric or not; hips turn by +-3 degrees, so that the character leans left and
 * right. */
tr_motion *sway_motion(const tr_model *model, bool symmetric);

/* Always holds the rest pose, open loop: the sway's fragments, all at rest. */
tr_controller *sway_stander(const tr_model *model, bool ankles);

/* Worlds of that model with gains a at 5 ms a step; each thread steps as many side by side as there are
 * threads, so that a result that does not depend on threads depends on neither. */
tr_ensemble *sway_ensemble(const tr_model *model, int threads);

/* Parameters that make a training of seconds. */
tr_learn_parameters sway_parameters(void);
