/* The numbers of a character that steps on a ball (rolling.h). Plain data. */
#pragma once

#include "control/parts/number_table.h"
#include "control/torque/shared_numbers.h"

#define TR_ROLLING_LIST(N)                                                                         \
    N(step_s, 0, 2, "0.35", "time of a step; 0: it stands on both feet")                           \
    N(swing_s, 0.1, 1, "0.2", "time in which a foot is lifted and set down")                       \
    N(lift_m, 0.01, 0.3, "0.05", "height to which a foot is lifted over the ball")                 \
    N(width_m, 0.05, 0.4, "0.12", "distance of the feet from each other")                          \
    N(toe_out_rad, 0, 1, "0", "by which feet point outwards")                                      \
    N(sway_share, 0.1, 1, "0.8",                                                                   \
      "of the sway with which the pressure reaches the middle of the bearing foot")                \
    N(start_s, 0, 10, "0.5", "time in which swaying grows, before the first step")                 \
    N(speed_mps, -0.5, 0.5, "0",                                                                   \
      "how fast the ball rolls ahead, unless a target asks for another speed")                     \
    N(turn_radps, 0, 2, "0.15", "how fast the character turns to a heading")                       \
    N(lean_cost, 0, 1000, "0", "of the centroid away from the middle of the ball, 1")              \
    N(lean_rate_cost, 0, 1000, "0", "of its speed, s2")                                            \
    N(speed_cost, 0, 1000, "0.1", "of the speed of the ball, s2")                                  \
    N(place_cost, 0, 1000, "2", "of feet away from their place on the ball, 1")                    \
    N(spin_cost, 0, 1000, "0.02", "of angular momentum by mass and height, s2")                    \
    N(tilt_cost, 0, 1000, "0.01", "of the tilt of the trunk, m2")                                  \
    N(turn_cost, 1e-6, 1000, "0.002", "of the rate of angular momentum by mass and height, s4")    \
    N(shift_per_s, 1, 200, "50", "rate at which the centre of pressure follows its goal, 1/s")     \
    N(trunk_kgm2, 0.1, 100, "6", "moment of inertia of what tilts")                                \
    N(height_stiffness, 0, 400, "60", "pulls the centroid to its height, 1/s2")                    \
    N(height_damping, 0, 60, "15", "slows the centroid up and down, 1/s")                          \
    N(yaw_stiffness, 0, 400, "5", "turns the trunk to the heading, 1/s2")                          \
    N(yaw_damping, 0, 60, "5", "slows it about the vertical, 1/s")                                 \
    N(yaw_kgm2, 0.1, 100, "1.5", "moment of inertia about the vertical")                           \
    N(posture_stiffness, 0, 400, "60", "pulls joints and root to the stance, 1/s2")                \
    N(posture_damping, 0, 60, "14", "slows joints and root, 1/s")                                  \
    N(foot_stiffness, 0, 10000, "2500",                                                            \
      "tilts feet that stand towards the centre of pressure, 1/s2")                                \
    N(foot_damping, 0, 200, "70", "slows feet that stand against the ball, 1/s")                   \
    N(swing_stiffness, 10, 2000, "400", "turns the lifted foot, 1/s2; its damping is critical")    \
    N(yaw_share, 0, 1, "0.2", "of foot_stiffness, for the heading of feet that stand")             \
    N(margin_m, 0, 0.04, "0.002", "how far within the soles the centre of pressure stays")         \
    N(swing_nm, 0, 500, "60", "largest moment by which arms and trunk swing to help the feet")     \
    N(friction, 0.05, 2, "0.6", "forces along the ball stay within this share of the load")        \
    N(servo_damping, 0, 100, "5", "damping of joints against the planned rates, N m s/rad")        \
    N(ankle_damping, 0.1, 100, "1", "the same for ankles")                                         \
    N(strength_nm, 10, 1000, "300", "largest torque about an axis of a joint")

typedef struct tr_rolling_numbers {
    TR_ROLLING_LIST(TR_NUMBER_MEMBER)
} tr_rolling_numbers;

enum { TR_ROLLING_NUMBERS = sizeof(tr_rolling_numbers) / sizeof(double) };
extern const tr_parameter_table tr_rolling_number_table;
