#include "control/torque/ball/rolling_numbers.h"

#define AT(field) offsetof(tr_rolling_numbers, field)

static const tr_parameter row[TR_ROLLING_NUMBERS] = {
    {"step_s", TR_REAL, AT(step_s), 0, 2, "0.35", "time of a step; 0: it stands on both feet"},
    {"swing_s", TR_REAL, AT(swing_s), 0.1, 1, "0.2", "time in which a foot is lifted and set down"},
    {"lift_m", TR_REAL, AT(lift_m), 0.01, 0.3, "0.05",
     "height to which a foot is lifted over the ball"},
    {"width_m", TR_REAL, AT(width_m), 0.05, 0.4, "0.12", "distance of the feet from each other"},
    {"toe_out_rad", TR_REAL, AT(toe_out_rad), 0, 1, "0", "by which feet point outwards"},
    {"sway_share", TR_REAL, AT(sway_share), 0.1, 1, "0.8",
     "of the sway with which the pressure reaches the middle of the bearing foot"},
    {"start_s", TR_REAL, AT(start_s), 0, 10, "0.5",
     "time in which swaying grows, before the first step"},
    {"speed_mps", TR_REAL, AT(speed_mps), -0.5, 0.5, "0",
     "how fast the ball rolls ahead, unless a target asks for another speed"},
    {"turn_radps", TR_REAL, AT(turn_radps), 0, 2, "0.15",
     "how fast the character turns to a heading"},
    {"lean_cost", TR_REAL, AT(lean_cost), 0, 1000, "0",
     "of the centroid away from the middle of the ball, 1"},
    {"lean_rate_cost", TR_REAL, AT(lean_rate_cost), 0, 1000, "0", "of its speed, s2"},
    {"speed_cost", TR_REAL, AT(speed_cost), 0, 1000, "0.1", "of the speed of the ball, s2"},
    {"place_cost", TR_REAL, AT(place_cost), 0, 1000, "2",
     "of feet away from their place on the ball, 1"},
    {"spin_cost", TR_REAL, AT(spin_cost), 0, 1000, "0.02",
     "of angular momentum by mass and height, s2"},
    {"tilt_cost", TR_REAL, AT(tilt_cost), 0, 1000, "0.01", "of the tilt of the trunk, m2"},
    {"turn_cost", TR_REAL, AT(turn_cost), 1e-6, 1000, "0.002",
     "of the rate of angular momentum by mass and height, s4"},
    {"shift_per_s", TR_REAL, AT(shift_per_s), 1, 200, "50",
     "rate at which the centre of pressure follows its goal, 1/s"},
    {"trunk_kgm2", TR_REAL, AT(trunk_kgm2), 0.1, 100, "6", "moment of inertia of what tilts"},
    {"height_stiffness", TR_REAL, AT(height_stiffness), 0, 400, "60",
     "pulls the centroid to its height, 1/s2"},
    {"height_damping", TR_REAL, AT(height_damping), 0, 60, "15",
     "slows the centroid up and down, 1/s"},
    {"yaw_stiffness", TR_REAL, AT(yaw_stiffness), 0, 400, "5",
     "turns the trunk to the heading, 1/s2"},
    {"yaw_damping", TR_REAL, AT(yaw_damping), 0, 60, "5", "slows it about the vertical, 1/s"},
    {"yaw_kgm2", TR_REAL, AT(yaw_kgm2), 0.1, 100, "1.5", "moment of inertia about the vertical"},
    {"posture_stiffness", TR_REAL, AT(posture_stiffness), 0, 400, "60",
     "pulls joints and root to the stance, 1/s2"},
    {"posture_damping", TR_REAL, AT(posture_damping), 0, 60, "14", "slows joints and root, 1/s"},
    {"foot_stiffness", TR_REAL, AT(foot_stiffness), 0, 10000, "2500",
     "tilts feet that stand towards the centre of pressure, 1/s2"},
    {"foot_damping", TR_REAL, AT(foot_damping), 0, 200, "70",
     "slows feet that stand against the ball, 1/s"},
    {"swing_stiffness", TR_REAL, AT(swing_stiffness), 10, 2000, "400",
     "turns the lifted foot, 1/s2; its damping is critical"},
    {"yaw_share", TR_REAL, AT(yaw_share), 0, 1, "0.2",
     "of foot_stiffness, for the heading of feet that stand"},
    {"margin_m", TR_REAL, AT(margin_m), 0, 0.04, "0.002",
     "how far within the soles the centre of pressure stays"},
    {"swing_nm", TR_REAL, AT(swing_nm), 0, 500, "60",
     "largest moment by which arms and trunk swing to help the feet"},
    {"friction", TR_REAL, AT(friction), 0.05, 2, "0.6",
     "forces along the ball stay within this share of the load"},
    {"servo_damping", TR_REAL, AT(servo_damping), 0, 100, "5",
     "damping of joints against the planned rates, N m s/rad"},
    {"ankle_damping", TR_REAL, AT(ankle_damping), 0.1, 100, "1", "the same for ankles"},
    {"strength_nm", TR_REAL, AT(strength_nm), 10, 1000, "300",
     "largest torque about an axis of a joint"},
};

const tr_parameter_table tr_rolling_number_table = {.row = row, .count = TR_ROLLING_NUMBERS};

tr_rolling_numbers tr_rolling_numbers_default(void) {
    tr_rolling_numbers numbers;
    tr_parameter_reset(&tr_rolling_number_table, &numbers);
    return numbers;
}
