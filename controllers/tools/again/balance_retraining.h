/* Trains the balance of a run again ('balance learn'), from its settings, its stance and the
 * policy that it began at. Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_BALANCE_RETRAINING_H
#define TROUPE_TOOLS_BALANCE_RETRAINING_H

#include "db/tables/runs.h"
#include "tools/train/reproduction.h"

/* Did the run learn a balance? */
bool tr_balance_record_is(const tr_run_row *run);

/* Trains it again, prints each test, and compares controllers. TR_ABORTED: they differ.
 * TR_FAILED_PRECONDITION: it began at another policy, which its record, of an earlier build, does
 * not keep. */
tr_status tr_balance_retrain(const tr_reproduction *given, const tr_run_row *run,
                             tr_error *error) TR_NODISCARD;

#endif
