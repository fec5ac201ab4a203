/* A runner: a controller at work on one character. Plain data, so that a copy is an exact snapshot.
 */
#ifndef TROUPE_CONTROL_RUNNER_H
#define TROUPE_CONTROL_RUNNER_H

#include "control/controller.h"
#include "physics/world.h"

typedef struct tr_runner {
    const tr_controller *controller; /* NULL: nothing runs; not owned */
    int fragment;                    /* in progress */
    int step;                        /* of the fragment, next to be simulated */
    bool mirrored;                   /* in a mirrored half cycle */
    bool ended;                      /* a chain that is not cyclic came to its end */
    int64_t fragments_done;
    double action[TR_ACTION_MAX]; /* of the fragment in progress */
    double offset[TR_ACTION_MAX]; /* added to every policy action: steering, external agents; zero
                                     by default */
} tr_runner;

/* Begins `controller` at a fragment. */
tr_runner tr_runner_start(const tr_controller *controller, int fragment, bool mirrored);

/* Before each world step: at a fragment's start evaluates its policy on the character's state, then
 * hands the step's targets to the world. No effect when ended or without a controller. */
tr_status tr_runner_advance(tr_runner *runner, tr_world *world,
                            tr_entity_id character) TR_NODISCARD;

#endif
