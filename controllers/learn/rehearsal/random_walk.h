/* Random walks over a control graph that bring a trial to a skill as steered characters reach it:
 * from any other skill, and at any time after reaching that one (the random walks of
 * liu2015-guided, section 5.4). */
#pragma once

#include "learn/rehearsal/trial.h"
#include "math/random.h"

/* dwell_s: the longest time in each skill, drawn evenly; 0: three seconds. after: names of cyclic
 * skills between commas, one of which, drawn evenly, is the last before the goal; NULL: any. */
typedef struct tr_random_walk_def {
    double dwell_s;
    const char *after;
} tr_random_walk_def;

/* Walks to at most two other cyclic skills of the controller's graph, drawn evenly, then to one of
 * `after`, and then to `skill`, and spends some time in each. In every second walk it spends none
 * in `skill`, like a character that passes through; with `after` it never does. */
void tr_random_walk(tr_trial *trial, tr_rehearsal *rehearsal, tr_random *random, const char *skill,
                    const tr_random_walk_def *walk);
