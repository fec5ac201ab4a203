/* troupe-train reproduce: trains a run of the catalogue again and reports what differs. */
#include "db/store/catalogue.h"
#include "db/tables/controllers.h"
#include "db/tables/runs.h"
#include "tools/again/controller_difference.h"
#include "tools/again/gait_retraining.h"
#include "tools/again/graph_remaking.h"
#include "tools/again/method_again.h"
#include "tools/again/retraining.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"
#include "tools/graphs/graph_record.h"
#include "tools/train/reproduction.h"
#include "tools/train/run_metrics.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *run, *catalogue;
    tr_reproduction given; /* without the catalogue, which is opened later */
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.given = {.threads = tr_option_default_threads()}};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"clips", TR_OPTION_TEXT, &o->given.clips, 0, 0},
        {"motion", TR_OPTION_TEXT, &o->given.motion, 0, 0},
        {"import", TR_OPTION_TEXT, &o->given.import, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->given.threads, 1, TR_POOL_THREAD_MAX},
    };
    int first = tr_options_take("reproduce", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first + 1 != argc || !o->catalogue) {
        fputs("troupe-train reproduce: expected RUN and --catalogue\n", stderr);
        return false;
    }
    o->run = argv[first];
    return true;
}

/* --- what the catalogue has of a training --- */

typedef struct record {
    const tr_run_row *run;
    tr_controller_row row; /* of the controller that the run made */
    tr_run_metric *metric; /* [metric_count], owned */
    int metric_count;
} record;

static tr_status load_metrics(tr_catalogue *catalogue, record *r, tr_error *error) {
    int count = r->run->metric_count;
    tr_metric_filter filter = {.run = r->run->id};
    r->metric = calloc((size_t)count + 1, sizeof *r->metric);
    if (!r->metric)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the metrics");
    if (count == 0)
        return TR_OK;
    tr_status status = tr_runs_metrics(catalogue, &filter, r->metric, &count, error);
    r->metric_count = count;
    return status;
}

/* --- the report --- */

/* NULL: it is not among them. metric: [count]. */
static const tr_run_metric *find_metric(const tr_run_metric *metric, int count,
                                        const tr_run_metric *like) {
    for (int i = 0; i < count; i++)
        if (metric[i].iteration == like->iteration && strcmp(metric[i].name, like->name) == 0)
            return &metric[i];
    return NULL;
}

/* is: NULL, it was not measured again. */
static bool report_metric(const tr_run_metric *was, const tr_run_metric *is) {
    if (is && is->value == was->value)
        return true;
    printf("row %lld: %s was %.17g, ", (long long)was->iteration, was->name, was->value);
    if (is)
        printf("is %.17g\n", is->value);
    else
        puts("is not measured");
    return false;
}

static bool report_metrics(const record *r, const tr_training_record *again) {
    int same = 0, compared = 0;
    tr_run_metric *metric = calloc((size_t)tr_run_metrics_count(again) + 1, sizeof *metric);
    if (!metric)
        return false;
    int count = tr_run_metrics_list(again, metric);
    for (int i = 0; i < r->metric_count; i++) {
        const tr_run_metric *was = &r->metric[i];
        if (strcmp(was->name, "core_s") == 0) /* the processor time differs each time */
            continue;
        compared++;
        same += report_metric(was, find_metric(metric, count, was));
    }
    free(metric);
    printf("metrics: %d of %d are the same to the bit\n", same, compared);
    return same == compared;
}

static tr_status report_controller(tr_catalogue *catalogue, const record *r,
                                   const tr_retraining *again, bool *out_same, tr_error *error) {
    tr_controller *was = NULL;
    const tr_controller *is = tr_learner_best(again->training.learner);
    tr_status status = tr_controllers_load(catalogue, r->row.id, again->model, &was, error);
    *out_same = !status && tr_controller_difference_print(was, is, again->model);
    tr_controller_destroy(was);
    return status;
}

static tr_status report(tr_catalogue *catalogue, const record *r, const tr_retraining *again,
                        tr_error *error) {
    bool same = false;
    bool same_metrics = report_metrics(r, tr_learner_record(again->training.learner));
    tr_status status = report_controller(catalogue, r, again, &same, error);
    if (status || (same && same_metrics))
        return status;
    if (strcmp(r->run->code_version, TR_CODE_VERSION) != 0)
        printf("it was trained by build %s; this is %s\n", r->run->code_version, TR_CODE_VERSION);
    return tr_fail(error, TR_ABORTED, "run '%s': not the same", r->run->name);
}

/* --- the command --- */

static tr_status reproduce_training(const tr_reproduction *given, const tr_run_row *run,
                                    tr_error *error) {
    record r = {.run = run};
    tr_retraining again = {0};
    tr_status status = tr_run_find_controller(given->catalogue, run, &r.row, error);
    if (!status)
        status = load_metrics(given->catalogue, &r, error);
    if (!status) {
        const tr_retraining_def def = {given, run, r.row.model_id, r.row.clip_id};
        status = tr_retrain(&def, &again, error);
    }
    if (!status)
        status = report(given->catalogue, &r, &again, error);
    tr_retraining_deinit(&again);
    free(r.metric);
    return status;
}

/* Its record has the settings of the task, but not those of the space that it began with. */
static tr_status refuse_latent(const tr_reproduction *given, const tr_run_row *run,
                               tr_error *error) {
    (void)given;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "run '%s': the record of a latent controller does not keep how its space was "
                   "fitted; repeat 'latent fit' and 'latent task' by hand",
                   run->name);
}

/* Methods without a row: how each is repeated. */
typedef struct kind {
    const char *method;
    tr_status (*repeat)(const tr_reproduction *given, const tr_run_row *run, tr_error *error);
} kind;
static const kind kinds[] = {
    {"chain", reproduce_training},
    {"graph", tr_graph_remake},
    {"gait", tr_gait_retrain},
    {"latent", refuse_latent},
};

static tr_status reproduce(const tr_reproduction *given, const char *name, tr_error *error) {
    tr_run_row run;
    tr_status status = tr_runs_find(given->catalogue, name, &run, error);
    if (status)
        return status;
    printf("recorded as: %s\n", run.command);
    (void)fflush(stdout);
    const tr_method *method = tr_method_find(run.method);
    if (method)
        return tr_method_reproduce(method, given, &run, error);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].method, run.method) == 0)
            return kinds[i].repeat(given, &run, error);
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "run '%s': this build has no method '%s', which it learned by", name,
                   run.method);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_reproduction with = o->given;
    tr_status status =
        tr_catalogue_open(o->catalogue, TR_CATALOGUE_SCRATCH, &with.catalogue, error);
    if (!status)
        status = reproduce(&with, o->run, error);
    tr_catalogue_close(with.catalogue);
    return status;
}

const tr_tool_command tr_tool_reproduce = {
    .name = "reproduce",
    .arguments = "RUN --catalogue FILE [--clips DIR [--import TEXT] | --motion M] [--threads N]",
    .summary = "repeat a run of the catalogue and report what differs",
    .help =
        "Take parameters, seed and model from the catalogue (or a bundle), find the clip among\n"
        "the files of DIR by its digest, import it with the recorded options, and train. A run\n"
        "that continued another begins from that one's controller, which is trained first if it\n"
        "is missing. The files given with --starts and --control are in the record.\n"
        "A control graph is built or trained again with the recorded options. Parts that are\n"
        "missing or have changed are made first, from their own runs, and named on stderr;\n"
        "trained skills need --clips. A gait is trained again from its settings and the "
        "checkpoint\n"
        "that it began with; a scheduler with the driver that it holds; a balance from its\n"
        "settings, its stance and the policy that it began at. If a part's digest differs from\n"
        "the record, the command names its run and ends. The catalogue is never written.\n"
        "Metrics and controller are compared number by number; on the same build they are the\n"
        "same to the bit, whatever the number of threads. Exit code 1: they differ.\n"
        "\n"
        "  --clips DIR    folder of the source clips\n"
        "  --motion M     the imported motion itself\n"
        "  --import TEXT  import options of the clip (they are in the motion's file), for runs\n"
        "                 that did not record them\n"
        "  --threads N    threads (all cores); does not change the result\n"
        "\n"
        "  troupe-train reproduce run --catalogue db/shipped.troupe --clips mocap\n"
        "  troupe-train reproduce riser --catalogue db/shipped.troupe\n",
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
