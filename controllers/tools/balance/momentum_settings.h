/* What 'balance momentum' makes a controller from, by name: its numbers, and a gain set. */
#ifndef TROUPE_TOOLS_MOMENTUM_SETTINGS_H
#define TROUPE_TOOLS_MOMENTUM_SETTINGS_H

#include "control/torque/torque.h"
#include "math/parameter_table.h"

/* gain_set: for the toes, and for all joints after a fall */
typedef struct tr_momentum_settings {
    tr_momentum_numbers numbers;
    char gain_set[TR_NAME_MAX];
} tr_momentum_settings;

enum { TR_MOMENTUM_SETTINGS = TR_MOMENTUM_NUMBERS + 1 };

tr_momentum_settings tr_momentum_settings_default(void);

/* row: room for the rows of the table */
tr_parameter_table tr_momentum_settings_table(tr_parameter row[TR_MOMENTUM_SETTINGS]);

/* Makes a controller whose stance is the spawn pose of another one, with the other's step; its entries
 * are as long as control fragments. Statuses as tr_torque_controller_create. */
tr_status tr_momentum_settings_make(const tr_momentum_settings *settings,
                                    const tr_controller *stance, const tr_model *model,
                                    tr_controller **out, tr_error *error) TR_NODISCARD;

#endif
