/* The accelerations of a character that fulfil linear equations and are otherwise as near as possible
 * to preferred ones: the quadratic program of controllers that compute torques (torque/).
 *
 * With q0 the preferred accelerations, D a weight of each, C the rows and b their goals, it minimises
 * sum D_j (qdd_j - q0_j)^2 among those with C qdd = b. With softness E, a diagonal:
 *
 *   qdd = q0 + D^-1 C^T y,   (C D^-1 C^T + E) y = b - C q0
 *
 * D is the inertia of what a joint carries, about its axis, and a little more, so that light joints
 * such as wrists do not turn far to little effect. E is small beside the diagonal, but not 0: straight knees make C nearly
 * singular. Plain data; deterministic. */
#pragma once

#include "control/parts/axes.h"
#include "control/parts/program_body.h"
#include "physics/spatial/dynamics.h"

/* Rows of the momenta come first, linear and angular. */
enum {
    TR_PROGRAM_ROWS_MAX = 18,
    TR_PROGRAM_LINEAR = 0,
    TR_PROGRAM_ANGULAR = 3,
    TR_PROGRAM_BODIES = 6
};

/* dynamics:     borrowed
 * axis:         along which rows and goals are, world, unit
 * linear_bias, angular_bias: rates of the momenta when the coordinates do not accelerate
 * wish, weight: [dof] q0 and D
 * row:          [rows][dof] C, zero at first
 * goal:         [rows] b
 * gram:         [rows][rows] C D^-1 C^T */
typedef struct tr_program {
    const tr_dynamics *dynamics;
    tr_vec3 axis[3], linear_bias, angular_bias;
    int dof, rows;
    double wish[TR_DOF_MAX], weight[TR_DOF_MAX];
    double row[TR_PROGRAM_ROWS_MAX][TR_DOF_MAX], goal[TR_PROGRAM_ROWS_MAX];
    double gram[TR_PROGRAM_ROWS_MAX][TR_PROGRAM_ROWS_MAX];
} tr_program;

/* What a program begins with: the posture to which the preferred accelerations lead back, and axes.
 *   heading_rad, root_rot: the root has this rotation in this heading
 *   stiffness, damping: 1/s2, 1/s */
typedef struct tr_program_def {
    const tr_program_body *body;
    const tr_vec3 *axis; /* [3] */
    double heading_rad;
    tr_quat root_rot;
    double stiffness, damping;
} tr_program_def;

/* Sets q0 and D, and the rows of the momenta. */
void tr_program_begin(const tr_program_def *def, tr_program *out);

/* Goals of the rows of the momenta: their rates, along the axes. */
void tr_program_aim_momenta(tr_program *program, tr_vec3 linear, tr_vec3 angular);

/* Adds six rows, and returns the first: the angular acceleration of a body along the axes, and the
 * acceleration of its point that is `at` from the origin of the dynamics. */
int tr_program_add_body(tr_program *program, int body, tr_v4 at);

/* Acceleration of that point when the coordinates do not accelerate, along the axes. */
tr_vec3 tr_program_point_bias(const tr_program *program, int body, tr_v4 at);

/* Rate of the angular momentum that these accelerations make, along the axes. */
tr_vec3 tr_program_angular_rate(const tr_program *program, const double *accel);

/* Once all rows are there. */
void tr_program_set_gram(tr_program *program);

/* E is `softness` of the diagonal for the angular momentum, and next to nothing for other rows.
 * out_accel: [dof]. TR_DATA_LOSS: not finite. */
tr_status tr_program_solve(const tr_program *program, double softness,
                           double *out_accel) TR_NODISCARD;
