/* The numbers of a character that steps on a ball (rolling.h). Plain data. */
#ifndef TROUPE_CONTROL_ROLLING_NUMBERS_H
#define TROUPE_CONTROL_ROLLING_NUMBERS_H

#include "control/parts/number_table.h"

/* The numbers of the controller; tr_rolling_number_table describes them. */
typedef struct tr_rolling_numbers {
    double step_s, swing_s, lift_m, width_m, toe_out_rad, sway_share, start_s;
    double speed_mps, turn_radps;
    double lean_cost, lean_rate_cost, speed_cost, place_cost, spin_cost, tilt_cost, turn_cost;
    double shift_per_s, trunk_kgm2;
    double height_stiffness, height_damping;
    double yaw_stiffness, yaw_damping, yaw_kgm2;
    double posture_stiffness, posture_damping;
    double foot_stiffness, foot_damping, swing_stiffness, yaw_share;
    double margin_m, swing_nm, friction;
    double servo_damping, ankle_damping, strength_nm;
} tr_rolling_numbers;

enum { TR_ROLLING_NUMBERS = sizeof(tr_rolling_numbers) / sizeof(double) };
extern const tr_parameter_table tr_rolling_number_table;

#endif
