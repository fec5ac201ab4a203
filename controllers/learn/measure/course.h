/* A figure of eight of waypoints, to be walked or run: how well a controller is steered.
 *
 * Twelve points lie on two circles that touch where the character starts; steering
 * (control/driver/steering.h) must bring it near each of them, in order. The circles are twice as wide as
 * the tightest that full turn gives. The figure is turned differently in every trial. A trial fails
 * when the motion is lost or when it takes more than twice the time that its length needs.
 * Deterministic, whatever the number of threads. */
#ifndef TROUPE_LEARN_COURSE_H
#define TROUPE_LEARN_COURSE_H

#include "control/driver/controller.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_course_test {
    int trials;
    uint64_t seed;
} tr_course_test;

typedef struct tr_course_result {
    int trials, done; /* done: all waypoints, without losing the motion */
    double radius_m;  /* of the circles */
    double near_m;    /* distance within which each point must be passed */
    double length_m;  /* along the circles */
    double mean_s;    /* of those done */
} tr_course_result;

/* TR_FAILED_PRECONDITION: the controller cannot turn. TR_INVALID_ARGUMENT: trials out of range. */
tr_status tr_course_run(tr_ensemble *ensemble, const tr_controller *controller,
                        const tr_course_test *test, tr_course_result *out) TR_NODISCARD;

#endif
