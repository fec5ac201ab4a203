/* Pacing of a world against a monotonic clock: which steps are due, and what time was dropped.
 *
 * Deadlines are absolute: step i after the start is due at start + i * interval, so that lateness
 * never accumulates. A world that falls behind catches up at most TR_PACE_CATCH_UP_MAX steps; what
 * lies before them is dropped, counted, and the deadlines begin anew. Time is an argument; nothing
 * here reads a clock. One thread at a time.
 *
 * Worlds that share threads should not all be due at once. With a phase the deadlines lie on the
 * grid of times (k + phase) * interval, k whole, so that worlds of one interval and different phases
 * keep apart for ever, whenever each was made. */
#ifndef TROUPE_SERVER_PACE_H
#define TROUPE_SERVER_PACE_H

#include <stdint.h>

enum { TR_PACE_CATCH_UP_MAX = 4 };

typedef struct tr_pace {
    double step_s, rate;   /* simulated seconds per step; simulated seconds per second */
    int64_t origin_ns;     /* when step 0 was due */
    int64_t done;          /* steps since origin_ns */
    int64_t dropped_steps; /* since tr_pace_start: steps that were given up */
    int64_t max_late_ns;   /* since tr_pace_start */
    double phase;          /* 0 to 1: of the grid of deadlines; < 0: none */
} tr_pace;

/* The first step is due one interval after `now_ns`. step_s > 0, rate > 0. */
tr_pace tr_pace_start(double step_s, double rate, int64_t now_ns);

/* Begins anew at `now_ns` on the grid of `phase` (0 to 1), now and at each resume: the next step may
 * come up to an interval earlier for it. */
void tr_pace_align(tr_pace *pace, double phase, int64_t now_ns);

/* A phase for the world in `slot`: those of any few slots lie far apart (golden ratio). */
double tr_pace_phase_of(int slot);

/* Begins anew at `now_ns`, keeping the counts: after a pause, or with another rate. */
void tr_pace_resume(tr_pace *pace, double rate, int64_t now_ns);

/* Steps to simulate now, 0 to TR_PACE_CATCH_UP_MAX; drops what lies further back. */
int tr_pace_due(tr_pace *pace, int64_t now_ns);

/* Tells that a step was simulated. */
void tr_pace_step(tr_pace *pace);

/* When the next step is due. */
int64_t tr_pace_deadline_ns(const tr_pace *pace);

#endif
