/* The sliding window of improved SAMCON (liu2015-samcon, section 4.1): which fragments a trial
 * samples, and when a fragment is finished.
 *
 * A trial runs from the window's start for at most `size` fragments. The first fragment slides
 * out when
 *   (a) its distribution was updated at least updates_min times and
 *   (b) its cost has not decreased for `patience` trials, or
 *   (a) it was updated updates_max times, or
 *   (c) its best sample is good enough,
 * and in each case only if the trial went `margin` fragments further or to the end: a fragment from
 * which the motion cannot continue is not finished, and a character that is bound to fall may take a
 * second and a half to do so. tr_window_normalise decides what is good enough. Pure functions on
 * plain data. */
#pragma once

#include <stdbool.h>

typedef struct tr_window_def {
    int size;        /* 50 */
    int updates_min; /* 5 */
    int updates_max; /* 20 */
    int patience;    /* 5 */
    int margin;      /* 15; the paper has none */
    double good;     /* normalised cost that is good enough */
} tr_window_def;

/* The record of one fragment's distribution. */
typedef struct tr_window_stage {
    int updates;
    int stale;     /* trials since the cost last decreased */
    double least;  /* cost; meaningless before the first update */
    double energy; /* of the window at the last update, J/kg */
} tr_window_stage;

/* The fragment's distribution was updated after a trial whose best sample cost `cost`, in a window
 * of kinetic energy `energy`, J/kg. A decrease counts from 1 % on; of the cost itself, since a
 * window that slides into a faster part of the motion is no decrease. */
void tr_window_note(tr_window_stage *stage, double cost, double energy);

/* Returns the new start of the window after a trial that sampled start..reached - 1 with success;
 * `count` fragments in all. stages: [count]. */
int tr_window_slide(const tr_window_def *def, const tr_window_stage *stages, int count, int start,
                    int reached);

/* A fast motion is followed less closely, and its error is seen less: cost / (1 + v / v0), v =
 * sqrt(2 e) the rms speed of the window's mass, v0 = 1 m/s. energy: kinetic energy of the reference
 * over the window, J/kg. */
double tr_window_normalise(double cost, double energy);
