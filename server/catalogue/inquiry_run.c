/* Queries of training runs. */
#include "server/catalogue/inquiry.h"

#include "db/tables/runs.h"

#include <stdlib.h>
#include <string.h>

static Troupe__RunSummary *summary(tr_inquiry *inquiry, const tr_run_row *row) {
    Troupe__RunSummary *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__run_summary__init(out);
    out->name = tr_inquiry_text(inquiry, row->name);
    out->command = tr_inquiry_text(inquiry, row->command);
    out->seed = row->seed;
    out->code_version = tr_inquiry_text(inquiry, row->code_version);
    out->host = tr_inquiry_text(inquiry, row->host);
    out->started_unix_ns = row->started_ns;
    out->ended_unix_ns = row->ended_ns;
    out->threads = (uint32_t)row->threads;
    return out;
}

static tr_status fill_list(tr_inquiry *inquiry, const tr_inquiry_page *page, const tr_run_row *rows,
                           int count) {
    int shown = tr_inquiry_shown(page, count);
    Troupe__RunList *list = tr_inquiry_take(inquiry, sizeof *list);
    Troupe__RunSummary **runs = tr_inquiry_take(inquiry, (size_t)shown * sizeof(void *) + 1);
    if (list == NULL || runs == NULL)
        return TR_RESOURCE_EXHAUSTED;
    troupe__run_list__init(list);
    list->runs = runs;
    for (int i = 0; i < shown; i++)
        if ((runs[list->n_runs] = summary(inquiry, &rows[i])) != NULL)
            list->n_runs++;
    list->next_page_token =
        tr_inquiry_token(inquiry, page, count, shown > 0 ? rows[shown - 1].name : "");
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_RUN_LIST;
    inquiry->response->run_list = list;
    return TR_OK;
}

tr_status tr_inquiry_list_runs(tr_inquiry *inquiry) {
    const Troupe__ListRuns *m = inquiry->request->list_runs;
    tr_inquiry_page page;
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    if (status != TR_OK)
        return status;
    tr_run_filter filter = {.after = page.after, .prefix = tr_inquiry_filter(m->prefix)};
    tr_run_row *rows = tr_inquiry_take(inquiry, (size_t)page.fetch * sizeof *rows);
    int count = page.fetch;
    if (rows == NULL)
        return TR_RESOURCE_EXHAUSTED;
    status = tr_runs_list(inquiry->catalogue, &filter, rows, &count, inquiry->error);
    return status == TR_OK ? fill_list(inquiry, &page, rows, count) : status;
}

/* --- one run with its metrics --- */

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
        if (status != TR_OK)
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
    return order != 0 ? order : (a->iteration > b->iteration) - (a->iteration < b->iteration);
}

/* The series of one name: metrics [count], all of that name. */
static Troupe__RunMetric *series(tr_inquiry *inquiry, const tr_run_metric *metrics, size_t count) {
    Troupe__RunMetric *out = tr_inquiry_take(inquiry, sizeof *out);
    int64_t *iteration = tr_inquiry_take(inquiry, count * sizeof *iteration);
    double *value = tr_inquiry_take(inquiry, count * sizeof *value);
    if (out == NULL || iteration == NULL || value == NULL)
        return NULL;
    troupe__run_metric__init(out);
    out->name = tr_inquiry_text(inquiry, metrics[0].name);
    out->n_iteration = out->n_value = count;
    out->iteration = iteration;
    out->value = value;
    for (size_t i = 0; i < count; i++) {
        iteration[i] = metrics[i].iteration;
        value[i] = metrics[i].value;
    }
    return out;
}

static tr_status fill_metrics(tr_inquiry *inquiry, tr_run_metric *metrics, size_t count,
                              Troupe__RunDetail *out) {
    out->metrics = tr_inquiry_take(inquiry, count * sizeof(void *) + 1);
    if (out->metrics == NULL)
        return TR_RESOURCE_EXHAUSTED;
    qsort(metrics, count, sizeof *metrics, by_name_and_iteration);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(metrics[first].name, metrics[end].name) == 0;)
            end++;
        Troupe__RunMetric *one = series(inquiry, metrics + first, end - first);
        if (one == NULL)
            return TR_RESOURCE_EXHAUSTED;
        out->metrics[out->n_metrics++] = one;
    }
    return TR_OK;
}

static tr_status fill_parents(tr_inquiry *inquiry, const tr_run_row *row, Troupe__RunDetail *out) {
    out->parents = tr_inquiry_take(inquiry, TR_RUN_PARENT_MAX * sizeof(char *));
    if (out->parents == NULL)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < row->parent_count; i++) {
        tr_run_row parent;
        tr_status status = tr_runs_get(inquiry->catalogue, row->parent[i], &parent, inquiry->error);
        if (status != TR_OK)
            return status;
        out->parents[out->n_parents++] = tr_inquiry_text(inquiry, parent.name);
    }
    return TR_OK;
}

tr_status tr_inquiry_get_run(tr_inquiry *inquiry) {
    tr_run_row row;
    int count = 0;
    tr_status status =
        tr_runs_find(inquiry->catalogue, inquiry->request->get_run->name, &row, inquiry->error);
    if (status != TR_OK)
        return status;
    Troupe__RunDetail *detail = tr_inquiry_take(inquiry, sizeof *detail);
    tr_run_metric *metrics = tr_inquiry_take(inquiry, TR_RUN_METRIC_MAX * sizeof *metrics);
    if (detail == NULL || metrics == NULL)
        return TR_RESOURCE_EXHAUSTED;
    troupe__run_detail__init(detail);
    detail->summary = summary(inquiry, &row);
    detail->parameters = tr_inquiry_text(inquiry, row.parameters);
    status = fill_parents(inquiry, &row, detail);
    if (status == TR_OK)
        status = read_metrics(inquiry, row.id, metrics, &count);
    if (status == TR_OK)
        status = fill_metrics(inquiry, metrics, (size_t)count, detail);
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_RUN;
    inquiry->response->run = detail;
    return status;
}
