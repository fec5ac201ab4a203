/* The differences of two controllers. */
#pragma once

#include "control/driver/controller.h"

/* Prints the largest differences of `again` from `was`, part by part, where they have one shape: of any
 * component, SI. true: there are none, except perhaps the signs of zeros. */
bool tr_controller_difference_print(const tr_controller *was, const tr_controller *again,
                                    const tr_model *model);
