#include "control/torque/ball/rolling_numbers.h"

#define AT(field) offsetof(tr_rolling_numbers, field)

static const tr_number_row row[TR_ROLLING_NUMBERS] = {
    {"step_s", "time of a step; 0: it stands on both feet", 0, 2, 0.35, AT(step_s)},
    {"swing_s", "time in which a foot is lifted and set down", 0.1, 1, 0.2, AT(swing_s)},
    {"lift_m", "height to which a foot is lifted over the ball", 0.01, 0.3, 0.05, AT(lift_m)},
    {"width_m", "distance of the feet from each other", 0.05, 0.4, 0.12, AT(width_m)},
    {"toe_out_rad", "by which feet point outwards", 0, 1, 0, AT(toe_out_rad)},
    {"sway_share", "of the sway with which the pressure reaches the middle of the bearing foot",
     0.1, 1, 0.8, AT(sway_share)},
    {"start_s", "time in which swaying grows, before the first step", 0, 10, 0.5, AT(start_s)},
    {"speed_mps", "how fast the ball rolls ahead, unless a target asks for another speed", -0.5,
     0.5, 0, AT(speed_mps)},
    {"turn_radps", "how fast the character turns to a heading", 0, 2, 0.15, AT(turn_radps)},
    {"lean_cost", "of the centroid away from the middle of the ball, 1", 0, 1000, 0, AT(lean_cost)},
    {"lean_rate_cost", "of its speed, s2", 0, 1000, 0, AT(lean_rate_cost)},
    {"speed_cost", "of the speed of the ball, s2", 0, 1000, 0.1, AT(speed_cost)},
    {"place_cost", "of feet away from their place on the ball, 1", 0, 1000, 2, AT(place_cost)},
    {"spin_cost", "of angular momentum by mass and height, s2", 0, 1000, 0.02, AT(spin_cost)},
    {"tilt_cost", "of the tilt of the trunk, m2", 0, 1000, 0.01, AT(tilt_cost)},
    {"turn_cost", "of the rate of angular momentum by mass and height, s4", 1e-6, 1000, 0.002,
     AT(turn_cost)},
    {"shift_per_s", "rate at which the centre of pressure follows its goal, 1/s", 1, 200, 50,
     AT(shift_per_s)},
    {"trunk_kgm2", "moment of inertia of what tilts", 0.1, 100, 6, AT(trunk_kgm2)},
    {"height_stiffness", "pulls the centroid to its height, 1/s2", 0, 400, 60,
     AT(height_stiffness)},
    {"height_damping", "slows the centroid up and down, 1/s", 0, 60, 15, AT(height_damping)},
    {"yaw_stiffness", "turns the trunk to the heading, 1/s2", 0, 400, 5, AT(yaw_stiffness)},
    {"yaw_damping", "slows it about the vertical, 1/s", 0, 60, 5, AT(yaw_damping)},
    {"yaw_kgm2", "moment of inertia about the vertical", 0.1, 100, 1.5, AT(yaw_kgm2)},
    {"posture_stiffness", "pulls joints and root to the stance, 1/s2", 0, 400, 60,
     AT(posture_stiffness)},
    {"posture_damping", "slows joints and root, 1/s", 0, 60, 14, AT(posture_damping)},
    {"foot_stiffness", "tilts feet that stand towards the centre of pressure, 1/s2", 0, 10000, 2500,
     AT(foot_stiffness)},
    {"foot_damping", "slows feet that stand against the ball, 1/s", 0, 200, 70, AT(foot_damping)},
    {"swing_stiffness", "turns the lifted foot, 1/s2; its damping is critical", 10, 2000, 400,
     AT(swing_stiffness)},
    {"yaw_share", "of foot_stiffness, for the heading of feet that stand", 0, 1, 0.2,
     AT(yaw_share)},
    {"margin_m", "how far within the soles the centre of pressure stays", 0, 0.04, 0.002,
     AT(margin_m)},
    {"swing_nm", "largest moment by which arms and trunk swing to help the feet", 0, 500, 60,
     AT(swing_nm)},
    {"friction", "forces along the ball stay within this share of the load", 0.05, 2, 0.6,
     AT(friction)},
    {"servo_damping", "damping of joints against the planned rates, N m s/rad", 0, 100, 5,
     AT(servo_damping)},
    {"ankle_damping", "the same for ankles", 0.1, 100, 1, AT(ankle_damping)},
    {"strength_nm", "largest torque about an axis of a joint", 10, 1000, 300, AT(strength_nm)},
};

const tr_number_table tr_rolling_number_table = {"rolling", row, TR_ROLLING_NUMBERS};

tr_rolling_numbers tr_rolling_numbers_default(void) {
    tr_rolling_numbers numbers;
    tr_number_table_reset(&tr_rolling_number_table, &numbers);
    return numbers;
}
