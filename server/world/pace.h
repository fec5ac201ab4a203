/* Pacing of a world against a monotonic clock: which steps are due, and which were dropped.
 *
 * Deadlines are absolute: step i after the start is due at start + i * interval, so that lateness
 * never accumulates. A world that falls behind catches up at most TR_PACE_CATCH_UP_MAX steps;
 * earlier steps are dropped and counted, and the deadlines restart. Time is an argument; nothing
 * here reads a clock. One thread at a time.
 *
 * Worlds that share threads should not all be due at the same time. With a phase, the deadlines lie
 * on the grid of times (k + phase) * interval, k whole, so that worlds with the same interval and
 * different phases always stay apart, whenever they were made. */
#pragma once

#include <stdint.h>

enum { TR_PACE_CATCH_UP_MAX = 4 };

typedef struct tr_pace {
    double step_s, rate;   /* simulated seconds per step; simulated seconds per second */
    int64_t origin_ns;     /* when step 0 was due */
    int64_t done;          /* steps since origin_ns */
    int64_t dropped_steps; /* since tr_pace_start */
    int64_t max_late_ns;   /* since tr_pace_start */
    double phase;          /* 0 to 1: phase of the grid of deadlines; < 0: no grid */
} tr_pace;

/* The first step is due one interval after `now_ns`. step_s > 0, rate > 0. */
tr_pace tr_pace_start(double step_s, double rate, int64_t now_ns);

/* Restarts at `now_ns` on the grid of `phase` (0 to 1), now and at each resume. The next step may
 * be due up to one interval earlier than without the grid. */
void tr_pace_align(tr_pace *pace, double phase, int64_t now_ns);

/* A phase for the world in `slot`: the phases of neighbouring slots lie far apart (golden
 * ratio). */
double tr_pace_phase_of(int slot);

/* Restarts at `now_ns` and keeps the counts: after a pause, or with another rate. */
void tr_pace_resume(tr_pace *pace, double rate, int64_t now_ns);

/* Steps to simulate now, 0 to TR_PACE_CATCH_UP_MAX; drops steps that are older. */
int tr_pace_due(tr_pace *pace, int64_t now_ns);

/* Counts a step that was simulated. */
void tr_pace_step(tr_pace *pace);

/* The time when the next step is due. */
int64_t tr_pace_deadline_ns(const tr_pace *pace);
