#include "control/torque/board/boarding_numbers.h"

#include "control/torque/shared_numbers.h"

#define AT(field) offsetof(tr_boarding_numbers, field)

static const tr_parameter row[TR_BOARDING_NUMBERS] = {
    {"ride_m", TR_REAL, AT(ride_m), -0.1, 0.5, "0.14",
     "place of the centroid ahead of the rear axle while all wheels roll"},
    {"kick_rad", TR_REAL, AT(kick_rad), 0, 1, "0.3", "largest turn of one kick"},
    {"near_rad", TR_REAL, AT(near_rad), 0.02, 3, "0.1",
     "kicks while the board is off its heading by more"},
    {"weave_rad", TR_REAL, AT(weave_rad), 0, 1, "0",
     "kicks to either side by turns, so far from the heading; 0: does not"},
    {"nose_rad", TR_REAL, AT(nose_rad), 0.01, 0.4, "0.1", "how high the nose is lifted"},
    {"shift_s", TR_REAL, AT(shift_s), 0.05, 3, "1",
     "longest time in which the centroid moves above the rear axle"},
    {"turn_s", TR_REAL, AT(turn_s), 0.05, 3, "0.45", "time of a kick with the nose up"},
    {"rest_s", TR_REAL, AT(rest_s), 0.05, 10, "0.8", "time on all wheels between kicks"},
    {"nose_stiffness", TR_REAL, AT(nose_stiffness), 0, 1000, "100",
     "pulls the nose to its height, 1/s2"},
    {"nose_damping", TR_REAL, AT(nose_damping), 0, 100, "20", "slows the nose, 1/s"},
    {"yaw_stiffness", TR_REAL, AT(yaw_stiffness), 0, 1000, "100",
     "turns the board in a kick, 1/s2"},
    {"yaw_damping", TR_REAL, AT(yaw_damping), 0, 100, "16", "slows that turn, 1/s"},
    {"place_stiffness", TR_REAL, AT(place_stiffness), 0, 400, "25",
     "pulls the centroid to its place across the board, 1/s2"},
    {"place_damping", TR_REAL, AT(place_damping), 0, 60, "10",
     "slows the centroid across the board, 1/s"},
    {"board_stiffness", TR_REAL, AT(board_stiffness), 0, 400, "50",
     "pulls the board under the centroid, 1/s2"},
    {"board_damping", TR_REAL, AT(board_damping), 0, 60, "14",
     "slows the board against the centroid, 1/s"},
    TR_BODY_NUMBERS(tr_boarding_numbers),
    {"foot_damping", TR_REAL, AT(foot_damping), 0, 60, "20", "slows soles against the board, 1/s"},
    {"side_m", TR_REAL, AT(side_m), 0, 0.2, "0.07",
     "how far the centre of pressure may be from the middle, across the board"},
    {"swing_nm", TR_REAL, AT(swing_nm), 0, 500, "90",
     "largest moment by which arms and trunk swing to help across the board"},
    TR_SERVO_NUMBERS(tr_boarding_numbers),
};

const tr_parameter_table tr_boarding_number_table = {.row = row, .count = TR_BOARDING_NUMBERS};

tr_boarding_numbers tr_boarding_numbers_default(void) {
    tr_boarding_numbers numbers;
    tr_parameter_reset(&tr_boarding_number_table, &numbers);
    return numbers;
}
