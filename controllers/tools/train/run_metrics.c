#include "tools/train/run_metrics.h"

#include <math.h>
#include <stdio.h>

enum { METRICS_PER_ROW = 10 };

int tr_run_metrics_count(const tr_training_record *record) {
    return record->row_count * METRICS_PER_ROW;
}

static void add_metric(tr_run_metric *metrics, int *count, const char *name, int row,
                       double value) {
    if (!isfinite(value))
        return;
    tr_run_metric *metric = &metrics[(*count)++];
    *metric = (tr_run_metric){.iteration = row, .value = value};
    snprintf(metric->name, sizeof metric->name, "%s", name);
}

int tr_run_metrics_list(const tr_training_record *record, tr_run_metric *out) {
    int count = 0;
    for (int i = 0; i < record->row_count; i++) {
        const tr_training_row *row = &record->row[i];
        bool guided = row->phase != TR_TRAINING_REFINE;
        add_metric(out, &count, "core_s", i + 1, row->core_seconds);
        add_metric(out, &count, "cost", i + 1, row->cost);
        add_metric(out, &count, "rollbacks", i + 1, row->rollbacks);
        add_metric(out, &count, "sigma_deg", i + 1, row->sigma_deg);
        add_metric(out, &count, "r2", i + 1, row->r2);
        add_metric(out, &count, "push_train_n", i + 1, guided ? row->push_train_n : (double)NAN);
        add_metric(out, &count, "undisturbed_s", i + 1, row->undisturbed_s);
        add_metric(out, &count, "push95_n", i + 1, row->push95_n);
        add_metric(out, &count, "resist_s", i + 1, row->resist_s);
        add_metric(out, &count, "kept", i + 1, guided ? row->kept : (double)NAN);
    }
    return count;
}
