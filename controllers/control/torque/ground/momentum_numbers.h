/* The numbers of the momentum controller (momentum_step.h), and its stance seen from the feet. Plain data;
 * pure functions. */
#pragma once

#include "control/parts/foothold.h"
#include "control/parts/number_table.h"
#include "control/torque/shared_numbers.h"

#define TR_MOMENTUM_LIST(N)                                                                        \
    N(place_stiffness, 0, 400, "25", "pulls the centroid over its place above the feet, 1/s2")     \
    N(place_damping, 0, 60, "10", "slows the centroid along the ground, 1/s")                      \
    TR_BODY_NUMBERS(N)                                                                             \
    N(ahead_m, -0.1, 0.1, "0.055", "how far in front of the stance's centroid it is held")         \
    N(margin_m, 0, 0.04, "0.005", "how far within the soles the centre of pressure stays")         \
    N(swing_nm, 0, 500, "90", "largest moment by which arms and trunk swing to help the feet")     \
    N(friction, 0.05, 2, "0.7", "the force stays within the cone of this coefficient")             \
    N(foot_damping, 0, 60, "20", "slows feet that stand, 1/s")                                     \
    N(observe_s, 0.02, 100, "0.04", "time constant of the estimated force from outside")           \
    TR_SERVO_NUMBERS(N)

typedef struct tr_momentum_numbers {
    TR_MOMENTUM_LIST(TR_NUMBER_MEMBER)
} tr_momentum_numbers;

enum { TR_MOMENTUM_NUMBERS = sizeof(tr_momentum_numbers) / sizeof(double) };
extern const tr_parameter_table tr_momentum_number_table;

/* The centroid and the root of a stance, seen from the feet: the frame of tr_foothold, with
 * the heading of the feet, at the middle of the soles. */
typedef struct tr_momentum_stance {
    tr_vec3 centroid;
    tr_quat root_rot;
} tr_momentum_stance;

/* false: the pose stands on no foot, because its soles are above its feet. */
bool tr_momentum_stance_of(const tr_model *model, const tr_foot_sole sole[2], const tr_pose *pose,
                           tr_momentum_stance *out);
