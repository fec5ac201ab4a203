/* Row functions for kinds with one entry, which holds a stance for `hold` steps, again and again. */
#pragma once

#include "control/driver/controller.h"

/* gain_set: of the model, or "" */
tr_driver_outline tr_driver_hold_outline(int hold, double step_s, const char *gain_set);

/* The only entry is the nearest one to any state. */
void tr_driver_hold_nearest(const void *content, const tr_model *model, const tr_state *state,
                            int *out_entry, bool *out_mirrored);

/* What such a kind holds. kind: its name, for messages; hold: steps, 1 to most */
typedef struct tr_driver_hold {
    const char *kind, *gain_set;
    const tr_state *stance;
    int hold, most;
} tr_driver_hold;

/* TR_INVALID_ARGUMENT: a field is out of range; the message names it. */
tr_status tr_driver_hold_check(const tr_driver_hold *hold, const tr_model *model,
                               tr_error *error) TR_NODISCARD;

/* rig: copied; NULL: none */
typedef struct tr_driver_hold_setting {
    const char *skill;
    double step_s;
    const tr_state *spawn;
    const tr_rig *rig;
} tr_driver_hold_setting;

/* A controller of that content, which it owns from now on, with the name of its kind. The content is
 * freed if it fails. TR_INVALID_ARGUMENT: the kind's check. */
tr_status tr_driver_hold_controller(const tr_model *model, tr_driver driver,
                                    const tr_driver_hold_setting *setting, tr_controller **out,
                                    tr_error *error) TR_NODISCARD;
