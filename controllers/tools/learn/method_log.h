/* The log of a work: the metrics of its rows, its processor time, and when it began. */
#pragma once

#include "db/tables/runs.h"
#include "learn/method/method.h"

typedef struct tr_method_log {
    tr_run_metric *metric; /* [count], owned */
    int count;
    int64_t started_ns;
    double core_s; /* processor time, of all interrupted parts too */
    bool has_best; /* a row had a best controller */
} tr_method_log;

void tr_method_log_deinit(tr_method_log *log); /* of zeros is fine */

/* Adds the row's metrics that are finite, and core_s, the processor time of the row.
 * TR_RESOURCE_EXHAUSTED: too many for a record. */
tr_status tr_method_log_add(tr_method_log *log, const tr_method_row *row, double core_s,
                            tr_error *error) TR_NODISCARD;

/* Blocks of a checkpoint; context: a log. */
void tr_method_log_list(void *context, tr_blocks *blocks);

/* The metric of that name and iteration; NULL: none. */
const tr_run_metric *tr_method_log_find(const tr_method_log *log, const char *name,
                                        int64_t iteration);
