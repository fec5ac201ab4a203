/* Does the daemon lack time? The verdict on the last window of ten reports: too late, if the p99
 * lateness of its ticks was above 2 ms. A window with few ticks gives no verdict of its own. Plain
 * data; zeroed at first. */
#pragma once

#include "server/config/lateness.h"

#include <stdbool.h>

enum { TR_PRESSURE_WINDOW = 10, TR_PRESSURE_TICKS_MIN = 100 };
#define TR_PRESSURE_LATE_S 2e-3

typedef struct tr_pressure {
    tr_lateness before; /* at the start of the window */
    int reports;        /* in it */
    bool is_late;       /* the verdict on the window before */
} tr_pressure;

/* Takes the lateness of all ticks since the start; returns the verdict. */
bool tr_pressure_is_late(tr_pressure *pressure, const tr_lateness *all);
