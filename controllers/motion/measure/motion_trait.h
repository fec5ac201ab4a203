/* The kind of a motion: a gait, a skill that can be repeated, or a motion that ends standing. Found
 * from the motion alone, for the planner of trainings (learn/plan). */
#pragma once

#include "motion/poses/motion.h"

/* A stretch of a motion that can be repeated.
 *   first, last  frames; last is the first of the next cycle; last <= first: none
 *   gap          between the two (tr_motion_measure_gap)
 *   speed_gap    between the velocities of the root there, in the heading frame, m/s
 *   asymmetry    to the mirror image half a cycle later (tr_motion_asymmetry), rad
 *   alikeness    to its mirror image, rad
 *   turn_rad     change of heading over it; of a turn the sum of all */
typedef struct tr_motion_cycle_found {
    int first, last;
    tr_motion_gap gap;
    double speed_gap_mps, asymmetry_rad, alikeness_rad, turn_rad;
} tr_motion_cycle_found;

/* An open motion.
 *   turn     of a walk or run that changes its direction: from one stride to another; none: it goes
 *            straight, or in an even curve. With a turn gait and stride are not sought.
 *   gait     its best stride: legs alternate, it travels, the ends nearly meet; none: it is not a gait
 *   stride   of a motion that is no gait: its best stride, whose ends may be further apart; none: it
 *            has no stride
 *   whole    the motion without the still frames at its ends, and up to a tenth shorter at either end
 *            if this makes the gap smaller
 *   alternates    the legs do, in swing or in contact: its sides cannot be alike
 *   begins_lying  on the ground, trunk level
 *   risen    of a motion that begins lying: the frame in which it is up and slowest; 0: none
 *   ends_upright  trunk within 60 degrees of upright
 *   tilt_gap_rad  between the trunk's axes at the ends
 *   speed_begin_mps, speed_end_mps  of the root over ground, mean over 0.1 s
 *   path_mps  of the path over ground
 *   flight    all of it is off the ground (flight.h)
 *   raised_s, raised_m, raised_first  it stands on something higher than the ground (flight.h) */
typedef struct tr_motion_trait {
    tr_motion_cycle_found turn, gait, stride, whole;
    bool alternates, begins_lying, ends_upright, flight;
    int risen;
    double tilt_gap_rad;
    double speed_begin_mps, speed_end_mps, path_mps;
    double raised_s, raised_m;
    int raised_first;
} tr_motion_trait;

/* Examines an open motion on the ground. TR_INVALID_ARGUMENT: it is cyclic, or shorter than 0.2 s;
 * TR_RESOURCE_EXHAUSTED: memory is short. Deterministic. */
tr_status tr_motion_measure_trait(const tr_model *model, const tr_motion *motion,
                                  tr_motion_trait *out) TR_NODISCARD;
