/* The one thread that speaks to SQLite.
 *
 * What the loop wants from the catalogue is a job: `query` runs on this thread with the catalogue,
 * one job after the other in the order of submission; `done` then runs on the loop. SQLite's
 * latency (synchronous commits, cold pages) never holds up a client of a running world, and one
 * connection does all writes. */
#ifndef TROUPE_SERVER_CATALOGUE_THREAD_H
#define TROUPE_SERVER_CATALOGUE_THREAD_H

#include "db/store/catalogue.h"

#include <uv.h>

typedef struct tr_catalogue_thread tr_catalogue_thread;
typedef struct tr_catalogue_job tr_catalogue_job;

enum { TR_CATALOGUE_JOB_MAX = 1024 };

/* Embedded in what a job needs and brings back. */
struct tr_catalogue_job {
    void (*query)(tr_catalogue_job *job, tr_catalogue *catalogue); /* on the catalogue thread */
    void (*done)(tr_catalogue_job *job);                           /* on the loop; owns the job */
    tr_catalogue_job *next;
};

/* Starts the thread; it owns `catalogue` from success on and closes it at the end. Jobs come back
 * on `loop`. */
tr_status tr_catalogue_thread_start(uv_loop_t *loop, tr_catalogue *catalogue,
                                    tr_catalogue_thread **out) TR_NODISCARD;

/* From the loop. The job stays the caller's on TR_RESOURCE_EXHAUSTED: TR_CATALOGUE_JOB_MAX jobs wait
 * already; and on TR_UNAVAILABLE: the thread is ending, and `done` of another job asks. */
tr_status tr_catalogue_thread_submit(tr_catalogue_thread *thread,
                                     tr_catalogue_job *job) TR_NODISCARD;

/* What the thread has done since it began. */
typedef struct tr_catalogue_figures {
    uint64_t jobs;
    double busy_s;
    int queued; /* now */
} tr_catalogue_figures;
tr_catalogue_figures tr_catalogue_thread_figures(tr_catalogue_thread *thread);

/* Finishes the jobs submitted, calls `done` of each, closes the catalogue and joins. From the loop,
 * once; the memory is freed as the loop closes the handle. NULL is fine. */
void tr_catalogue_thread_stop(tr_catalogue_thread *thread);

#endif
