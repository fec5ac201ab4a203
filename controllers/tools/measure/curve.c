/* troupe-train curve: prints how trainings went, from what the catalogue knows. */
#include "db/store/catalogue.h"
#include "db/tables/runs.h"
#include "learn/train/record.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 6 };

/* One run. at: iterations; core_s: processor time up to there, where the run is `timed` */
typedef struct curve {
    char name[TR_NAME_MAX];
    int count;
    bool timed;
    double at[TR_TRAINING_ROW_MAX], value[TR_TRAINING_ROW_MAX], core_s[TR_TRAINING_ROW_MAX];
} curve;

typedef struct options {
    const char *catalogue, *metric;
    tr_words runs;
} options;

static const options defaults = {.metric = "resist_s"};

static const tr_argument words[] = {
    {"RUN ...", TR_OPTION_TEXT, offsetof(options, runs), "names of runs", 1, RUNS_MAX},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "catalogue or bundle with the runs", .needed = true},
    {"--metric NAME", TR_OPTION_TEXT, offsetof(options, metric),
     "resist_s, the seconds resisted under growing pushes (figure 6 of liu2015-guided), in "
     "trainings with test_resist_trials; push95_n, undisturbed_s, cost, r2, ... (resist_s); "
     "average_q, score, ... of schedulers"},
    {0}};

static bool is_timed(const tr_run_metric *metric, int count) {
    bool timed = false;
    for (int i = 0; i < count; i++)
        timed |= strcmp(metric[i].name, "core_s") == 0;
    return timed;
}

/* Rows without this measure only add their time. Without times the run counts iterations by itself:
 * a scheduler's are decisions. */
static void follow(const tr_run_metric *metric, int count, const char *name, curve *out) {
    double core_s = 0;
    out->timed = is_timed(metric, count);
    for (int i = 0; i < count; i++) { /* in order of rows, then names: core_s is the first */
        if (strcmp(metric[i].name, "core_s") == 0) {
            core_s += metric[i].value;
        } else if (strcmp(metric[i].name, name) == 0 && out->count < TR_TRAINING_ROW_MAX) {
            out->at[out->count] = out->timed ? out->count + 1 : (double)metric[i].iteration;
            out->value[out->count] = metric[i].value;
            out->core_s[out->count++] = core_s;
        }
    }
}

static tr_status load(tr_catalogue *catalogue, const char *run, const char *metric, curve *out,
                      tr_error *error) {
    tr_run_row row;
    tr_status status = tr_runs_find(catalogue, run, &row, error);
    if (status)
        return status;
    int count = row.metric_count;
    tr_run_metric *metrics = calloc((size_t)count + 1, sizeof *metrics);
    if (!metrics)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the metrics of '%s'", run);
    tr_metric_filter all = {.run = row.id};
    status = tr_runs_metrics(catalogue, &all, metrics, &count, error);
    if (!status) {
        *out = (curve){0};
        snprintf(out->name, sizeof out->name, "%s", row.name);
        follow(metrics, count, metric, out);
    }
    free(metrics);
    if (!status && out->count == 0)
        status = tr_fail(error, TR_NOT_FOUND, "run '%s' has no metric '%s'", run, metric);
    return status;
}

static void print(const curve *one, const char *metric) {
    printf("%s\n  iteration%s  %s\n", one->name, one->timed ? "  core-s" : "", metric);
    for (int i = 0; i < one->count; i++) {
        printf("  %9.0f", one->at[i]);
        if (one->timed)
            printf("  %6.1f", one->core_s[i]);
        printf("  %.4g\n", one->value[i]);
    }
}

static tr_status run(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const options *o = given;
    static curve one; /* too large for the stack */
    tr_status status = TR_OK;
    for (int i = 0; i < o->runs.count && !status; i++) {
        status = load(catalogue, o->runs.word[i], o->metric, &one, error);
        if (!status)
            print(&one, o->metric);
    }
    return status;
}

const tr_tool_command tr_tool_curve = {
    .name = "curve",
    .summary = "print the curves of trainings, iteration by iteration",
    .help =
        "Print each measured iteration, with the processor time up to there where it is known.\n"
        "Iterations of a scheduler are decisions.\n",
    .example = "  troupe-train curve run walk --metric push95_n --catalogue db/shipped.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .on = {offsetof(options, catalogue), TR_CATALOGUE_READ, run}};
