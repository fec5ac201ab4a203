/* Runs the rounds of a training for a command: prints them, keeps a checkpoint, and ends early when
 * the time is up or the user presses Ctrl-C. */
#ifndef TROUPE_TOOLS_PRACTICE_H
#define TROUPE_TOOLS_PRACTICE_H

#include "learn/train/learner.h"

#include <stdbool.h>

/* How to run them.
 *   checkpoint  written after each round; NULL: none
 *   core_s      processor time after which the present round is the last; 0: no limit
 *   on_better   called when a round gives a new best controller; may be NULL */
typedef struct tr_practice {
    tr_learner *learner;
    const char *checkpoint;
    double core_s;
    tr_status (*on_better)(void *context, tr_error *error);
    void *context;
} tr_practice;

typedef enum tr_practice_end {
    TR_PRACTICE_DONE,
    TR_PRACTICE_TIME_UP,
    TR_PRACTICE_STOPPED
} tr_practice_end;

/* Runs all remaining rounds, or up to an early end. TR_ABORTED as tr_learner_advance. */
tr_status tr_practice_run(const tr_practice *practice, tr_practice_end *out_end,
                          tr_error *error) TR_NODISCARD;

#endif
