/* Row functions for kinds with one entry, which holds a stance for `hold` steps, again and again. */
#ifndef TROUPE_CONTROL_DRIVER_HOLD_H
#define TROUPE_CONTROL_DRIVER_HOLD_H

#include "control/driver.h"

/* gain_set: of the model, or "" */
tr_driver_outline tr_driver_hold_outline(int hold, double step_s, const char *gain_set);

/* The only entry is the nearest one to any state. */
void tr_driver_hold_nearest(const void *content, const tr_model *model, const tr_state *state,
                            int *out_entry, bool *out_mirrored);

#endif
