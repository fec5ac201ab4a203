#include "motion/made/limb.h"

#include "math/cholesky.h"

#include <math.h>
#include <string.h>

enum { ERRORS = 6, ROUNDS = 60 };

static const double TURN_WEIGHT_M = 0.3, DAMPING = 1e-4, PROBE_RAD = 1e-5, BENT_RAD = 0.02;

static int angles_of(const tr_body *body) {
    return tr_body_has_axis(body) ? 1 : 3;
}

tr_status tr_limb_find(const tr_model *model, int body, tr_limb *out) {
    tr_limb limb = {0};
    for (int i = TR_LIMB_JOINTS - 1; i >= 0; i--) {
        if (body < 1)
            return TR_INVALID_ARGUMENT;
        limb.body[i] = body;
        limb.angles += angles_of(&model->body[body]);
        body = model->body[body].parent;
    }
    *out = limb;
    return TR_OK;
}

/* 1 or -1: the side to which a hinge bends further. */
static double larger_side(const tr_body *hinge) {
    return hinge->limited && hinge->range[0] + hinge->range[1] < 0 ? -1 : 1;
}

void tr_limb_bend(const tr_model *model, const tr_limb *limb, double bend_rad, double *out) {
    for (int j = 0; j < TR_LIMB_JOINTS; j++) {
        const tr_body *body = &model->body[limb->body[j]];
        if (body->joint == TR_JOINT_HINGE)
            *out++ = bend_rad * larger_side(body);
        else
            for (int i = 0; i < 3; i++)
                *out++ = 0;
    }
}

static void pose_limb(const tr_model *model, const tr_limb *limb, const double *v, tr_pose *pose) {
    for (int j = 0; j < TR_LIMB_JOINTS; j++) {
        const tr_body *body = &model->body[limb->body[j]];
        bool single = tr_body_has_axis(body);
        pose->joint[limb->body[j]] =
            tr_quat_exp(single ? tr_vec3_scale(body->axis, v[0]) : (tr_vec3){v[0], v[1], v[2]});
        v += angles_of(body);
    }
}

static void keep_bent(const tr_model *model, const tr_limb *limb, double *v) {
    for (int j = 0; j < TR_LIMB_JOINTS; j++) {
        const tr_body *body = &model->body[limb->body[j]];
        double side = larger_side(body);
        if (body->joint == TR_JOINT_HINGE)
            *v = side * fmax(side * *v, BENT_RAD);
        v += angles_of(body);
    }
}

static void miss(const tr_model *model, const tr_limb *limb, const tr_limb_goal *goal,
                 const tr_pose *pose, double out[ERRORS]) {
    tr_body_state bodies[TR_BODY_MAX];
    int last = limb->body[TR_LIMB_JOINTS - 1];
    tr_pose_forward(model, pose, bodies);
    tr_vec3 off = tr_vec3_sub(tr_body_point(model, last, goal->point, &bodies[last]), goal->pos);
    tr_vec3 turn = {0, 0, 0};
    if (goal->turned)
        turn = tr_quat_log(tr_quat_mul(bodies[last].rot, tr_quat_conj(goal->rot)));
    memcpy(out,
           (double[]){off.x, off.y, off.z, TURN_WEIGHT_M * turn.x, TURN_WEIGHT_M * turn.y,
                      TURN_WEIGHT_M * turn.z},
           ERRORS * sizeof *out);
}

typedef struct solver {
    double at[ERRORS], probe[ERRORS], slope[ERRORS][TR_LIMB_ANGLES_MAX];
    double left[TR_LIMB_ANGLES_MAX * TR_LIMB_ANGLES_MAX], right[TR_LIMB_ANGLES_MAX];
} solver;

/* Errors at v, and their slopes. */
static void probe(const tr_model *model, const tr_limb *limb, const tr_limb_goal *goal,
                  tr_pose *pose, double *v, solver *s) {
    pose_limb(model, limb, v, pose);
    miss(model, limb, goal, pose, s->at);
    for (int i = 0; i < limb->angles; i++) {
        double was = v[i];
        v[i] += PROBE_RAD;
        pose_limb(model, limb, v, pose);
        miss(model, limb, goal, pose, s->probe);
        v[i] = was;
        for (int e = 0; e < ERRORS; e++)
            s->slope[e][i] = (s->probe[e] - s->at[e]) / PROBE_RAD;
    }
}

/* (J'J + d) step = -J'e. Returns |e|; INFINITY: the matrix is not positive definite. */
static double solve(solver *s, int angles) {
    double square = 0;
    memset(s->left, 0, sizeof s->left);
    memset(s->right, 0, sizeof s->right);
    for (int e = 0; e < ERRORS; e++) {
        square += s->at[e] * s->at[e];
        for (int i = 0; i < angles; i++) {
            s->right[i] -= s->slope[e][i] * s->at[e];
            for (int j = 0; j < angles; j++)
                s->left[i * angles + j] += s->slope[e][i] * s->slope[e][j];
        }
    }
    for (int i = 0; i < angles; i++)
        s->left[i * angles + i] += DAMPING;
    if (tr_cholesky_factor(angles, s->left))
        return INFINITY;
    tr_cholesky_solve(angles, s->left, 1, s->right);
    return sqrt(square);
}

double tr_limb_reach(const tr_model *model, const tr_limb *limb, const tr_limb_goal *goal,
                     tr_pose *pose, double *angles) {
    solver s;
    double off = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        probe(model, limb, goal, pose, angles, &s);
        off = solve(&s, limb->angles);
        if (!isfinite(off))
            return INFINITY;
        for (int i = 0; i < limb->angles; i++)
            angles[i] += s.right[i];
        keep_bent(model, limb, angles);
    }
    pose_limb(model, limb, angles, pose);
    return off;
}
