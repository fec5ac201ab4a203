/* The numbers of a character that rides a board with both feet (boarding.h). Plain data. */
#ifndef TROUPE_CONTROL_BOARDING_NUMBERS_H
#define TROUPE_CONTROL_BOARDING_NUMBERS_H

#include "control/parts/number_table.h"

/* The numbers of the controller; tr_boarding_number_table describes them. */
typedef struct tr_boarding_numbers {
    double ride_m, kick_rad, near_rad, weave_rad;
    double nose_rad, shift_s, turn_s, rest_s;
    double nose_stiffness, nose_damping, yaw_stiffness, yaw_damping;
    double place_stiffness, place_damping, board_stiffness, board_damping;
    double height_stiffness, height_damping;
    double turn_damping, turn_softness;
    double posture_stiffness, posture_damping;
    double foot_damping, side_m, swing_nm;
    double servo_damping, strength_nm;
} tr_boarding_numbers;

enum { TR_BOARDING_NUMBERS = sizeof(tr_boarding_numbers) / sizeof(double) };
extern const tr_parameter_table tr_boarding_number_table;

#endif
