#include "control/torque/board/boarding_numbers.h"

#define AT(field) offsetof(tr_boarding_numbers, field)

static const tr_number_row row[TR_BOARDING_NUMBERS] = {
    {"ride_m", "place of the centroid ahead of the rear axle while all wheels roll", -0.1, 0.5,
     0.14, AT(ride_m)},
    {"kick_rad", "largest turn of one kick", 0, 1, 0.3, AT(kick_rad)},
    {"near_rad", "kicks while the board is off its heading by more", 0.02, 3, 0.1, AT(near_rad)},
    {"weave_rad", "kicks to either side by turns, so far from the heading; 0: does not", 0, 1, 0,
     AT(weave_rad)},
    {"nose_rad", "how high the nose is lifted", 0.01, 0.4, 0.1, AT(nose_rad)},
    {"shift_s", "longest time in which the centroid moves above the rear axle", 0.05, 3, 1,
     AT(shift_s)},
    {"turn_s", "time of a kick with the nose up", 0.05, 3, 0.45, AT(turn_s)},
    {"rest_s", "time on all wheels between kicks", 0.05, 10, 0.8, AT(rest_s)},
    {"nose_stiffness", "pulls the nose to its height, 1/s2", 0, 1000, 100, AT(nose_stiffness)},
    {"nose_damping", "slows the nose, 1/s", 0, 100, 20, AT(nose_damping)},
    {"yaw_stiffness", "turns the board in a kick, 1/s2", 0, 1000, 100, AT(yaw_stiffness)},
    {"yaw_damping", "slows that turn, 1/s", 0, 100, 16, AT(yaw_damping)},
    {"place_stiffness", "pulls the centroid to its place across the board, 1/s2", 0, 400, 25,
     AT(place_stiffness)},
    {"place_damping", "slows the centroid across the board, 1/s", 0, 60, 10, AT(place_damping)},
    {"board_stiffness", "pulls the board under the centroid, 1/s2", 0, 400, 50,
     AT(board_stiffness)},
    {"board_damping", "slows the board against the centroid, 1/s", 0, 60, 14, AT(board_damping)},
    {"height_stiffness", "pulls the centroid to its height, 1/s2", 0, 400, 60,
     AT(height_stiffness)},
    {"height_damping", "slows the centroid up and down, 1/s", 0, 60, 15, AT(height_damping)},
    {"turn_damping", "ends angular momentum, 1/s", 0, 60, 5, AT(turn_damping)},
    {"turn_softness", "how much the posture counts against turn_damping; 0: nothing", 0, 1000, 1,
     AT(turn_softness)},
    {"posture_stiffness", "pulls joints and root to the stance, 1/s2", 0, 400, 50,
     AT(posture_stiffness)},
    {"posture_damping", "slows joints and root, 1/s", 0, 60, 12, AT(posture_damping)},
    {"foot_damping", "slows soles against the board, 1/s", 0, 60, 20, AT(foot_damping)},
    {"side_m", "how far the centre of pressure may be from the middle, across the board", 0, 0.2,
     0.07, AT(side_m)},
    {"swing_nm", "largest moment by which arms and trunk swing to help across the board", 0, 500,
     90, AT(swing_nm)},
    {"servo_damping", "damping of joints against the planned rates, N m s/rad", 0, 100, 5,
     AT(servo_damping)},
    {"strength_nm", "largest torque about an axis of a joint", 10, 1000, 300, AT(strength_nm)},
};

const tr_number_table tr_boarding_number_table = {"boarding", row, TR_BOARDING_NUMBERS};

tr_boarding_numbers tr_boarding_numbers_default(void) {
    tr_boarding_numbers numbers;
    tr_number_table_reset(&tr_boarding_number_table, &numbers);
    return numbers;
}
