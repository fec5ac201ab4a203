/* Settings of distilling controllers into one network, for the command and for records. */
#pragma once

#include "math/parameter_table.h"

enum {
    TR_DISTIL_TEST_S = 20,
    TR_DISTIL_TEST_PUSH_N = 100
}; /* time to hold, and pushes, of a test */

/* of: the teachers' names between commas; gaits: of the skills of a graph that is the teacher */
typedef struct tr_distil_settings {
    uint64_t seed;
    double push_n, rate, slope_deg;
    int rounds, trials, hidden_units, batch, test_trials, changes, level_changes;
    char of[TR_PARAMETER_TEXT_MAX], gaits[TR_PARAMETER_TEXT_MAX];
} tr_distil_settings;

extern const tr_parameter_table tr_distil_settings_table;
