#include "control/latent/pose_vector.h"

enum { JOINTS_FROM = 3 };

static int joint_channels(const tr_body *body) {
    return tr_body_has_axis(body) ? 1 : 3;
}

int tr_pose_vector_channel(const tr_model *model, int body) {
    int channel = body == 0 ? 0 : JOINTS_FROM;
    for (int i = 1; i < body; i++)
        channel += joint_channels(&model->body[i]);
    return channel;
}

int tr_pose_vector_size(const tr_model *model) {
    return model->body_count == 1 ? JOINTS_FROM : tr_pose_vector_channel(model, model->body_count);
}

void tr_pose_vector_from(const tr_model *model, const tr_pose_reference *reference,
                         const tr_pose *pose, double *out) {
    tr_quat untwist = tr_quat_from_heading(-tr_quat_heading(pose->root_rot));
    tr_vec3 tilt = tr_quat_log(tr_quat_mul(untwist, pose->root_rot));
    *out++ = pose->root_pos.z;
    *out++ = tilt.x;
    *out++ = tilt.y;
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        if (tr_body_has_axis(body)) {
            *out++ = tr_quat_angle_about(pose->joint[i], body->axis);
            continue;
        }
        tr_vec3 v = tr_quat_log(tr_quat_mul(tr_quat_conj(reference->joint[i]), pose->joint[i]));
        *out++ = v.x;
        *out++ = v.y;
        *out++ = v.z;
    }
}

tr_pose_place tr_pose_place_of(const tr_pose *pose) {
    return (tr_pose_place){pose->root_pos.x, pose->root_pos.y, tr_quat_heading(pose->root_rot)};
}

tr_pose tr_pose_vector_to(const tr_model *model, const tr_pose_reference *reference,
                          const double *vector, const tr_pose_place *place) {
    tr_pose pose = {.root_pos = {place->x, place->y, vector[0]}};
    tr_quat tilt = tr_quat_exp((tr_vec3){vector[1], vector[2], 0});
    pose.root_rot = tr_quat_mul(tr_quat_from_heading(place->heading_rad), tilt);
    for (int i = 0; i < TR_BODY_MAX; i++)
        pose.joint[i] = tr_quat_identity();
    vector += JOINTS_FROM;
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        if (tr_body_has_axis(body))
            pose.joint[i] = tr_quat_from_axis_angle(body->axis, vector[0]);
        else
            pose.joint[i] = tr_quat_mul(reference->joint[i],
                                        tr_quat_exp((tr_vec3){vector[0], vector[1], vector[2]}));
        vector += joint_channels(body);
    }
    return pose;
}

tr_pose_place tr_pose_place_moved(const tr_pose_place *place, const tr_root_step *step) {
    tr_vec3 moved =
        tr_vec3_from_heading((tr_vec3){step->forward, step->left, 0}, place->heading_rad);
    return (tr_pose_place){place->x + moved.x, place->y + moved.y,
                           tr_angle_wrap(place->heading_rad + step->turn_rad)};
}

tr_root_step tr_root_step_between(const tr_pose_place *from, const tr_pose_place *to) {
    tr_vec3 moved =
        tr_vec3_to_heading((tr_vec3){to->x - from->x, to->y - from->y, 0}, from->heading_rad);
    return (tr_root_step){tr_angle_wrap(to->heading_rad - from->heading_rad), moved.x, moved.y};
}
