/* Making a model by hand: what a reader, or a test with a pendulum, does around filling in the
 * arrays.
 *
 *     tr_model model;
 *     tr_model_init(&model);
 *     ... model.body[0] = ..., model.body_count = ...
 *     tr_model_finish(&model); */
#pragma once

#include "model/model.h"

/* An empty model without marks. */
void tr_model_init(tr_model *model);

/* Bodies a and b never collide. */
void tr_model_exclude(tr_model *model, int a, int b);

/* Derives what follows from the arrays: parents excluded from collision, dof_count, mass, height,
 * hash. The caller has filled name, bodies, geoms, gain sets and marks. */
void tr_model_finish(tr_model *model);
