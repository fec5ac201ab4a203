/* Settings of distilling controllers into one network, for the command and for records. */
#pragma once

#include "math/parameter_table.h"

enum { TR_DISTIL_TEST_PUSH_N = 100 }; /* pushes of a test */

/* of: the teachers' names between commas */
typedef struct tr_distil_settings {
    uint64_t seed;
    double trial_s, push_n, noise_rad, rate, test_s;
    int rounds, trials, hidden_units, epochs, last_epochs, batch, test_trials, switch_trials, ways,
        way_trials;
    char of[TR_PARAMETER_TEXT_MAX];
} tr_distil_settings;

extern const tr_parameter_table tr_distil_settings_table;
