/* Lists of numbers, each with bounds, initial value and meaning, from which structs and tables are made;
 * and those numbers that several supports have, so that each is explained once. */
#pragma once

#include "math/parameter_table.h"

/* What a list does with a number: a member of the struct, and a row of the table. */
#define TR_NUMBER_MEMBER(field, ...) double field;
#define TR_NUMBER_ROW(type, field, low, high, initial, meaning)                                    \
    {#field, TR_REAL, offsetof(type, field), low, high, initial, meaning},

/* height_stiffness to posture_damping */
#define TR_BODY_NUMBERS(N)                                                                         \
    N(height_stiffness, 0, 400, "60", "pulls the centroid to its height, 1/s2")                    \
    N(height_damping, 0, 60, "15", "slows the centroid up and down, 1/s")                          \
    N(turn_damping, 0, 60, "5", "ends angular momentum, 1/s")                                      \
    N(turn_softness, 0, 1000, "1", "how much the posture counts against turn_damping; 0: nothing") \
    N(posture_stiffness, 0, 400, "50", "pulls joints and root to the stance, 1/s2")                \
    N(posture_damping, 0, 60, "12", "slows joints and root, 1/s")

#define TR_SERVO_NUMBERS(N)                                                                        \
    N(servo_damping, 0, 100, "5", "damping of joints against the planned rates, N m s/rad")        \
    N(strength_nm, 10, 1000, "300", "largest torque about an axis of a joint")
