/* Rows of the tables of numbers: of a number, and of those that several supports have, so that each is
 * explained once. type: the struct of the numbers; the order is that of its members. */
#ifndef TROUPE_CONTROL_SHARED_NUMBERS_H
#define TROUPE_CONTROL_SHARED_NUMBERS_H

#include "math/parameter_table.h"

#define TR_SUPPORT_NUMBER(type, field, low, high, initial, meaning)                                \
    { #field, TR_REAL, offsetof(type, field), low, high, initial, meaning }

/* height_stiffness to posture_damping */
#define TR_BODY_NUMBERS(type)                                                                      \
    TR_SUPPORT_NUMBER(type, height_stiffness, 0, 400, "60",                                        \
                      "pulls the centroid to its height, 1/s2"),                                   \
        TR_SUPPORT_NUMBER(type, height_damping, 0, 60, "15",                                       \
                          "slows the centroid up and down, 1/s"),                                  \
        TR_SUPPORT_NUMBER(type, turn_damping, 0, 60, "5", "ends angular momentum, 1/s"),           \
        TR_SUPPORT_NUMBER(type, turn_softness, 0, 1000, "1",                                       \
                          "how much the posture counts against turn_damping; 0: nothing"),         \
        TR_SUPPORT_NUMBER(type, posture_stiffness, 0, 400, "50",                                   \
                          "pulls joints and root to the stance, 1/s2"),                            \
        TR_SUPPORT_NUMBER(type, posture_damping, 0, 60, "12", "slows joints and root, 1/s")

/* servo_damping and strength_nm */
#define TR_SERVO_NUMBERS(type)                                                                     \
    TR_SUPPORT_NUMBER(type, servo_damping, 0, 100, "5",                                            \
                      "damping of joints against the planned rates, N m s/rad"),                   \
        TR_SUPPORT_NUMBER(type, strength_nm, 10, 1000, "300",                                      \
                          "largest torque about an axis of a joint")

#endif
