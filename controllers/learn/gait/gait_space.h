/* The space that a search moves in: some of a gait's parameters, each in units of its scale. */
#pragma once

#include "control/gait/gait_parameters.h"

/* index: [size], parameters in ascending order. */
typedef struct tr_gait_space {
    int size;
    int index[TR_GAIT_SIZE];
} tr_gait_space;

/* Legs and trunk: what walks straight on. With `sides` also what answers sideways forces; arms are
 * never searched ("target joint angles and gain parameters are set constant for the arms"). */
tr_gait_space tr_gait_space_of(bool sides);

/* value [TR_GAIT_SIZE] += scale times x [size], times `by`. */
void tr_gait_space_add(const tr_gait_space *space, const double *x, double by, double *value);

/* Returns the mean absolute difference, in scales, over the space. a, b: [TR_GAIT_SIZE]. */
double tr_gait_space_distance(const tr_gait_space *space, const double *a, const double *b);

/* Returns the sum of the logarithms of all gains (eq. 8). */
double tr_gait_gain_sum(const double *value);
