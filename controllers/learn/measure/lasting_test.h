/* How many trials are survived under lasting forces.
 *
 * A trial begins in the controller's spawn state, disturbed as for certificates (trial.h) and
 * turned so that it travels along x (travel.h), on flat ground. From 2 s on a force acts on the
 * trunk along x, drawn evenly between the largest from the front and the same from behind: constant
 * or varying, which moves at 100 N/s, or sudden (force_course.h). It is survived when the motion is
 * not lost (lost.h) up to the end.
 *
 * Deterministic: a function of the controller and the test, not of the number of threads. */
#pragma once

#include "learn/measure/force_course.h"
#include "learn/rehearsal/trial.h"

/* kind: TR_FORCE_CONSTANT, TR_FORCE_VARYING or TR_FORCE_STEP */
typedef struct tr_lasting_test {
    tr_force_kind kind;
    double most_n;
    int trials;
    double seconds;
    uint64_t seed;
} tr_lasting_test;

/* out_held: of test->trials. TR_INVALID_ARGUMENT: no trials, or no time; TR_RESOURCE_EXHAUSTED. */
tr_status tr_evaluate_lasting(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_lasting_test *test, int *out_held) TR_NODISCARD;
