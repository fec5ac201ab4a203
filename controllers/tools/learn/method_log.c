#include "tools/learn/method_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CORE[] = "core_s";

void tr_method_log_deinit(tr_method_log *log) {
    free(log->metric);
    *log = (tr_method_log){0};
}

static bool make_room(tr_method_log *log, int more) {
    const int count = log->count + more;
    tr_run_metric *metric = count <= TR_RUN_METRIC_MAX
                                ? realloc(log->metric, (size_t)(count + 1) * sizeof *metric)
                                : NULL;
    if (!metric)
        return false;
    log->metric = metric;
    return true;
}

static void add(tr_method_log *log, const char *name, int64_t iteration, double value) {
    tr_run_metric *metric = &log->metric[log->count];
    if (!isfinite(value))
        return;
    memset(metric, 0, sizeof *metric);
    metric->iteration = iteration;
    metric->value = value;
    snprintf(metric->name, sizeof metric->name, "%s", name);
    log->count++;
}

tr_status tr_method_log_add(tr_method_log *log, const tr_method_row *row, double core_s,
                            tr_error *error) {
    if (!make_room(log, row->metric_count + 1))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no room for the metrics of row %lld",
                       (long long)row->iteration);
    add(log, CORE, row->iteration, core_s);
    for (int i = 0; i < row->metric_count; i++)
        add(log, row->metric[i].name, row->iteration, row->metric[i].value);
    log->core_s += core_s;
    log->has_best |= row->best;
    return TR_OK;
}

void tr_method_log_list(void *context, tr_blocks *blocks) {
    tr_method_log *log = context;
    tr_block(blocks, "started", &log->started_ns, sizeof log->started_ns);
    tr_block(blocks, "best", &log->has_best, sizeof log->has_best);
    tr_block(blocks, "core seconds", &log->core_s, sizeof log->core_s);
    const int count = tr_block_count(blocks, "metrics", &log->count, 0, TR_RUN_METRIC_MAX);
    if (blocks->loads && !make_room(log, 0))
        (void)tr_block_require(blocks, "metrics", false);
    if (count > 0)
        tr_block(blocks, "metrics", log->metric, (size_t)count * sizeof *log->metric);
}

const tr_run_metric *tr_method_log_find(const tr_method_log *log, const char *name,
                                        int64_t iteration) {
    for (int i = 0; i < log->count; i++)
        if (log->metric[i].iteration == iteration && strcmp(log->metric[i].name, name) == 0)
            return &log->metric[i];
    return NULL;
}
