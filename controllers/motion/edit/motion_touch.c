/* Toes, hands and feet that meet the ground: bent after retargeting, because the soft parts of a
 * person differ from the model's shapes. */
#include "motion/poses/motion.h"

#include "motion/measure/soles.h"

#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One pose in the world. */
typedef struct placed {
    tr_body_state bodies[TR_BODY_MAX];
} placed;

static void place(const tr_model *model, const tr_pose *pose, placed *out) {
    tr_pose_forward(model, pose, out->bodies);
}

/* Centre of the joint of a body, world. */
static tr_vec3 joint_centre(const tr_model *model, const placed *p, int body) {
    return tr_vec3_add(tr_body_origin(model, body, &p->bodies[body]),
                       tr_quat_rotate(p->bodies[body].rot, model->body[body].anchor));
}

/* The joint frame of a body: its orientation without the joint's rotation. */
static tr_quat joint_frame(const tr_model *model, const placed *p, int body) {
    return tr_quat_mul(p->bodies[model->body[body].parent].rot, model->body[body].rot);
}

/* ---- Toes ---- */

/* A toe near the ground lies flat while the heel rises: its angle cancels the pitch of the foot. */
static void bend_toe(const tr_model *model, int side, tr_pose *pose) {
    int foot = model->foot[side], toe = model->toe[side];
    if (toe < 1 || model->body[toe].parent != foot || model->body[toe].joint != TR_JOINT_HINGE)
        return;
    const tr_body *b = &model->body[toe];
    placed p;
    place(model, pose, &p);
    tr_vec3 ball = joint_centre(model, &p, toe);
    tr_quat frame = joint_frame(model, &p, toe);
    tr_vec3 axis = tr_quat_rotate(frame, b->axis);
    /* Across the axis and as level as can be, on the side to which the foot points. */
    tr_vec3 ahead = tr_quat_rotate(frame, tr_vec3_make(1, 0, 0));
    tr_vec3 flat = tr_vec3_cross(axis, tr_vec3_make(0, 0, 1));
    if (tr_vec3_dot(flat, ahead) < 0)
        flat = tr_vec3_negate(flat);
    if (ahead.z >= 0)
        return;
    double angle =
        tr_atan2(tr_vec3_dot(tr_vec3_cross(ahead, flat), axis), tr_vec3_dot(ahead, flat));
    /* A foot that lies on its side, or points straight down, has no level way for its toe. */
    double level = tr_soles_fade(fabs(axis.z), 0.5, 0.9) * tr_soles_fade(-ahead.z, 0.75, 1.0);
    angle *= level * tr_soles_fade(ball.z, 0.04, 0.12);
    if (b->limited)
        angle = fmin(fmax(angle, b->range[0]), b->range[1]);
    pose->joint[toe] = tr_quat_from_axis_angle(b->axis, angle);
}

void tr_motion_bend_toes(const tr_model *model, tr_motion *motion) {
    for (int i = 0; i < motion->frame_count; i++)
        for (int side = 0; side < 2; side++)
            bend_toe(model, side, &motion->poses[i]);
}

/* ---- Hands ---- */

static const double PALM_M = 0.03; /* height of the middle of a hand that lies on the ground */

/* A hand that would go through the ground bends at the wrist until it lies on it. */
static void bend_wrist(const tr_model *model, int side, tr_pose *pose) {
    int hand = model->hand[side];
    if (hand < 1 || model->body[hand].joint != TR_JOINT_BALL)
        return;
    placed p;
    place(model, pose, &p);
    tr_vec3 wrist = joint_centre(model, &p, hand);
    tr_vec3 half = tr_vec3_sub(p.bodies[hand].com_pos, wrist);
    double length = 2 * tr_vec3_length(half);
    tr_vec3 along = tr_vec3_normalize_or(half, tr_vec3_make(0, 0, -1));
    double lowest = length > 0 ? (PALM_M - wrist.z) / length : -1;
    double rise = fmin(lowest, 0);
    if (along.z >= rise)
        return;
    /* The more the hand has to rise, the more the fingers turn to where chest and head point. */
    tr_vec3 front = tr_quat_rotate(p.bodies[model->trunk].rot, tr_vec3_make(1, 0, 1));
    front.z = 0;
    front = tr_vec3_normalize_or(front, tr_vec3_make(1, 0, 0));
    tr_vec3 lean = tr_vec3_add_scaled(along, 2 * (rise - along.z), front);
    lean.z = 0;
    lean = tr_vec3_normalize_or(lean, front);
    tr_vec3 raised = tr_vec3_scale(lean, sqrt(1 - rise * rise));
    raised.z = rise;
    tr_quat world = tr_quat_mul(tr_quat_between(along, raised), p.bodies[hand].rot);
    pose->joint[hand] = tr_quat_mul(tr_quat_conj(joint_frame(model, &p, hand)), world);
}

void tr_motion_bend_wrists(const tr_model *model, tr_motion *motion) {
    for (int i = 0; i < motion->frame_count; i++)
        for (int side = 0; side < 2; side++)
            bend_wrist(model, side, &motion->poses[i]);
}

/* ---- Soles ---- */

/* A foot whose lowest point is slow while it hardly turns stands. Where it does so pitched by more than
 * the least all the time, it was calibrated wrong; by more than the most it stands on its toes. */
static const double STANDS_MPS = 0.3, TURNS_RAD_S = 0.7, NEAR_M = 0.05, STANDS_S = 0.5;
static const double MOSTLY = 0.1; /* the share of the time in which it may stand otherwise */
static const double PITCH_LEAST_RAD = 6 * TR_PI / 180, PITCH_MOST_RAD = 35 * TR_PI / 180;

/* How far the foot points up, rad. rest: its rotation in the rest pose */
static double pitch_of(const placed *p, int foot, tr_quat rest) {
    tr_quat turned = tr_quat_mul(p->bodies[foot].rot, tr_quat_conj(rest));
    return tr_asin(tr_quat_rotate(turned, tr_vec3_make(1, 0, 0)).z);
}

/* Collects the pitch of a foot wherever it stands; returns how often. ground: the level of stances */
static int find_pitches(const tr_model *model, const tr_motion *motion, const tr_soles *soles,
                        int side, double ground, tr_quat rest, double *out) {
    const int foot = model->foot[side];
    int count = 0;
    for (int i = 1; i < motion->frame_count; i++) {
        placed before, now;
        const tr_sole *sole = &soles[i].side[side];
        if (sole->speed > STANDS_MPS || sole->height > ground + NEAR_M)
            continue;
        place(model, &motion->poses[i - 1], &before);
        place(model, &motion->poses[i], &now);
        if (tr_quat_angle(before.bodies[foot].rot, now.bodies[foot].rot) <
            TURNS_RAD_S * motion->dt_s)
            out[count++] = pitch_of(&now, foot, rest);
    }
    return count;
}

/* The level of the lowest soles. scratch: [frame_count] */
static double stance_level(const tr_motion *motion, const tr_soles *soles, double *scratch) {
    for (int i = 0; i < motion->frame_count; i++)
        scratch[i] = fmin(soles[i].side[0].height, soles[i].side[1].height);
    return tr_quantile(scratch, motion->frame_count, 0.2);
}

/* The pitch with which a foot stands throughout; 0: it stands otherwise too, or hardly stands. */
static double lasting_pitch(double *pitches, int count, double dt_s) {
    if (count * dt_s < STANDS_S)
        return 0;
    const double pitch = tr_quantile(pitches, count, 0.5);
    const double flattest = tr_quantile(pitches, count, pitch > 0 ? MOSTLY : 1 - MOSTLY);
    const bool lasts = flattest * pitch > 0 && fabs(flattest) >= PITCH_LEAST_RAD;
    return lasts && fabs(pitch) <= PITCH_MOST_RAD ? pitch : 0;
}

static void turn_foot(tr_motion *motion, int foot, tr_quat rest, double pitch) {
    const tr_vec3 across = tr_quat_rotate_inverse(rest, tr_vec3_make(0, 1, 0));
    const tr_quat turn = tr_quat_from_axis_angle(across, pitch);
    for (int i = 0; i < motion->frame_count; i++)
        motion->poses[i].joint[foot] = tr_quat_mul(motion->poses[i].joint[foot], turn);
}

tr_status tr_motion_lay_feet(const tr_model *model, tr_motion *motion, double out_rad[2]) {
    const tr_pose pose = tr_pose_rest(model);
    tr_soles *soles = tr_soles_measure(model, motion);
    double *scratch = calloc((size_t)motion->frame_count, sizeof *scratch);
    tr_status status = soles && scratch ? TR_OK : TR_RESOURCE_EXHAUSTED;
    const double ground = status ? 0 : stance_level(motion, soles, scratch);
    double pitch[2] = {0};
    placed rest;
    place(model, &pose, &rest);
    for (int side = 0; !status && side < 2; side++) {
        const int foot = model->foot[side];
        if (foot < 1 || model->body[foot].joint != TR_JOINT_BALL)
            continue;
        const int count =
            find_pitches(model, motion, soles, side, ground, rest.bodies[foot].rot, scratch);
        pitch[side] = lasting_pitch(scratch, count, motion->dt_s);
    }
    /* People raise one heel for long; both feet are pitched alike by a calibration. */
    const bool both = pitch[0] * pitch[1] > 0;
    for (int side = 0; side < 2; side++) {
        out_rad[side] = both ? pitch[side] : 0;
        if (both)
            turn_foot(motion, model->foot[side], rest.bodies[model->foot[side]].rot, pitch[side]);
    }
    free(soles);
    free(scratch);
    return status;
}

/* ---- Legs ---- */

static const double PLANT_MAX_M = 0.04;

/* A leg: thigh, shank and foot, with A from hip to knee in the thigh's frame and B from knee to
 * ankle in the shank's. */
typedef struct leg {
    int thigh, shank, foot;
    tr_vec3 a, b;
} leg;

/* The distance d from hip to ankle is |A + R(angle) B|, with A and B in the joint frame of the knee
 * and k its axis, so that
 *     J = d'(angle) = A . (k x R B) / d.
 * Returns the angle that brings d to `want`, by one damped step J (want - d) / (J^2 + mu^2): a
 * straight leg, where J is 0, is not bent abruptly for the sake of a millimetre. */
static double knee_angle(const tr_model *model, const leg *l, double want, double now) {
    const double mu = 0.04;
    const tr_body *shank = &model->body[l->shank];
    tr_vec3 a = tr_quat_rotate_inverse(shank->rot, l->a);
    tr_vec3 b = tr_quat_rotate(tr_quat_from_axis_angle(shank->axis, now), l->b);
    double d = tr_vec3_length(tr_vec3_add(a, b));
    double j = tr_vec3_dot(a, tr_vec3_cross(shank->axis, b)) / fmax(d, 1e-6);
    double angle = now + j * (want - d) / (j * j + mu * mu);
    return shank->limited ? fmin(fmax(angle, shank->range[0]), shank->range[1]) : angle;
}

/* Moves the ankle by `lift` straight up, the foot's orientation and the plane of the leg kept. */
static void move_ankle(const tr_model *model, const leg *l, double lift, tr_pose *pose) {
    placed p;
    place(model, pose, &p);
    tr_quat foot_rot = p.bodies[l->foot].rot;
    tr_vec3 hip = joint_centre(model, &p, l->thigh), ankle = joint_centre(model, &p, l->foot);
    tr_vec3 target = tr_vec3_sub(tr_vec3_add(ankle, tr_vec3_make(0, 0, lift)), hip);
    tr_vec3 axis = model->body[l->shank].axis;
    double now = tr_vec3_dot(tr_quat_log(pose->joint[l->shank]), axis);
    double angle = knee_angle(model, l, tr_vec3_length(target), now);
    pose->joint[l->shank] = tr_quat_from_axis_angle(axis, angle);
    place(model, pose, &p);
    tr_vec3 reached = tr_vec3_sub(joint_centre(model, &p, l->foot), hip);
    tr_vec3 down = {0, 0, -1};
    tr_quat swing =
        tr_quat_between(tr_vec3_normalize_or(reached, down), tr_vec3_normalize_or(target, down));
    tr_quat thigh = tr_quat_mul(swing, p.bodies[l->thigh].rot);
    pose->joint[l->thigh] = tr_quat_mul(tr_quat_conj(joint_frame(model, &p, l->thigh)), thigh);
    place(model, pose, &p);
    pose->joint[l->foot] = tr_quat_mul(tr_quat_conj(joint_frame(model, &p, l->foot)), foot_rot);
}

static bool find_leg(const tr_model *model, int side, leg *out) {
    int foot = model->foot[side], shank = foot > 0 ? model->body[foot].parent : -1;
    int thigh = shank > 0 ? model->body[shank].parent : -1;
    if (thigh < 1 || model->body[shank].joint != TR_JOINT_HINGE)
        return false;
    tr_pose rest = tr_pose_rest(model);
    placed p;
    place(model, &rest, &p);
    tr_vec3 hip = joint_centre(model, &p, thigh), knee = joint_centre(model, &p, shank);
    tr_vec3 ankle = joint_centre(model, &p, foot);
    *out = (leg){thigh, shank, foot,
                 tr_quat_rotate_inverse(p.bodies[thigh].rot, tr_vec3_sub(knee, hip)),
                 tr_quat_rotate_inverse(p.bodies[shank].rot, tr_vec3_sub(ankle, knee))};
    return true;
}

/* Lift of each frame, smoothed over 20 ms so that a step begins and ends softly. */
static void smooth_lifts(const tr_motion *motion, const double *raw, double *out) {
    double sigma = 0.02 / motion->dt_s;
    int n = motion->frame_count, reach = (int)ceil(3 * sigma);
    for (int i = 0; i < n; i++) {
        double sum = 0, total = 0;
        for (int k = -reach; k <= reach; k++) {
            int at = i + k;
            if (motion->cyclic)
                at = ((at % n) + n) % n;
            if (at < 0 || at >= n)
                continue;
            double weight = tr_exp(-0.5 * (k / sigma) * (k / sigma));
            sum += weight * raw[at];
            total += weight;
        }
        out[i] = sum / total;
    }
}

tr_status tr_motion_plant_feet(const tr_model *model, tr_motion *motion) {
    size_t n = (size_t)motion->frame_count;
    tr_soles *soles = tr_soles_measure(model, motion);
    double *raw = calloc(n, sizeof *raw), *lift = calloc(n, sizeof *lift);
    tr_status status = soles && raw && lift ? TR_OK : TR_RESOURCE_EXHAUSTED;
    double speed = tr_soles_speed(motion);
    for (int side = 0; !status && side < 2; side++) {
        leg l;
        if (!find_leg(model, side, &l))
            continue;
        for (size_t i = 0; i < n; i++) {
            const tr_sole *sole = &soles[i].side[side];
            double height = fmin(fmax(sole->height, -PLANT_MAX_M), PLANT_MAX_M);
            raw[i] = -height * tr_sole_contact(sole, speed);
        }
        smooth_lifts(motion, raw, lift);
        for (size_t i = 0; i < n; i++)
            move_ankle(model, &l, lift[i], &motion->poses[i]);
    }
    free(soles);
    free(raw);
    free(lift);
    return status;
}
