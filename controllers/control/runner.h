/* A runner: a controller at work on one character. Plain data: a copy is an exact snapshot.
 *
 * A mirrored half cycle runs the same fragments on the mirror image: the features are mirrored, the
 * policy is evaluated, and its action and the targets are mirrored onto the opposite bodies. That
 * equals running the fragment on the mirrored state and mirroring the result back.
 *
 * Threading: a runner belongs to whoever steps its world. Deterministic. */
#ifndef TROUPE_CONTROL_RUNNER_H
#define TROUPE_CONTROL_RUNNER_H

#include "control/controller.h"
#include "physics/world.h"

/* A fragment that was chosen, to begin where the one in progress ends; from there the runner goes on
 * by itself. */
typedef struct tr_cue {
    bool given;
    int fragment;
    bool mirrored; /* in the mirrored half */
} tr_cue;

/* action: what acts during the fragment in progress, rad; of the character itself, whose left is
 *         left also in a mirrored half; offset included
 * offset: added to every policy action, rad, in the same sense: steering, external agents; zero by
 *         default; heard at the next fragment's start
 * wish:   where to; heard at the next fragment's start too
 * helm:   how the wish is followed at present; its action is part of `action`, not of `offset` */
typedef struct tr_runner {
    const tr_controller *controller; /* NULL: nothing runs; not owned */
    int fragment;                    /* in progress */
    int step;                        /* of the fragment, next to be simulated */
    bool mirrored;                   /* in a mirrored half cycle */
    bool chooses; /* of a graph: `fragment` is done, the next is chosen when it begins */
    bool ended;   /* a chain that is not cyclic came to its end */
    int64_t fragments_done;
    double action[TR_ACTION_MAX];
    double offset[TR_ACTION_MAX];
    tr_wish wish;
    tr_helm helm;
    tr_cue cue; /* taken before the next fragment begins, also by a chain that has ended */
} tr_runner;

/* Begins `controller` at a fragment of it, with an offset of zero. NULL: an idle runner. */
tr_runner tr_runner_start(const tr_controller *controller, int fragment, bool mirrored);

/* Before each world step: at a fragment's start selects the controller's gain set and evaluates its
 * policy on the character's state, then hands the step's targets to the world. No effect when ended
 * or without a controller. The controller must be fit for the character's model
 * (tr_controller_check). TR_NOT_FOUND: no such character. TR_DATA_LOSS: the policy's action is not
 * finite. The runner is as before on failure. */
tr_status tr_runner_advance(tr_runner *runner, tr_world *world,
                            tr_entity_id character) TR_NODISCARD;

#endif
