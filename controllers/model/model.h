/* Character model: the bodies, joints, geoms, gains and marks of one articulated character.
 *
 * A model is read from an MJCF file (mjcf.h), never changes afterwards, and may be shared by any
 * number of threads. All arrays are flat and sized by the caps below, so a model is one block of
 * memory.
 *
 * Conventions (those of MuJoCo, so that the same file gives the same pose there): SI units, z up, x
 * forward, y left. Body 0 is the root and has a free joint; parents precede children. The
 * orientation of a body is rot_world(body) = rot_world(parent) * body.rot * q(body) with q the
 * joint quaternion (identity at rest). Joint rates, joint errors and the hinge axis are therefore
 * expressed in the joint frame rot_world(parent) * body.rot. In the shipped models every body.rot
 * is the identity, so that the joint frame is the parent's.
 *
 * A slide moves along its axis and does not turn. It is kept as a hinge is, by a quaternion about the
 * axis, with 1 m for 1 rad: whatever handles angles, errors, rates and torques of a hinge then handles
 * metres, m/s and N. Only where bodies are placed does q(body) not turn them. */
#pragma once

#include "math/quat.h"
#include "math/vec3.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { TR_BODY_MAX = 64, TR_GEOM_MAX = 64, TR_NAME_MAX = 48, TR_GAIN_SET_MAX = 4 };
enum { TR_ACTION_JOINT_MAX = 12, TR_END_EFFECTOR_MAX = 8 };

typedef uint64_t tr_body_set; /* bit i: body i */
#define TR_BODY_BIT(i) ((tr_body_set)1 << (i))

typedef enum tr_joint_kind {
    TR_JOINT_FREE,
    TR_JOINT_BALL,
    TR_JOINT_HINGE,
    TR_JOINT_SLIDE
} tr_joint_kind;
typedef enum tr_geom_kind {
    TR_GEOM_SPHERE,
    TR_GEOM_CAPSULE,
    TR_GEOM_BOX,
    TR_GEOM_CYLINDER
} tr_geom_kind;

/* A collision shape fixed to a body. size: sphere {radius}; capsule {radius, half length of its
 * cylinder} along local z; box {half extents}; cylinder {radius, half length} along local z. pos,
 * rot: in the body frame. */
typedef struct tr_geom {
    char name[TR_NAME_MAX];
    tr_geom_kind kind;
    int body;
    tr_vec3 size;
    tr_vec3 pos;
    tr_quat rot;
    double friction; /* sliding coefficient mu; of a pair, the product of both */
    /* The largest moments of a contact for each N of its normal force, m: about the normal, and
     * against rolling; a pair has the larger value. 0: none. */
    double torsional, rolling;
    /* How fast a contact of it gives way, m/s for each N of normal force, beside the world's; of a pair
     * the sum. 0: hard. Objects have none. */
    double softness;
} tr_geom;

typedef struct tr_body {
    char name[TR_NAME_MAX];
    int parent; /* -1 for the root */
    tr_joint_kind joint;
    tr_vec3 pos; /* origin in the parent's body frame, at rest */
    tr_quat rot; /* orientation in the parent's body frame, at rest */
    double mass;
    tr_vec3 com;     /* centre of mass in the body frame */
    tr_mat3 inertia; /* about the centre of mass, body axes, kg m2 */
    tr_vec3 anchor;  /* joint centre in the body frame */
    tr_vec3 axis;    /* hinge, slide: unit axis in the joint frame */
    bool limited;
    /* Hinge, slide: lowest and highest angle, rad, or way, m; ball: range[1] is the largest angle from
     * rest. */
    double range[2];
    /* Of the servo, N m, of a slide N: per joint axis, or the largest of torque_range; INFINITY: none. */
    double torque_limit;
    bool torque_by_axis;       /* torque_range counts */
    double torque_range[3][2]; /* least and most about each axis; of one axis the first row */
    int mirror;                /* index of the body on the other side; itself when in the middle */
} tr_body;

/* Is the joint about or along one axis? */
static inline bool tr_body_has_axis(const tr_body *body) {
    return body->joint == TR_JOINT_HINGE || body->joint == TR_JOINT_SLIDE;
}

/* The mirror image of what turns a joint: a rotation vector, and a quaternion. The way of a slide, unlike a
 * turn, keeps its sign. */
static inline tr_vec3 tr_body_mirror_vector(const tr_body *body, tr_vec3 v) {
    return body->joint == TR_JOINT_SLIDE ? tr_vec3_mirror(v) : tr_vec3_mirror_axial(v);
}
static inline tr_quat tr_body_mirror_joint(const tr_body *body, tr_quat q) {
    return body->joint == TR_JOINT_SLIDE ? (tr_quat){q.w, q.x, -q.y, q.z} : tr_quat_mirror(q);
}

/* The most torque of a servo about an axis of its joint (0 of one axis) in one direction, N m, above 0. */
static inline double tr_body_torque_bound(const tr_body *body, int axis, bool positive) {
    if (!body->torque_by_axis)
        return body->torque_limit;
    return positive ? body->torque_range[axis][1] : -body->torque_range[axis][0];
}

/* Servo gains, liu2015-guided section 6: kp in N m/rad, kd in N m s/rad, of a slide N/m and N s/m, by
 * body (its joint to the parent). */
typedef struct tr_gain_set {
    char name[TR_NAME_MAX];
    double kp[TR_BODY_MAX];
    double kd[TR_BODY_MAX];
} tr_gain_set;

typedef struct tr_model {
    char name[TR_NAME_MAX];
    uint64_t hash; /* of all fields below, except names of geoms: equal hashes move equally */
    int body_count, geom_count, gain_set_count;
    int dof_count; /* 6 for the root + 3 per ball + 1 per hinge or slide */
    double mass;
    double height; /* top to sole at rest, m */
    tr_body body[TR_BODY_MAX];
    tr_geom geom[TR_GEOM_MAX];
    /* Bodies i and those of exclude[i] never collide (parents included). */
    tr_body_set exclude[TR_BODY_MAX];
    tr_gain_set gain_set[TR_GAIN_SET_MAX]; /* [0] is the default */
    /* Marks, body indices; -1 when the file names none. */
    int foot[2]; /* left, right */
    int toe[2];  /* left, right */
    int hand[2]; /* left, right */
    int head;
    int trunk; /* upper torso: where test pushes land */
    /* Bodies of the end-effector cost term, feet first (left, right). */
    int end_effector[TR_END_EFFECTOR_MAX], end_effector_count;
    int action[TR_ACTION_JOINT_MAX]; /* bodies whose joints feedback turns, [action_count] */
    int action_count;                /* 0: those of a human, by their names (fragment.h) */
} tr_model;

/* Index of the body with this name, or -1. */
int tr_model_find_body(const tr_model *model, const char *name);

/* Is this body the foot or the toes of a side (0 left, 1 right)? */
bool tr_model_is_of_foot(const tr_model *model, int body, int side);

/* Index of the gain set with this name, or -1. */
int tr_model_find_gain_set(const tr_model *model, const char *name);
