/* Queries of training runs. */
#include "server/catalogue/inquiry.h"

#include "db/tables/runs.h"

#include <stdlib.h>
#include <string.h>

static const tr_mapping summary_mapping = TR_MAPPING(
    tr_run_row, RunSummary, run_summary, TR_COPY(name, command, seed, code_version, host, threads),
    TR_COPY_AS(started_ns, started_unix_ns), TR_COPY_AS(ended_ns, ended_unix_ns));

static const tr_mapping runs_mapping = TR_INQUIRY_ROWS(RunList, run_list, runs, summary_mapping);

static tr_status fetch(tr_inquiry *inquiry, const char *after, void *rows, int *count) {
    tr_run_filter filter = {.after = after,
                            .prefix = tr_inquiry_filter(inquiry->request->list_runs->prefix)};
    return tr_runs_list(inquiry->catalogue, &filter, rows, count, inquiry->error);
}

tr_status tr_inquiry_list_runs(tr_inquiry *inquiry) {
    const tr_inquiry_list list = {TROUPE__RESPONSE__RESULT_RUN_LIST, &runs_mapping,
                                  sizeof(tr_run_row), offsetof(tr_run_row, name), fetch};
    return tr_inquiry_answer_list(inquiry, inquiry->request->list_runs->page, &list);
}

/* --- one run with its metrics --- */

/* All values of one metric, in order of iterations. */
typedef struct series {
    const char *name;
    int count;
    int64_t *iteration;
    double *value;
} series;

typedef struct detail {
    tr_run_row row;
    int metric_count;
    const char *parents[TR_RUN_PARENT_MAX];
    series *metrics;
} detail;

static const tr_mapping series_mapping =
    TR_MAPPING(series, RunMetric, run_metric, TR_COPY(name), TR_COPY_ARRAY(count, iteration),
               TR_COPY_ARRAY(count, value));

static const tr_mapping detail_mapping =
    TR_MAPPING(detail, RunDetail, run_detail, TR_COPY_ONE_AS(row, summary, summary_mapping),
               TR_COPY_IN(row, parameters), TR_COPY_ARRAY_WITHIN(row.parent_count, parents),
               TR_COPY_LIST(metric_count, metrics, series_mapping));

static tr_status read_metrics(tr_inquiry *inquiry, tr_row_id run, tr_run_metric *metrics,
                              int *out_count) {
    enum { PAGE = 1024 };
    int count = 0;
    while (count < TR_RUN_METRIC_MAX) {
        int page = TR_RUN_METRIC_MAX - count < PAGE ? TR_RUN_METRIC_MAX - count : PAGE;
        int asked = page;
        tr_metric_filter filter = {.run = run, .first = count};
        tr_status status =
            tr_runs_metrics(inquiry->catalogue, &filter, metrics + count, &page, inquiry->error);
        if (status)
            return status;
        count += page;
        if (page < asked)
            break;
    }
    *out_count = count;
    return TR_OK;
}

static int by_name_and_iteration(const void *left, const void *right) {
    const tr_run_metric *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->iteration > b->iteration) - (a->iteration < b->iteration);
}

static tr_status group_metrics(tr_inquiry *inquiry, tr_run_metric *metrics, int count,
                               detail *out) {
    int64_t *iteration = tr_inquiry_take(inquiry, (size_t)count, sizeof *iteration);
    double *value = tr_inquiry_take(inquiry, (size_t)count, sizeof *value);
    out->metrics = tr_inquiry_take(inquiry, (size_t)count, sizeof *out->metrics);
    if (!iteration || !value || !out->metrics)
        return TR_RESOURCE_EXHAUSTED;
    qsort(metrics, (size_t)count, sizeof *metrics, by_name_and_iteration);
    series *to = NULL;
    for (int i = 0; i < count; i++) {
        if (!to || strcmp(to->name, metrics[i].name) != 0) {
            to = &out->metrics[out->metric_count++];
            *to = (series){metrics[i].name, 0, &iteration[i], &value[i]};
        }
        iteration[i] = metrics[i].iteration;
        value[i] = metrics[i].value;
        to->count++;
    }
    return TR_OK;
}

static tr_status name_parents(tr_inquiry *inquiry, detail *out) {
    tr_run_row *parent = tr_inquiry_take(inquiry, (size_t)out->row.parent_count, sizeof *parent);
    tr_status status = parent ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < out->row.parent_count && !status; i++) {
        status = tr_runs_get(inquiry->catalogue, out->row.parent[i], &parent[i], inquiry->error);
        out->parents[i] = parent[i].name;
    }
    return status;
}

tr_status tr_inquiry_get_run(tr_inquiry *inquiry) {
    int count = 0;
    detail *out = tr_inquiry_take(inquiry, 1, sizeof *out);
    tr_run_metric *metrics = tr_inquiry_take(inquiry, TR_RUN_METRIC_MAX, sizeof *metrics);
    if (!out || !metrics)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_runs_find(inquiry->catalogue, inquiry->request->get_run->name, &out->row,
                                    inquiry->error);
    if (!status)
        status = name_parents(inquiry, out);
    if (!status)
        status = read_metrics(inquiry, out->row.id, metrics, &count);
    if (!status)
        status = group_metrics(inquiry, metrics, count, out);
    return status ? status
                  : tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_RUN, &detail_mapping, out);
}
