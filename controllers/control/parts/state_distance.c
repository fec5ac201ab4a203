#include "control/parts/state_distance.h"

#include <math.h>

/* Typical spreads; state_distance.h. */
static const double ANGLE_RAD = 0.3, RATE_RAD_PER_S = 3, SPEED_MPS = 0.5;
static const double HEIGHT_M = 0.1, TILT_RAD = 0.2, TURN_RAD_PER_S = 1;

double tr_state_distance(const tr_model *model, const tr_state *a, const tr_state *b) {
    double sum = 0, height = (a->pose.root_pos.z - b->pose.root_pos.z) / HEIGHT_M;
    double heading_a = tr_quat_heading(a->pose.root_rot),
           heading_b = tr_quat_heading(b->pose.root_rot);
    tr_quat tilt_a = tr_quat_mul(tr_quat_from_heading(-heading_a), a->pose.root_rot);
    tr_quat tilt_b = tr_quat_mul(tr_quat_from_heading(-heading_b), b->pose.root_rot);
    double tilt = tr_quat_angle(tilt_a, tilt_b) / TILT_RAD;
    double speed = tr_vec3_distance(tr_vec3_to_heading(a->root_vel, heading_a),
                                    tr_vec3_to_heading(b->root_vel, heading_b)) /
                   SPEED_MPS;
    for (int i = 1; i < model->body_count; i++) {
        double angle = tr_quat_angle(a->pose.joint[i], b->pose.joint[i]) / ANGLE_RAD;
        double rate = tr_vec3_distance(a->joint_rate[i], b->joint_rate[i]) / RATE_RAD_PER_S;
        sum += (angle * angle + rate * rate) / (model->body_count - 1);
    }
    return sqrt((sum + height * height + tilt * tilt + speed * speed) / 5);
}

double tr_state_motion(const tr_model *model, const tr_state *state) {
    double speed = tr_vec3_length(state->root_vel) / SPEED_MPS;
    double turn = tr_vec3_length(state->root_omega) / TURN_RAD_PER_S;
    double sum = speed * speed + turn * turn;
    for (int i = 1; i < model->body_count; i++) {
        double rate = tr_vec3_length(state->joint_rate[i]) / RATE_RAD_PER_S;
        sum += rate * rate / (model->body_count - 1);
    }
    return sqrt(sum / 3);
}
