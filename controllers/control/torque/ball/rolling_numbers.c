#include "control/torque/ball/rolling_numbers.h"

#include "control/torque/shared_numbers.h"

#define NUMBER(field, ...) TR_SUPPORT_NUMBER(tr_rolling_numbers, field, __VA_ARGS__)

static const tr_parameter row[TR_ROLLING_NUMBERS] = {
    NUMBER(step_s, 0, 2, "0.35", "time of a step; 0: it stands on both feet"),
    NUMBER(swing_s, 0.1, 1, "0.2", "time in which a foot is lifted and set down"),
    NUMBER(lift_m, 0.01, 0.3, "0.05", "height to which a foot is lifted over the ball"),
    NUMBER(width_m, 0.05, 0.4, "0.12", "distance of the feet from each other"),
    NUMBER(toe_out_rad, 0, 1, "0", "by which feet point outwards"),
    NUMBER(sway_share, 0.1, 1, "0.8",
           "of the sway with which the pressure reaches the middle of the bearing foot"),
    NUMBER(start_s, 0, 10, "0.5", "time in which swaying grows, before the first step"),
    NUMBER(speed_mps, -0.5, 0.5, "0",
           "how fast the ball rolls ahead, unless a target asks for another speed"),
    NUMBER(turn_radps, 0, 2, "0.15", "how fast the character turns to a heading"),
    NUMBER(lean_cost, 0, 1000, "0", "of the centroid away from the middle of the ball, 1"),
    NUMBER(lean_rate_cost, 0, 1000, "0", "of its speed, s2"),
    NUMBER(speed_cost, 0, 1000, "0.1", "of the speed of the ball, s2"),
    NUMBER(place_cost, 0, 1000, "2", "of feet away from their place on the ball, 1"),
    NUMBER(spin_cost, 0, 1000, "0.02", "of angular momentum by mass and height, s2"),
    NUMBER(tilt_cost, 0, 1000, "0.01", "of the tilt of the trunk, m2"),
    NUMBER(turn_cost, 1e-6, 1000, "0.002",
           "of the rate of angular momentum by mass and height, s4"),
    NUMBER(shift_per_s, 1, 200, "50", "rate at which the centre of pressure follows its goal, 1/s"),
    NUMBER(trunk_kgm2, 0.1, 100, "6", "moment of inertia of what tilts"),
    NUMBER(height_stiffness, 0, 400, "60", "pulls the centroid to its height, 1/s2"),
    NUMBER(height_damping, 0, 60, "15", "slows the centroid up and down, 1/s"),
    NUMBER(yaw_stiffness, 0, 400, "5", "turns the trunk to the heading, 1/s2"),
    NUMBER(yaw_damping, 0, 60, "5", "slows it about the vertical, 1/s"),
    NUMBER(yaw_kgm2, 0.1, 100, "1.5", "moment of inertia about the vertical"),
    NUMBER(posture_stiffness, 0, 400, "60", "pulls joints and root to the stance, 1/s2"),
    NUMBER(posture_damping, 0, 60, "14", "slows joints and root, 1/s"),
    NUMBER(foot_stiffness, 0, 10000, "2500",
           "tilts feet that stand towards the centre of pressure, 1/s2"),
    NUMBER(foot_damping, 0, 200, "70", "slows feet that stand against the ball, 1/s"),
    NUMBER(swing_stiffness, 10, 2000, "400",
           "turns the lifted foot, 1/s2; its damping is critical"),
    NUMBER(yaw_share, 0, 1, "0.2", "of foot_stiffness, for the heading of feet that stand"),
    NUMBER(margin_m, 0, 0.04, "0.002", "how far within the soles the centre of pressure stays"),
    NUMBER(swing_nm, 0, 500, "60", "largest moment by which arms and trunk swing to help the feet"),
    NUMBER(friction, 0.05, 2, "0.6", "forces along the ball stay within this share of the load"),
    NUMBER(servo_damping, 0, 100, "5", "damping of joints against the planned rates, N m s/rad"),
    NUMBER(ankle_damping, 0.1, 100, "1", "the same for ankles"),
    NUMBER(strength_nm, 10, 1000, "300", "largest torque about an axis of a joint"),
};

const tr_parameter_table tr_rolling_number_table = {.row = row, .count = TR_ROLLING_NUMBERS};
