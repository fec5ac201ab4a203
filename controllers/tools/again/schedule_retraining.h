/* Trains the scheduler of a run again ('schedule learn'): the driver that it schedules is the one
 * that it holds. Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_SCHEDULE_RETRAINING_H
#define TROUPE_TOOLS_SCHEDULE_RETRAINING_H

#include "db/tables/runs.h"
#include "tools/train/reproduction.h"

/* Did the run learn a scheduler? */
bool tr_schedule_record_is(const tr_run_row *run);

/* Trains it again, prints each test, and compares controllers. TR_ABORTED: they differ. */
tr_status tr_schedule_retrain(const tr_reproduction *given, const tr_run_row *run,
                              tr_error *error) TR_NODISCARD;

#endif
