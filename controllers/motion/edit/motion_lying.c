/* Lying with arms and legs spread as the beginning of a motion. */
#include "motion/poses/motion.h"

#include "motion/poses/poses.h"

static const double ARMS_RAD = 1.4;
static const double LEGS_RAD = 0.35;

/* Turns a limb and its mirror image outwards; a model without it is not changed. */
static void spread(const tr_model *model, const char *left, double angle_rad, tr_pose *pose) {
    int body = tr_model_find_body(model, left);
    if (body < 0)
        return;
    pose->joint[body] = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, angle_rad);
    pose->joint[model->body[body].mirror] = tr_quat_mirror(pose->joint[body]);
}

/* Flat on the ground where `pose` is, on the same side, the head the same way. */
static tr_pose sprawled_at(const tr_model *model, const tr_pose *pose) {
    tr_pose lying = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    bool supine = tr_quat_rotate(pose->root_rot, (tr_vec3){1, 0, 0}).z > 0;
    tr_vec3 head = tr_quat_rotate(pose->root_rot, (tr_vec3){0, 0, supine ? -1 : 1});
    tr_quat turn = tr_quat_from_heading(tr_atan2(head.y, head.x));
    tr_quat flat = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, supine ? -0.5 * TR_PI : 0.5 * TR_PI);
    spread(model, "luarm", ARMS_RAD, &lying);
    spread(model, "lthigh", LEGS_RAD, &lying);
    lying.root_rot = tr_quat_mul(turn, flat);
    lying.root_pos = (tr_vec3){pose->root_pos.x, pose->root_pos.y, 0};
    tr_pose_forward(model, &lying, bodies);
    lying.root_pos.z = -tr_body_lowest_point(model, -1, bodies);
    return lying;
}

tr_status tr_motion_join_lying(const tr_model *model, const tr_motion *motion, double from_s,
                               tr_motion **out) {
    const tr_pose ends[2] = {sprawled_at(model, &motion->poses[0])};
    return tr_motion_join_poses(motion, ends, from_s, 0, out);
}
