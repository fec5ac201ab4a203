#include "server/world/pack_pose.h"

#include "proto/pose_bits.h"

#include <string.h>

_Static_assert(3 * TR_POSE_NUMBER_BITS + TR_BODY_MAX * TR_POSE_ROTATION_BITS <=
                   8 * TR_PACKED_POSE_MAX,
               "every pose fits");

/* Puts the rotation of a joint; returns what a reader takes. */
static tr_quat put_joint(tr_pose_bits *bits, const tr_body *body, tr_quat q) {
    tr_pose_bits reader = *bits;
    double taken[4];
    if (tr_body_has_axis(body)) {
        tr_pose_put_angle(bits, tr_quat_angle_about(q, body->axis));
        return tr_quat_from_axis_angle(body->axis, tr_pose_take_angle(&reader));
    }
    tr_pose_put_rotation(bits, (const double[]){q.w, q.x, q.y, q.z});
    tr_pose_take_rotation(&reader, taken);
    return (tr_quat){taken[0], taken[1], taken[2], taken[3]};
}

size_t tr_pack_pose(const tr_model *model, const tr_pose *pose, uint8_t out[TR_PACKED_POSE_MAX]) {
    tr_pose_bits bits = {.bytes = out, .size = TR_PACKED_POSE_MAX};
    tr_quat rot[TR_BODY_MAX], taken[TR_BODY_MAX]; /* of bodies in the world */
    memset(out, 0, TR_PACKED_POSE_MAX);
    tr_pose_put_number(&bits, pose->root_pos.x / TR_POSE_POSITION_M);
    tr_pose_put_number(&bits, pose->root_pos.y / TR_POSE_POSITION_M);
    tr_pose_put_number(&bits, pose->root_pos.z / TR_POSE_POSITION_M);
    rot[0] = pose->root_rot;
    taken[0] = put_joint(&bits, &model->body[0], rot[0]);
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        rot[i] = tr_quat_mul(rot[body->parent], body->rot);
        taken[i] = tr_quat_mul(taken[body->parent], body->rot);
        if (body->joint == TR_JOINT_SLIDE) { /* turns nothing */
            put_joint(&bits, body, pose->joint[i]);
            continue;
        }
        rot[i] = tr_quat_mul(rot[i], pose->joint[i]);
        tr_quat joint = put_joint(&bits, body, tr_quat_mul(tr_quat_conj(taken[i]), rot[i]));
        taken[i] = tr_quat_mul(taken[i], joint);
    }
    return (bits.at + 7) / 8;
}
