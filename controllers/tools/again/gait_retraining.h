/* Trains the gait of a run again ('gait store'), from its settings and the checkpoint that it began
 * with, if it began with one. Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_GAIT_RETRAINING_H
#define TROUPE_TOOLS_GAIT_RETRAINING_H

#include "db/tables/runs.h"
#include "tools/train/reproduction.h"

#include <stdbool.h>

/* Trains it again, prints each test, and compares controllers. TR_ABORTED: they differ.
 * TR_INVALID_ARGUMENT: neither clips nor motion are given; as tr_run_motion_find. */
tr_status tr_gait_retrain(const tr_reproduction *given, const tr_run_row *run,
                          tr_error *error) TR_NODISCARD;

#endif
