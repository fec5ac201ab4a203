/* Settings of distilling controllers into one network, for the command and for records. */
#pragma once

#include "math/parameter_table.h"

/* of: the teachers' names between commas */
typedef struct tr_distil_settings {
    uint64_t seed;
    double trial_s, push_n, noise_rad, rate, test_push_n, test_s;
    int rounds, trials, hidden_units, epochs, last_epochs, batch, test_trials, switch_trials,
        blend_steps, ways, way_trials;
    char of[TR_PARAMETER_TEXT_MAX];
} tr_distil_settings;

extern const tr_parameter_table tr_distil_settings_table;
