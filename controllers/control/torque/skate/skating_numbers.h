/* The numbers of a character that skates (skating.h). Plain data. */
#ifndef TROUPE_CONTROL_SKATING_NUMBERS_H
#define TROUPE_CONTROL_SKATING_NUMBERS_H

#include "control/parts/number_table.h"

/* The numbers of the controller; tr_skating_number_table describes them. */
typedef struct tr_skating_numbers {
    double speed_mps, push_n, push_s, grip;
    double rest_s, reach_s, return_s;
    double land_m, leave_m, beside_m, lift_m, lean_m;
    double foot_stiffness, foot_damping;
    double place_stiffness, place_damping;
    double board_stiffness, board_damping;
    double height_stiffness, height_damping;
    double turn_damping, turn_softness;
    double posture_stiffness, posture_damping;
    double margin_m, side_margin_m, swing_nm;
    double servo_damping, strength_nm;
    double course_rate, course_radps, course_m; /* of a board with trucks alone */
} tr_skating_numbers;

/* The numbers that a board without trucks has come first. */
enum {
    TR_SKATING_NUMBERS = sizeof(tr_skating_numbers) / sizeof(double),
    TR_SKATING_STRAIGHT_NUMBERS = offsetof(tr_skating_numbers, course_rate) / sizeof(double)
};
extern const tr_parameter_table tr_skating_number_table;

#endif
