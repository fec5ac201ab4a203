/* Training runs in the catalogue: everything needed to train again, and the metrics of the
 * training.
 *
 * See catalogue.h for threading, statuses and errors. */
#pragma once

#include "control/fields/sections.h"
#include "db/store/catalogue.h"
#include "model/model.h"

enum {
    TR_RUN_COMMAND_MAX = 2048,    /* bytes with terminator */
    TR_RUN_PARAMETERS_MAX = 4096, /* bytes with terminator */
    TR_RUN_PARENT_MAX = 80,       /* as many as a control graph can have */
    TR_RUN_METRIC_MAX = 1 << 16,  /* values of one run */
    TR_METRIC_NAME_MAX = 32,      /* bytes with terminator */
    TR_RUN_ROLE_MAX = 32,         /* bytes with terminator */
    TR_RUN_INPUT_MAX = 8,
    TR_RUN_INPUT_BYTES_MAX = 1 << 24
};

typedef struct tr_run_row {
    tr_row_id id;                  /* not read by put */
    char name[TR_NAME_MAX];        /* unique */
    char method[TR_NAME_MAX];      /* a row of learn/method/method.h; not part of the digest */
    char given[TR_SHORT_TEXT_MAX]; /* roles of optional inputs, each with a space behind it */
    char command[TR_RUN_COMMAND_MAX];
    char parameters[TR_RUN_PARAMETERS_MAX]; /* text, one "name = value" per line */
    uint64_t seed;
    int threads;
    char code_version[TR_SHORT_TEXT_MAX];
    char host[TR_SHORT_TEXT_MAX]; /* processor and system, for the times below */
    int64_t started_ns, ended_ns; /* since 1970, UTC */
    int parent_count;             /* runs it continued */
    tr_row_id parent[TR_RUN_PARENT_MAX];
    int metric_count; /* not read by put */
    tr_digest digest; /* of the row with its metrics, inputs and parents; not read by put */
} tr_run_row;

/* One measured value, e.g. {"push95_n", 7, 150.0}. Values are finite; metrics that were not
 * measured in an iteration are left out. */
typedef struct tr_run_metric {
    char name[TR_METRIC_NAME_MAX]; /* unit last */
    int64_t iteration;
    double value;
} tr_run_metric;

/* The content of a run outside its row. */
typedef struct tr_run_content {
    const tr_run_metric *metric; /* [metric_count], in any order; one per name and iteration */
    int metric_count;
    const tr_sections *inputs; /* files besides its model and clip, e.g. "starts": NULL: none */
} tr_run_content;

typedef struct tr_run_filter {
    const char *after;  /* names after this one; NULL: from the first */
    const char *prefix; /* prefix of the names; NULL: all */
    tr_row_id parent;   /* runs that continued it; 0: all */
} tr_run_filter;

/* Stores a run; its parents must exist. content may be NULL. Storing the same content under the
 * same name again returns the existing row. */
tr_status tr_runs_put(tr_catalogue *catalogue, const tr_run_row *run, const tr_run_content *content,
                      tr_row_id *out_id, tr_error *error) TR_NODISCARD;
TR_NOUN_READERS(runs, run)

/* Paging as tr_models_list. */
tr_status tr_runs_list(tr_catalogue *catalogue, const tr_run_filter *filter, tr_run_row *out_rows,
                       int *count, tr_error *error) TR_NODISCARD;

typedef struct tr_metric_filter {
    tr_row_id run;
    const char *name; /* NULL: all */
    int first;        /* number of values to skip: those already seen */
} tr_metric_filter;

/* In order of iterations, then names. *count: room in out_metrics, then the values written; after a
 * full page there may be another. TR_NOT_FOUND: no such run. */
tr_status tr_runs_metrics(tr_catalogue *catalogue, const tr_metric_filter *filter,
                          tr_run_metric *out_metrics, int *count, tr_error *error) TR_NODISCARD;

/* Adds the input files of a run to `out`, each with a zero behind it; the caller deinitialises it.
 * TR_NOT_FOUND: no such run. */
tr_status tr_runs_inputs(tr_catalogue *catalogue, tr_row_id run, tr_sections *out,
                         tr_error *error) TR_NODISCARD;

/* TR_FAILED_PRECONDITION while a controller or another run depends on it. */
tr_status tr_runs_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) TR_NODISCARD;
