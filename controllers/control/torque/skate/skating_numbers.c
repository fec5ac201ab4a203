#include "control/torque/skate/skating_numbers.h"

#define AT(field) offsetof(tr_skating_numbers, field)

static const tr_number_row row[TR_SKATING_NUMBERS] = {
    {"speed_mps", "pushes off while the board is slower, unless a target asks for another speed", 0,
     3, 1.75, AT(speed_mps)},
    {"push_n", "force of a push along the board", 0, 200, 80, AT(push_n)},
    {"push_s", "longest push", 0.05, 1, 0.25, AT(push_s)},
    {"grip", "force of a push along the ground, as a share of the load on the pushing foot", 0.1, 1,
     0.6, AT(grip)},
    {"rest_s", "time between strokes", 0, 10, 0.1, AT(rest_s)},
    {"reach_s", "time in which the foot reaches the ground", 0.1, 2, 0.35, AT(reach_s)},
    {"return_s", "time in which the foot returns beside the board", 0.1, 2, 0.45, AT(return_s)},
    {"land_m", "where the pushing foot lands, ahead of the standing one", -0.5, 0.5, 0.25,
     AT(land_m)},
    {"leave_m", "where the pushing foot leaves the ground at the latest, ahead of the standing one",
     -0.5, 0.5, -0.2, AT(leave_m)},
    {"beside_m", "how far the pushing foot is beside the standing one", 0.1, 0.5, 0.19,
     AT(beside_m)},
    {"lift_m", "height of the pushing sole above the ground between strokes", 0.02, 0.4, 0.1,
     AT(lift_m)},
    {"lean_m", "by how much farther ahead the centroid is held in a stroke", -0.1, 0.1, 0.03,
     AT(lean_m)},
    {"foot_stiffness", "pulls the lifted foot to its place, 1/s2; its damping is critical", 10,
     1000, 200, AT(foot_stiffness)},
    {"foot_damping", "slows soles against what they stand on, 1/s", 0, 60, 20, AT(foot_damping)},
    {"place_stiffness", "pulls the centroid to its place across the board, 1/s2", 0, 400, 25,
     AT(place_stiffness)},
    {"place_damping", "slows the centroid across the board, 1/s", 0, 60, 10, AT(place_damping)},
    {"board_stiffness", "pulls the board under the centroid, 1/s2", 0, 400, 25,
     AT(board_stiffness)},
    {"board_damping", "slows the board against the centroid, 1/s", 0, 60, 10, AT(board_damping)},
    {"height_stiffness", "pulls the centroid to its height, 1/s2", 0, 400, 60,
     AT(height_stiffness)},
    {"height_damping", "slows the centroid up and down, 1/s", 0, 60, 15, AT(height_damping)},
    {"turn_damping", "ends angular momentum, 1/s", 0, 60, 5, AT(turn_damping)},
    {"turn_softness", "how much the posture counts against turn_damping; 0: nothing", 0, 1000, 1,
     AT(turn_softness)},
    {"posture_stiffness", "pulls joints and root to the stance, 1/s2", 0, 400, 50,
     AT(posture_stiffness)},
    {"posture_damping", "slows joints and root, 1/s", 0, 60, 12, AT(posture_damping)},
    {"margin_m", "how far within the ends of the sole the centre of pressure stays", -0.1, 0.1,
     0.005, AT(margin_m)},
    {"side_margin_m",
     "the same for its sides; below 0: beyond them, because the pin holds the foot", -0.1, 0.04,
     -0.02, AT(side_margin_m)},
    {"swing_nm", "largest moment by which arms and trunk swing to help the foot across the board",
     0, 500, 90, AT(swing_nm)},
    {"servo_damping", "damping of joints against the planned rates, N m s/rad", 0, 100, 5,
     AT(servo_damping)},
    {"strength_nm", "largest torque about an axis of a joint", 10, 1000, 300, AT(strength_nm)},
    {"course_rate", "how fast it turns to a heading, for its way off it, 1/s", 0, 5, 0.8,
     AT(course_rate)},
    {"course_radps", "how fast it turns at most, rad/s", 0, 3, 0.5, AT(course_radps)},
    {"course_m", "how far the centre of pressure moves to the side to turn, at most", 0, 0.1, 0.018,
     AT(course_m)},
};

const tr_number_table tr_skating_number_table = {"skating", row, TR_SKATING_NUMBERS};

tr_skating_numbers tr_skating_numbers_default(void) {
    tr_skating_numbers numbers;
    tr_number_table_reset(&tr_skating_number_table, &numbers);
    return numbers;
}
