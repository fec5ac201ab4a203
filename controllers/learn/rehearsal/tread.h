/* How a character treads: how hard it presses on the ground, and how fast its contacts slide
 * there. */
#pragma once

#include "learn/rehearsal/ensemble.h"

/* Over some steps; zeros: none yet.
 *   load_bw  upward force of the static world's contacts in the last step, body weights: about 1 in
 *            standing, 3 to 5 at a hard heel strike, 0 in flight
 *   peak_bw  the largest load of a step
 *   slid     sum over steps and contacts of their normal force, body weights, times the speed at
 *            which they slide, m/s */
typedef struct tr_tread {
    double load_bw, peak_bw, slid;
    int steps;
} tr_tread;

/* Adds the world's last step. */
void tr_tread_add(tr_tread *tread, const tr_rehearsal *rehearsal);

/* Returns the mean speed at which contacts slide, weighted by their normal force, m/s. Over whole
 * cycles this is the skating of 'troupe-bench truth'. */
double tr_tread_slip(const tr_tread *tread);

/* Returns what a training adds to the score of a controller whose largest load of a step is
 * `peak_bw` body weights, N: 100 N less for each body weight up to 5; beyond that 2,500 N divided
 * by the load, so that the landing of a flip counts too. */
double tr_tread_strike_worth(double peak_bw);
