/* Settings of making control graphs, for all commands and for records. */
#pragma once

#include "math/parameter_table.h"

/* Lists have commas between their items; empty: none, or all. Numbers of zero stand for the defaults
 * of what is made. */
typedef struct tr_graph_settings {
    uint64_t seed;
    double hold_s, rate, dwell_s, slope_deg, straight_deg;
    int candidates, trials, edges, failing, windows, shortest, longest, rounds, draws;
    bool learns, short_loss, spread, settled;
    char change[TR_PARAMETER_NAME_MAX];
    char of[TR_PARAMETER_TEXT_MAX], extends[TR_PARAMETER_TEXT_MAX], skills[TR_PARAMETER_TEXT_MAX],
        after[TR_PARAMETER_TEXT_MAX], with[TR_PARAMETER_TEXT_MAX], without[TR_PARAMETER_TEXT_MAX],
        limits[TR_PARAMETER_TEXT_MAX], links[TR_PARAMETER_TEXT_MAX];
} tr_graph_settings;

extern const tr_parameter_table tr_graph_settings_table;
