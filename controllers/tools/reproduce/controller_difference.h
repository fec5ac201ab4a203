/* The differences of two controllers of one shape, part by part. */
#pragma once

#include "control/driver/controller.h"

#include <stdbool.h>

/* Largest differences over all fragments. If all are zero, the controllers are the same to the bit,
 * except the signs of zeros. */
typedef struct tr_controller_difference {
    bool shape; /* fragments, steps, action, gains, step or order differ; no more is compared */
    bool graph; /* its nodes and edges */
    double target_rad; /* angle between servo targets */
    double feedback;   /* of M, rad per feature unit */
    double offset_rad, sigma_rad;
    double start, end, spawn; /* of any component of a state, SI */
} tr_controller_difference;

/* Prints the differences of `again` from `was`; true: there are none. */
bool tr_controller_difference_print(const tr_controller *was, const tr_controller *again,
                                    const tr_model *model);
