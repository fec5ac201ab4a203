/* How many trials stay up on other ground than the plane.
 *
 * A trial begins at the origin in the controller's spawn state, disturbed as for certificates
 * (trial.h) and turned so that it travels along x (travel.h), in a world without the plane. It
 * holds when the character has not fallen (control/parts/falls.h) up to the end; with `beyond` it holds
 * only if its root is then half a metre beyond where the kerb, bump or ice begins, because a board
 * can roll back from a bump. The seed of uneven ground and hills and the distance to a kerb, 3 to 4
 * m, differ from trial to trial.
 *
 * Deterministic: a function of the controller and the test, not of the number of threads. */
#pragma once

#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_ground.h"

typedef struct tr_ground_test {
    tr_trial_ground_kind kind;
    double amount; /* m or degrees, by the kind */
    int trials;
    double seconds;
    uint64_t seed;
    bool beyond;
} tr_ground_test;

/* out_held: of test->trials. TR_INVALID_ARGUMENT: no trials, or no time; TR_RESOURCE_EXHAUSTED. */
tr_status tr_evaluate_ground(tr_pool *pool, const tr_model *model, const tr_controller *controller,
                             const tr_ground_test *test, int *out_held) TR_NODISCARD;
