#include "control/parts/drive_by_plan.h"

#include "math/elementary.h"

static double damping_of(const tr_model *model, const tr_planned_servo *servo, int body) {
    const bool foot = body == model->foot[0] || body == model->foot[1];
    return foot && servo->feet_damping > 0 ? servo->feet_damping : servo->damping;
}

/* Sends the torques ahead, so that the damping acts only against what differs from the plan: the
 * law of the servo has the rate at the end of the step. */
void tr_drive_by_plan(const tr_dynamics *dynamics, const double *accel,
                      const tr_planned_servo *servo, tr_drive *out) {
    const tr_model *model = dynamics->model;
    const tr_gain_set *set = &model->gain_set[tr_model_find_gain_set(model, servo->gain_set)];
    out->gain_set = TR_SERVO_VALUES;
    out->feeds_forward = true;
    for (int i = 1; i < model->body_count; i++) {
        const bool toe = i == model->toe[0] || i == model->toe[1];
        double planned[3] = {0};
        for (int k = 0; k < dynamics->dofs[i]; k++) {
            const int j = dynamics->first[i] + k;
            /* The planned rate at the end of the step, against which the servo damps. */
            planned[k] = dynamics->rate[j] + servo->step_s * accel[j];
        }
        const tr_vec3 rate = dynamics->dofs[i] == 1 ? tr_vec3_scale(model->body[i].axis, planned[0])
                                                    : (tr_vec3){planned[0], planned[1], planned[2]};
        out->kp[i] = toe ? set->kp[i] : 0;
        out->kd[i] = toe ? set->kd[i] : damping_of(model, servo, i);
        if (!toe)
            out->torque[i] = tr_vec3_add_scaled(out->torque[i], out->kd[i], rate);
    }
}

void tr_planned_torques(const tr_dynamics *dynamics, const double *accel, tr_vec3 gravity,
                        const tr_spatial *outside, double most, tr_vec3 *out) {
    tr_spatial root;
    tr_dynamics_inverse(dynamics, accel, gravity, outside, out, &root);
    for (int i = 1; i < dynamics->model->body_count; i++)
        out[i] = (tr_vec3){tr_within(out[i].x, most), tr_within(out[i].y, most),
                           tr_within(out[i].z, most)};
}
