#include "control/parts/falling.h"

#include <math.h>
#include <string.h>

/* Stiffness of the servos, N m/rad. */
static const double TRUNK_KP = 165, NECK_KP = 37, ARM_KP = 246, LEG_KP = 37;

/* Their damping, N m s/rad, is a share of kp, and at least so much. */
static const double KD_SHARE = 0.06, KD_LEAST = 5;

/* The gains lose one share of themselves in a second, and keep the other one to the end. */
static const double FADE_PER_S = 0.5, FADED = 0.2;

/* Rotation vectors of a joint, rad, for falls to the front, the back and the left. */
typedef struct reach {
    const char *body;
    double kp;
    tr_vec3 front, back, left;
} reach;

static const reach reaches[] = {
    {"ltorso", TRUNK_KP, {0, 0.2, 0}, {0, 0.8, 0}, {-0.2, -0.5, 0}},
    {"utorso", TRUNK_KP, {0, 0.2, 0}, {0, 0.8, 0}, {-0.2, -0.5, 0}},
    {"head", NECK_KP, {0, -0.5, 0}, {0, 0.6, 0}, {-0.4, 0.6, 0}},
    {"luarm", ARM_KP, {0.2, -2.6, 0}, {0.2, 1.8, 0}, {0.8, 0, 0}},
    {"ruarm", ARM_KP, {-0.2, -2.6, 0}, {-0.2, 1.8, 0}, {-1, -0.5, 0.5}},
    {"llarm", ARM_KP, {0, -0.8, 0}, {0, -0.6, 0}, {0, -1, 0}},
    {"rlarm", ARM_KP, {0, -0.8, 0}, {0, -0.6, 0}, {0, -0.5, 0}},
    {"lhand", ARM_KP, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {"rhand", ARM_KP, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {"lthigh", LEG_KP, {0.1, -0.6, 0}, {0.2, -1.2, 0}, {0.2, -0.6, 0}},
    {"rthigh", LEG_KP, {-0.1, -0.6, 0}, {-0.2, -1.2, 0}, {0, -0.6, 0}},
    {"lshank", LEG_KP, {0, 1.2, 0}, {0, 1.6, 0}, {0, 1, 0}},
    {"rshank", LEG_KP, {0, 1.2, 0}, {0, 1.6, 0}, {0, 1, 0}},
};

/* Shares of front, back and the nearer side in the direction in which the root leans; they add up
 * to 1. */
typedef struct lean {
    double front, back, side;
    bool right;
} lean;

static lean lean_of(const tr_state *state) {
    tr_vec3 down = tr_quat_rotate_inverse(state->pose.root_rot, (tr_vec3){0, 0, -1});
    /* The direction of the lean is down, seen from above; squared cosines add up to 1. */
    double length2 = down.x * down.x + down.y * down.y;
    double along = length2 > 0 ? down.x * down.x / length2 : 1;
    return (lean){down.x < 0 ? 0 : along, down.x < 0 ? along : 0, 1 - along, down.y < 0};
}

static void set_joint(const tr_model *model, const reach *r, const lean *to, tr_pose *pose,
                      tr_drive *out) {
    int body = tr_model_find_body(model, r->body);
    if (body <= 0)
        return;
    tr_vec3 turn = tr_vec3_scale(r->front, to->front);
    turn = tr_vec3_add_scaled(turn, to->back, r->back);
    turn = tr_vec3_add_scaled(turn, to->side, r->left);
    pose->joint[body] = tr_quat_exp(turn);
    out->kp[body] = r->kp;
}

void tr_falling_drive(const tr_model *model, const tr_state *state, double time_s, tr_drive *out) {
    const lean to = lean_of(state);
    tr_pose pose = {.root_rot = tr_quat_identity()};
    /* Joints of bodies that the table does not name stay straight. */
    for (int b = 0; b < model->body_count; b++) {
        pose.joint[b] = tr_quat_identity();
        out->kp[b] = LEG_KP;
    }
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++)
        set_joint(model, &reaches[i], &to, &pose, out);
    /* The table is for falls to the left. */
    if (to.right)
        pose = tr_pose_mirror(model, &pose);
    double fade = fmax(FADED, 1 - FADE_PER_S * time_s);
    for (int b = 0; b < model->body_count; b++) {
        out->kp[b] *= fade;
        out->kd[b] = fmax(KD_LEAST, KD_SHARE * out->kp[b]);
    }
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = TR_SERVO_VALUES;
    memcpy(out->target, pose.joint, sizeof pose.joint);
}
