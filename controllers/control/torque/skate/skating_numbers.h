/* The numbers of a character that skates (skating.h). Plain data. */
#pragma once

#include "control/parts/number_table.h"
#include "control/torque/shared_numbers.h"

/* course_rate and what follows: of a board with trucks alone. */
#define TR_SKATING_LIST(N)                                                                         \
    N(speed_mps, 0, 3, "1.75",                                                                     \
      "pushes off while the board is slower, unless a target asks for another speed")              \
    N(push_n, 0, 200, "80", "force of a push along the board")                                     \
    N(push_s, 0.05, 1, "0.25", "longest push")                                                     \
    N(grip, 0.1, 1, "0.6",                                                                         \
      "force of a push along the ground, as a share of the load on the pushing foot")              \
    N(rest_s, 0, 10, "0.1", "time between strokes")                                                \
    N(reach_s, 0.1, 2, "0.35", "time in which the foot reaches the ground")                        \
    N(return_s, 0.1, 2, "0.45", "time in which the foot returns beside the board")                 \
    N(land_m, -0.5, 0.5, "0.25", "where the pushing foot lands, ahead of the standing one")        \
    N(leave_m, -0.5, 0.5, "-0.2",                                                                  \
      "where the pushing foot leaves the ground at the latest, ahead of the standing one")         \
    N(beside_m, 0.1, 0.5, "0.19", "how far the pushing foot is beside the standing one")           \
    N(lift_m, 0.02, 0.4, "0.1", "height of the pushing sole above the ground between strokes")     \
    N(lean_m, -0.1, 0.1, "0.03", "by how much farther ahead the centroid is held in a stroke")     \
    N(foot_stiffness, 10, 1000, "200",                                                             \
      "pulls the lifted foot to its place, 1/s2; its damping is critical")                         \
    N(foot_damping, 0, 60, "20", "slows soles against what they stand on, 1/s")                    \
    N(place_stiffness, 0, 400, "25", "pulls the centroid to its place across the board, 1/s2")     \
    N(place_damping, 0, 60, "10", "slows the centroid across the board, 1/s")                      \
    N(board_stiffness, 0, 400, "25", "pulls the board under the centroid, 1/s2")                   \
    N(board_damping, 0, 60, "10", "slows the board against the centroid, 1/s")                     \
    TR_BODY_NUMBERS(N)                                                                             \
    N(margin_m, -0.1, 0.1, "0.005",                                                                \
      "how far within the ends of the sole the centre of pressure stays")                          \
    N(side_margin_m, -0.1, 0.04, "-0.02",                                                          \
      "the same for its sides; below 0: beyond them, because the pin holds the foot")              \
    N(swing_nm, 0, 500, "90",                                                                      \
      "largest moment by which arms and trunk swing to help the foot across the board")            \
    TR_SERVO_NUMBERS(N)                                                                            \
    N(course_rate, 0, 5, "0.8", "how fast it turns to a heading, for its way off it, 1/s")         \
    N(course_radps, 0, 3, "0.5", "how fast it turns at most, rad/s")                               \
    N(course_m, 0, 0.1, "0.018",                                                                   \
      "how far the centre of pressure moves to the side to turn, at most")                         \
    N(maneuvers, 0, 1, "0",                                                                        \
      "1: its entries roll, push off, and turn to either side, for a scheduler to choose")

typedef struct tr_skating_numbers {
    TR_SKATING_LIST(TR_NUMBER_MEMBER)
} tr_skating_numbers;

/* The numbers that a board without trucks has come first. */
enum {
    TR_SKATING_NUMBERS = sizeof(tr_skating_numbers) / sizeof(double),
    TR_SKATING_STRAIGHT_NUMBERS = offsetof(tr_skating_numbers, course_rate) / sizeof(double)
};
extern const tr_parameter_table tr_skating_number_table;
