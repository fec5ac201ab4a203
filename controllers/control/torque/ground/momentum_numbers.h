/* The numbers of the momentum controller (momentum_step.h), and its stance seen from the feet. Plain data;
 * pure functions. */
#ifndef TROUPE_CONTROL_MOMENTUM_NUMBERS_H
#define TROUPE_CONTROL_MOMENTUM_NUMBERS_H

#include "control/parts/foothold.h"
#include "control/parts/number_table.h"

/* The numbers of the controller; tr_momentum_number_table describes them. */
typedef struct tr_momentum_numbers {
    double place_stiffness, place_damping;
    double height_stiffness, height_damping;
    double turn_damping, turn_softness;
    double posture_stiffness, posture_damping;
    double ahead_m, margin_m;
    double swing_nm, friction, foot_damping;
    double observe_s;
    double servo_damping, strength_nm;
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

#endif
