#include "control/torque/board/boarding_numbers.h"

#include "control/torque/shared_numbers.h"

#define NUMBER(field, ...) TR_SUPPORT_NUMBER(tr_boarding_numbers, field, __VA_ARGS__)

static const tr_parameter row[TR_BOARDING_NUMBERS] = {
    NUMBER(ride_m, -0.1, 0.5, "0.14",
           "place of the centroid ahead of the rear axle while all wheels roll"),
    NUMBER(kick_rad, 0, 1, "0.3", "largest turn of one kick"),
    NUMBER(near_rad, 0.02, 3, "0.1", "kicks while the board is off its heading by more"),
    NUMBER(weave_rad, 0, 1, "0",
           "kicks to either side by turns, so far from the heading; 0: does not"),
    NUMBER(nose_rad, 0.01, 0.4, "0.1", "how high the nose is lifted"),
    NUMBER(shift_s, 0.05, 3, "1", "longest time in which the centroid moves above the rear axle"),
    NUMBER(turn_s, 0.05, 3, "0.45", "time of a kick with the nose up"),
    NUMBER(rest_s, 0.05, 10, "0.8", "time on all wheels between kicks"),
    NUMBER(nose_stiffness, 0, 1000, "100", "pulls the nose to its height, 1/s2"),
    NUMBER(nose_damping, 0, 100, "20", "slows the nose, 1/s"),
    NUMBER(yaw_stiffness, 0, 1000, "100", "turns the board in a kick, 1/s2"),
    NUMBER(yaw_damping, 0, 100, "16", "slows that turn, 1/s"),
    NUMBER(place_stiffness, 0, 400, "25", "pulls the centroid to its place across the board, 1/s2"),
    NUMBER(place_damping, 0, 60, "10", "slows the centroid across the board, 1/s"),
    NUMBER(board_stiffness, 0, 400, "50", "pulls the board under the centroid, 1/s2"),
    NUMBER(board_damping, 0, 60, "14", "slows the board against the centroid, 1/s"),
    TR_BODY_NUMBERS(tr_boarding_numbers),
    NUMBER(foot_damping, 0, 60, "20", "slows soles against the board, 1/s"),
    NUMBER(side_m, 0, 0.2, "0.07",
           "how far the centre of pressure may be from the middle, across the board"),
    NUMBER(swing_nm, 0, 500, "90",
           "largest moment by which arms and trunk swing to help across the board"),
    TR_SERVO_NUMBERS(tr_boarding_numbers),
};

const tr_parameter_table tr_boarding_number_table = {.row = row, .count = TR_BOARDING_NUMBERS};
