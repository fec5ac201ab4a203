/* The only thread that uses SQLite.
 *
 * The loop uses the catalogue through jobs: `query` runs on this thread with the catalogue, one job
 * at a time in the order of submission; then `done` runs on the loop. SQLite's latency (synchronous
 * commits, cold pages) never delays a client of a running world, and one connection does all
 * writes. */
#pragma once

#include "db/store/catalogue.h"
#include "proto/invariant.h"

#include <uv.h>

typedef struct tr_catalogue_thread tr_catalogue_thread;
typedef struct tr_catalogue_job tr_catalogue_job;

enum { TR_CATALOGUE_JOB_MAX = 1024 };

/* Embedded in a struct with a job's input and output. */
struct tr_catalogue_job {
    void (*query)(tr_catalogue_job *job, tr_catalogue *catalogue); /* on the catalogue thread */
    void (*done)(tr_catalogue_job *job);                           /* on the loop; owns the job */
    tr_catalogue_job *next;
};

/* Starts the thread; on success it owns `catalogue` and closes it at the end. `done` is called on
 * `loop`. */
tr_status tr_catalogue_thread_start(uv_loop_t *loop, tr_catalogue *catalogue,
                                    tr_catalogue_thread **out) TR_NODISCARD;

/* Call from the loop. On failure the caller keeps the job. TR_RESOURCE_EXHAUSTED:
 * TR_CATALOGUE_JOB_MAX jobs already wait; TR_UNAVAILABLE: the thread is ending and `done` of
 * another job made the call. */
tr_status tr_catalogue_thread_submit(tr_catalogue_thread *thread,
                                     tr_catalogue_job *job) TR_NODISCARD;

/* Figures of the thread since its start. */
typedef struct tr_catalogue_figures {
    uint64_t jobs;
    double busy_s;
    int queued; /* now */
} tr_catalogue_figures;
tr_catalogue_figures tr_catalogue_thread_figures(tr_catalogue_thread *thread);

/* Finishes the submitted jobs, calls `done` of each, closes the catalogue and joins the thread.
 * Call from the loop, once; the memory is freed when the loop closes the handle. NULL is
 * allowed. */
void tr_catalogue_thread_stop(tr_catalogue_thread *thread);

void tr_catalogue_thread_must_hold(tr_catalogue_thread *thread, tr_invariant *broken);
