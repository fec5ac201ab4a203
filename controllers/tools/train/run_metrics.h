/* The rows of a training as the catalogue's metrics. */
#ifndef TROUPE_TOOLS_RUN_METRICS_H
#define TROUPE_TOOLS_RUN_METRICS_H

#include "db/tables/runs.h"
#include "learn/train/record.h"

/* The largest number of values. */
int tr_run_metrics_count(const tr_training_record *record);

/* Rows of refinement, guided learning and hardening are numbered in one sequence from 1; values
 * that were not measured are left out. out: [tr_run_metrics_count]; returns the number written. */
int tr_run_metrics_list(const tr_training_record *record, tr_run_metric *out);

#endif
