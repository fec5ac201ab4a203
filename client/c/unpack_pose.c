/* Compact poses back to the arrays of a state. */
#include "client/c/reply.h"

#include "proto/bvh.h"
#include "proto/pose_bits.h"

#include <math.h>

/* A pose in doubles. */
typedef struct place {
    double pos[3], rot[4]; /* of a body's origin, world */
} place;

/* Is the joint about or along one axis? */
static bool has_axis(const tr_client_body *body) {
    return body->axis[0] != 0 || body->axis[1] != 0 || body->axis[2] != 0;
}

static void take_joint(tr_pose_bits *bits, const tr_client_body *body, double out[4]) {
    if (!has_axis(body)) {
        tr_pose_take_rotation(bits, out);
        return;
    }
    double half = tr_pose_take_angle(bits) / 2;
    out[0] = cos(half);
    for (int k = 0; k < 3; k++)
        out[1 + k] = sin(half) * body->axis[k];
}

static void copy(const double *from, int count, float *out) {
    for (int k = 0; k < count; k++)
        out[k] = (float)from[k];
}

/* Moves a body along the axis of its slide, by the angle of the joint's quaternion in metres. */
static void slide(const tr_client_body *body, const double joint[4], place *out) {
    double along = 0, shift[3];
    for (int k = 0; k < 3; k++)
        along += joint[1 + k] * body->axis[k];
    tr_bvh_rotate(out->rot, body->axis, shift);
    for (int k = 0; k < 3; k++)
        out->pos[k] += 2 * atan2(along, joint[0]) * shift[k];
}

/* The body turns about the joint's centre, which is fixed in both bodies, or slides. */
static place place_of(const tr_client_body *body, const place *parent, const double joint[4]) {
    place out;
    double at_rest[3], centre[3], offset[3];
    tr_bvh_rotate(body->rot, body->anchor, at_rest);
    for (int k = 0; k < 3; k++)
        at_rest[k] += body->pos[k];
    tr_bvh_rotate(parent->rot, at_rest, centre);
    tr_bvh_multiply(parent->rot, body->rot, out.rot);
    if (body->joint != TR_CLIENT_SLIDE)
        tr_bvh_multiply(out.rot, joint, out.rot);
    tr_bvh_rotate(out.rot, body->anchor, offset);
    for (int k = 0; k < 3; k++)
        out.pos[k] = parent->pos[k] + centre[k] - offset[k];
    if (body->joint == TR_CLIENT_SLIDE)
        slide(body, joint, &out);
    return out;
}

tr_status tr_client_unpack_pose(const tr_client_character *character, const tr_client_body *bodies,
                                int body_count, tr_client_pose *out) {
    tr_pose_bits bits = {.bytes = (uint8_t *)character->pose, .size = character->pose_size};
    place body[TR_CLIENT_BODY_MAX];
    tr_client_pose pose = {.joint_rot = {{1}}};
    if (body_count < 1 || body_count > TR_CLIENT_BODY_MAX)
        return TR_INVALID_ARGUMENT;
    for (int k = 0; k < 3; k++)
        body[0].pos[k] = tr_pose_take_number(&bits) * TR_POSE_POSITION_M;
    tr_pose_take_rotation(&bits, body[0].rot);
    for (int i = 0; i < body_count; i++) {
        double joint[4];
        if (i > 0 && (bodies[i].parent < 0 || bodies[i].parent >= i))
            return TR_INVALID_ARGUMENT;
        if (i > 0) {
            take_joint(&bits, &bodies[i], joint);
            body[i] = place_of(&bodies[i], &body[bodies[i].parent], joint);
            copy(joint, 4, pose.joint_rot[i]);
        }
        copy(body[i].pos, 3, pose.body_pos[i]);
        copy(body[i].rot, 4, pose.body_rot[i]);
    }
    if (bits.ended || (bits.at + 7) / 8 != bits.size)
        return TR_DATA_LOSS;
    *out = pose;
    return TR_OK;
}
