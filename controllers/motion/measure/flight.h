/* Free flight in a motion: the centre of mass of every jumper falls with g, so a flight shows the
 * true rate of a clip. */
#pragma once

#include "motion/poses/motion.h"

/* All flights of a motion together.
 *   duration_s  time in flights; 0: no flight
 *   fall_mps2   acceleration at which the centre of mass falls in them
 *   raised_s    the longest time in which nothing is near the ground, if it is too long for a flight:
 *               the body stands on a stair or a box, or hangs from a bar; 0: no such time
 *   raised_m    mean height of the lowest point in that time
 *   raised_first  the frame in which it begins */
typedef struct tr_flight {
    double duration_s, fall_mps2;
    double raised_s, raised_m;
    int raised_first;
} tr_flight;

/* Finds the stretches in which nothing is near the ground and the centre of mass passes over a top
 * of 1.5 cm or more, and fits a parabola to each. Flights are found by heights alone, so that a
 * wrong frame rate does not hide them. The ground is the level of standing feet, or where no foot
 * stands the 10th percentile of the lowest point; it need not be at 0. TR_RESOURCE_EXHAUSTED: memory is short. */
tr_status tr_motion_measure_flight(const tr_model *model, const tr_motion *motion,
                                   tr_flight *out) TR_NODISCARD;
