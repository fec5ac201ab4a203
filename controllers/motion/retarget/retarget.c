/* Retargeting by world bone directions.
 *
 * E(body) = rot_world(body) * rot_rest(body)^-1 is how far a body is turned from the upright rest
 * pose. For trunk, head and feet E is the source joint's rotation times its calibration. A limb's
 * upper bone points along u (to elbow or knee) and its lower bone along l; the flexion axis is
 *     a = R m + 2 u x l,
 * with R the source rotation of the upper bone and m the mean over the clip of R^-1 (u x l): the
 * mean decides while the limb is straight, the bend itself when it is bent. */
#include "motion/retarget/retarget.h"

#include "motion/poses/poses.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* An arm or a leg: two bones and the hinge between them. */
typedef struct limb {
    int upper, lower, end; /* bodies: thigh, shank, foot */
    tr_part part[3];       /* source joints at the begin of each */
    tr_vec3 upper_dir;     /* of the bone, in the frame of the upper body, at rest */
    tr_vec3 lower_dir;     /* in the frame of the lower body */
    tr_vec3 axis;          /* of flexion, in the frame of the upper body */
    double sign;           /* angle of the hinge = sign * flexion */
    tr_vec3 source_axis;   /* m: mean flexion axis in the frame of the source's upper bone */
    int joint[3];          /* of the clip */
} limb;

typedef struct retargeter {
    const tr_clip *clip;
    const tr_skeleton *skeleton;
    const tr_model *model;
    tr_error *error;
    tr_pose_joints rest;      /* rot_rest, and joint centres in the rest pose */
    limb limbs[4];            /* left arm, right arm, left leg, right leg */
    double scale;             /* of lengths, source to model */
    int joint[TR_PART_COUNT]; /* of the clip; -1: none */
} retargeter;

static void measure_rest(retargeter *r) {
    tr_pose pose = tr_pose_rest(r->model);
    tr_pose_find_joints(r->model, &pose, &r->rest);
}

/* Direction of the bone from the joint of body a to that of body b, in a's frame. */
static tr_vec3 bone_direction(const retargeter *r, int a, int b) {
    tr_vec3 world = tr_vec3_sub(r->rest.centre[b], r->rest.centre[a]);
    return tr_vec3_normalize_or(tr_quat_rotate_inverse(r->rest.rot[a], world),
                                tr_vec3_make(0, 0, -1));
}

static tr_vec3 source_bone(const retargeter *r, int frame, int from, int to) {
    tr_vec3 bone = tr_vec3_sub(tr_clip_pos(r->clip, frame, to), tr_clip_pos(r->clip, frame, from));
    return tr_vec3_normalize_or(bone, tr_vec3_make(0, 0, -1));
}

/* The left-right axis of the body in the frame of a limb's upper joint, mean over the clip. */
static tr_vec3 mean_side_axis(const retargeter *r, const limb *l) {
    tr_part trunk = l->part[0] >= TR_PART_LEFT_HIP ? TR_PART_HIPS : TR_PART_CHEST;
    tr_vec3 side = tr_quat_rotate(r->skeleton->calibration[trunk], tr_vec3_make(0, 1, 0)),
            sum = {0};
    for (int f = 0; f < r->clip->frame_count; f++) {
        tr_vec3 world = tr_quat_rotate(tr_clip_rot(r->clip, f, r->joint[trunk]), side);
        sum = tr_vec3_add(sum, tr_quat_rotate_inverse(tr_clip_rot(r->clip, f, l->joint[0]), world));
    }
    return tr_vec3_normalize_or(sum, tr_vec3_make(0, 1, 0));
}

/* m of the legend above. A limb that never bends gets the body's left-right axis, a knee
 * backwards and an elbow forwards. */
static tr_vec3 mean_flexion_axis(const retargeter *r, const limb *l) {
    tr_vec3 sum = {0};
    for (int f = 0; f < r->clip->frame_count; f++) {
        tr_vec3 bend = tr_vec3_cross(source_bone(r, f, l->joint[0], l->joint[1]),
                                     source_bone(r, f, l->joint[1], l->joint[2]));
        sum = tr_vec3_add(sum, tr_quat_rotate_inverse(tr_clip_rot(r->clip, f, l->joint[0]), bend));
    }
    tr_vec3 fallback = tr_vec3_scale(mean_side_axis(r, l), l->part[0] >= TR_PART_LEFT_HIP ? 1 : -1);
    if (tr_vec3_length(sum) < 0.01 * r->clip->frame_count)
        return fallback;
    return tr_vec3_normalize_or(sum, fallback);
}

static tr_status prepare_limb(retargeter *r, limb *l, int end, tr_part first) {
    const tr_model *model = r->model;
    l->end = end;
    l->lower = end >= 0 ? model->body[end].parent : -1;
    l->upper = l->lower >= 0 ? model->body[l->lower].parent : -1;
    if (l->upper < 1)
        return tr_fail(
            r->error, TR_INVALID_ARGUMENT,
            "model '%s': expected marks 'foot' and 'hand', two bones away from the trunk",
            model->name);
    const tr_body *lower = &model->body[l->lower];
    if (lower->joint != TR_JOINT_HINGE)
        return tr_fail(r->error, TR_INVALID_ARGUMENT,
                       "model '%s': body '%s': expected a hinge (knee or elbow)", model->name,
                       lower->name);
    l->sign = lower->limited && fabs(lower->range[0]) > fabs(lower->range[1]) ? -1 : 1;
    l->axis = tr_quat_rotate(lower->rot, tr_vec3_scale(lower->axis, l->sign));
    l->upper_dir = bone_direction(r, l->upper, l->lower);
    l->lower_dir = bone_direction(r, l->lower, l->end);
    for (int i = 0; i < 3; i++) {
        l->part[i] = (tr_part)((int)first + 2 * i);
        l->joint[i] = r->joint[l->part[i]];
    }
    l->source_axis = mean_flexion_axis(r, l);
    return TR_OK;
}

double tr_retarget_leg_length(const tr_model *model) {
    retargeter r = {.model = model};
    double length = 0;
    measure_rest(&r);
    for (int side = 0; side < 2; side++) {
        int foot = model->foot[side], shank = foot > 0 ? model->body[foot].parent : -1;
        int thigh = shank > 0 ? model->body[shank].parent : -1;
        if (thigh < 0)
            return 0;
        length += 0.5 * (tr_vec3_distance(r.rest.centre[thigh], r.rest.centre[shank]) +
                         tr_vec3_distance(r.rest.centre[shank], r.rest.centre[foot]));
    }
    return length;
}

static tr_status prepare(retargeter *r) {
    const tr_model *model = r->model;
    for (int part = 0; part < TR_PART_COUNT; part++)
        r->joint[part] = tr_skeleton_joint(r->skeleton, r->clip, (tr_part)part);
    tr_status status = tr_skeleton_check(r->skeleton, r->clip, r->error);
    if (status)
        return status;
    if (model->trunk < 1)
        return tr_fail(r->error, TR_INVALID_ARGUMENT, "model '%s': expected a mark 'trunk'",
                       model->name);
    measure_rest(r);
    for (int side = 0; !status && side < 2; side++) {
        status = prepare_limb(r, &r->limbs[side], model->hand[side],
                              (tr_part)(TR_PART_LEFT_SHOULDER + side));
        if (!status)
            status = prepare_limb(r, &r->limbs[2 + side], model->foot[side],
                                  (tr_part)(TR_PART_LEFT_HIP + side));
    }
    if (!status)
        r->scale = tr_retarget_leg_length(model) / r->clip->found.leg_m;
    return status;
}

/* The rotations of one frame as they become known: by world, or by joint (the identity, or the
 * hinge's, until the world rotation is known). */
typedef struct frame_rotations {
    tr_quat world[TR_BODY_MAX];
    bool known[TR_BODY_MAX];
    tr_quat joint[TR_BODY_MAX];
} frame_rotations;

static void know(frame_rotations *f, int body, tr_quat world) {
    f->world[body] = world;
    f->known[body] = true;
}

/* World rotation of `body` when the source's joint of `part` shows it. */
static tr_quat follow(const retargeter *r, int frame, tr_part part, int body) {
    tr_quat source = tr_clip_rot(r->clip, frame, r->joint[part]);
    return tr_quat_mul(tr_quat_mul(source, r->skeleton->calibration[part]), r->rest.rot[body]);
}

/* Spreads the turn between two known bodies evenly over the bodies that lie between them. */
static void spread_chain(const retargeter *r, frame_rotations *f, int from, int to) {
    int chain[TR_BODY_MAX], count = 0;
    for (int body = to; body != from && body >= 0; body = r->model->body[body].parent)
        chain[count++] = body;
    tr_quat begin = tr_quat_mul(f->world[from], tr_quat_conj(r->rest.rot[from]));
    tr_quat end = tr_quat_mul(f->world[to], tr_quat_conj(r->rest.rot[to]));
    for (int i = 1; i < count; i++) {
        tr_quat e = tr_quat_slerp(begin, end, (double)(count - i) / count);
        know(f, chain[i], tr_quat_mul(e, r->rest.rot[chain[i]]));
    }
}

/* Rotation that takes the orthonormal pair (d, a) to (u, b); a and b are made orthogonal first. */
static tr_quat turn_pair(tr_vec3 d, tr_vec3 a, tr_vec3 u, tr_vec3 b) {
    a = tr_vec3_normalize_or(tr_vec3_add_scaled(a, -tr_vec3_dot(a, d), d), tr_vec3_make(0, 1, 0));
    b = tr_vec3_normalize_or(tr_vec3_add_scaled(b, -tr_vec3_dot(b, u), u), tr_vec3_make(0, 1, 0));
    tr_mat3 from = tr_mat3_from_columns(d, a, tr_vec3_cross(d, a));
    tr_mat3 to = tr_mat3_from_columns(u, b, tr_vec3_cross(u, b));
    tr_mat3 from_t = tr_mat3_transpose(&from), turn = tr_mat3_multiply(&to, &from_t);
    return tr_quat_from_mat3(&turn);
}

static void pose_limb(const retargeter *r, const limb *l, int frame, frame_rotations *f) {
    tr_vec3 u = source_bone(r, frame, l->joint[0], l->joint[1]);
    tr_vec3 w = source_bone(r, frame, l->joint[1], l->joint[2]);
    tr_quat source = tr_clip_rot(r->clip, frame, l->joint[0]);
    tr_vec3 axis =
        tr_vec3_add_scaled(tr_quat_rotate(source, l->source_axis), 2, tr_vec3_cross(u, w));
    tr_quat upper = turn_pair(l->upper_dir, l->axis, u, axis);
    know(f, l->upper, upper);
    /* Flexion: angle about the axis from the lower bone at rest to where it points, in the joint
     * frame. */
    const tr_body *lower = &r->model->body[l->lower];
    tr_vec3 hinge = tr_vec3_scale(lower->axis, l->sign);
    tr_vec3 want = tr_quat_rotate_inverse(tr_quat_mul(upper, lower->rot), w);
    tr_vec3 side = tr_vec3_cross(hinge, l->lower_dir);
    tr_vec3 along = tr_vec3_cross(side, hinge);
    double angle = l->sign * tr_atan2(tr_vec3_dot(want, side), tr_vec3_dot(want, along));
    if (lower->limited)
        angle = fmin(fmax(angle, lower->range[0]), lower->range[1]);
    f->joint[l->lower] = tr_quat_from_axis_angle(lower->axis, angle);
}

static void place_root(const retargeter *r, int frame, tr_pose *pose) {
    int left = r->limbs[2].upper, right = r->limbs[3].upper;
    tr_vec3 hips = tr_vec3_lerp(tr_clip_pos(r->clip, frame, r->limbs[2].joint[0]),
                                tr_clip_pos(r->clip, frame, r->limbs[3].joint[0]), 0.5);
    tr_pose rest = tr_pose_rest(r->model);
    tr_vec3 mid = tr_vec3_lerp(r->rest.centre[left], r->rest.centre[right], 0.5);
    tr_vec3 arm = tr_quat_rotate_inverse(r->rest.rot[0], tr_vec3_sub(mid, rest.root_pos));
    pose->root_pos =
        tr_vec3_sub(tr_vec3_scale(hips, r->scale), tr_quat_rotate(pose->root_rot, arm));
}

static void pose_frame(const retargeter *r, int frame, tr_pose *out) {
    const tr_model *model = r->model;
    frame_rotations f = {0};
    for (int i = 0; i < TR_BODY_MAX; i++)
        f.joint[i] = tr_quat_identity();
    know(&f, 0, follow(r, frame, TR_PART_HIPS, 0));
    know(&f, model->trunk, follow(r, frame, TR_PART_CHEST, model->trunk));
    spread_chain(r, &f, 0, model->trunk);
    if (model->head > 0 && r->joint[TR_PART_HEAD] >= 0) {
        know(&f, model->head, follow(r, frame, TR_PART_HEAD, model->head));
        spread_chain(r, &f, model->trunk, model->head);
    }
    for (int i = 0; i < 4; i++)
        pose_limb(r, &r->limbs[i], frame, &f);
    for (int side = 0; side < 2; side++) {
        tr_part ankle = (tr_part)(TR_PART_LEFT_ANKLE + side);
        know(&f, model->foot[side], follow(r, frame, ankle, model->foot[side]));
    }
    out->root_rot = f.world[0];
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        tr_quat joint_frame = tr_quat_mul(f.world[body->parent], body->rot);
        if (f.known[i])
            f.joint[i] = tr_quat_normalize(tr_quat_mul(tr_quat_conj(joint_frame), f.world[i]));
        else
            f.world[i] = tr_quat_mul(joint_frame, f.joint[i]);
        out->joint[i] = f.joint[i];
    }
    place_root(r, frame, out);
}

tr_status tr_retarget(const tr_clip *clip, const tr_skeleton *skeleton, const tr_model *model,
                      tr_motion **out, tr_error *error) {
    retargeter r = {.clip = clip, .skeleton = skeleton, .model = model, .error = error};
    tr_status status = prepare(&r);
    if (status)
        return status;
    tr_motion *motion;
    status = tr_motion_create(model, clip->frame_count, clip->dt_s, &motion);
    if (status)
        return tr_fail_if(error, status, "%s: %d frames", clip->name, clip->frame_count);
    for (int i = 0; i < clip->frame_count; i++)
        pose_frame(&r, i, &motion->poses[i]);
    tr_motion_align(motion);
    memcpy(motion->name, clip->name, sizeof motion->name);
    memcpy(motion->source.skeleton, clip->found.skeleton, sizeof motion->source.skeleton);
    motion->source.hash = clip->hash;
    motion->source.first_frame = 0;
    motion->source.last_frame = clip->frame_count - 1;
    *out = motion;
    return TR_OK;
}
