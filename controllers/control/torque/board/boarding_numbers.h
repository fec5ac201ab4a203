/* The numbers of a character that rides a board with both feet (boarding.h). Plain data. */
#pragma once

#include "control/parts/number_table.h"
#include "control/torque/shared_numbers.h"

#define TR_BOARDING_LIST(N)                                                                        \
    N(ride_m, -0.1, 0.5, "0.14",                                                                   \
      "place of the centroid ahead of the rear axle while all wheels roll")                        \
    N(kick_rad, 0, 1, "0.3", "largest turn of one kick")                                           \
    N(near_rad, 0.02, 3, "0.1", "kicks while the board is off its heading by more")                \
    N(weave_rad, 0, 1, "0",                                                                        \
      "kicks to either side by turns, so far from the heading; not with maneuvers")                \
    N(nose_rad, 0.01, 0.4, "0.1", "how high the nose is lifted")                                   \
    N(shift_s, 0.05, 3, "1", "longest time in which the centroid moves above the rear axle")       \
    N(turn_s, 0.05, 3, "0.45", "time of a kick with the nose up")                                  \
    N(rest_s, 0.05, 10, "0.8", "time on all wheels between kicks")                                 \
    N(nose_stiffness, 0, 1000, "100", "pulls the nose to its height, 1/s2")                        \
    N(nose_damping, 0, 100, "20", "slows the nose, 1/s")                                           \
    N(yaw_stiffness, 0, 1000, "100", "turns the board in a kick, 1/s2")                            \
    N(yaw_damping, 0, 100, "16", "slows that turn, 1/s")                                           \
    N(place_stiffness, 0, 400, "25", "pulls the centroid to its place across the board, 1/s2")     \
    N(place_damping, 0, 60, "10", "slows the centroid across the board, 1/s")                      \
    N(board_stiffness, 0, 400, "50", "pulls the board under the centroid, 1/s2")                   \
    N(board_damping, 0, 60, "14", "slows the board against the centroid, 1/s")                     \
    TR_BODY_NUMBERS(N)                                                                             \
    N(foot_damping, 0, 60, "20", "slows soles against the board, 1/s")                             \
    N(side_m, 0, 0.2, "0.07",                                                                      \
      "how far the centre of pressure may be from the middle, across the board")                   \
    N(swing_nm, 0, 500, "90",                                                                      \
      "largest moment by which arms and trunk swing to help across the board")                     \
    TR_SERVO_NUMBERS(N)                                                                            \
    N(maneuvers, 0, 1, "0", "1: for a scheduler, entries that ride, or kick to either side")

typedef struct tr_boarding_numbers {
    TR_BOARDING_LIST(TR_NUMBER_MEMBER)
} tr_boarding_numbers;

enum { TR_BOARDING_NUMBERS = sizeof(tr_boarding_numbers) / sizeof(double) };
extern const tr_parameter_table tr_boarding_number_table;
