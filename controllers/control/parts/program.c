#include "control/parts/program.h"

#include "math/cholesky.h"
#include "math/elementary.h"

#include <string.h>

/* FIRM: the least E, as a share of the diagonal. ROOT_SHARE: the root's translation weighs little,
 * so that it follows the rows. LEAST_INERTIA: the "little more" of D, kg m2. */
static const double FIRM = 1e-5, ROOT_SHARE = 1e-3, LEAST_INERTIA = 0.05;

/* Returns the turn that a joint (joint frame) or the root (world) has left to the posture. */
static tr_vec3 turn_left(const tr_program_def *def, tr_quat root_goal, int body) {
    const tr_pose *pose = &def->body->state->pose;
    const tr_quat goal = body > 0 ? def->body->joint[body] : root_goal;
    const tr_quat now = body > 0 ? pose->joint[body] : pose->root_rot;
    return tr_quat_log(tr_quat_mul(goal, tr_quat_conj(now)));
}

static void set_posture(const tr_program_def *def, tr_program *out) {
    const tr_dynamics *d = def->body->dynamics;
    const tr_quat root = tr_quat_mul(tr_quat_from_heading(def->heading_rad), def->root_rot);
    for (int i = 0; i < d->model->body_count; i++) {
        const tr_vec3 error = turn_left(def, root, i);
        const double turn[3] = {d->dofs[i] == 1 ? tr_vec3_dot(error, d->model->body[i].axis)
                                                : error.x,
                                error.y, error.z};
        for (int k = 0; k < d->dofs[i]; k++) {
            const int j = d->first[i] + k;
            /* The root has six coordinates; from the fourth on it is its translation, for which no
             * acceleration is preferred. */
            const double inertia = tr_spatial_dot(d->axis[j], d->momentum_axis[j]);
            out->wish[j] = k < 3 ? def->stiffness * turn[k] - def->damping * d->rate[j] : 0;
            out->weight[j] = (inertia + LEAST_INERTIA) * (k < 3 ? 1 : ROOT_SHARE);
        }
    }
}

static void add_momenta(tr_program *p) {
    for (int j = 0; j < p->dof; j++) {
        const tr_vec3 linear = tr_v4_to(p->dynamics->momentum_axis[j].lin);
        const tr_vec3 angular = tr_v4_to(p->dynamics->momentum_axis[j].ang);
        for (int k = 0; k < 3; k++) {
            p->row[TR_PROGRAM_LINEAR + k][j] = tr_vec3_dot(linear, p->axis[k]);
            p->row[TR_PROGRAM_ANGULAR + k][j] = tr_vec3_dot(angular, p->axis[k]);
        }
    }
    p->rows = TR_PROGRAM_BODIES;
}

void tr_program_begin(const tr_program_def *def, tr_program *out) {
    const tr_spatial bias = def->body->dynamics->momentum_bias;
    *out = (tr_program){.dynamics = def->body->dynamics,
                        .axis = {def->axis[0], def->axis[1], def->axis[2]},
                        .linear_bias = tr_vec3_along(def->axis, tr_v4_to(bias.lin)),
                        .angular_bias = tr_vec3_along(def->axis, tr_v4_to(bias.ang)),
                        .dof = def->body->dynamics->dof};
    set_posture(def, out);
    add_momenta(out);
}

void tr_program_aim_momenta(tr_program *program, tr_vec3 linear, tr_vec3 angular) {
    const tr_vec3 lin = tr_vec3_sub(linear, program->linear_bias);
    const tr_vec3 ang = tr_vec3_sub(angular, program->angular_bias);
    for (int k = 0; k < 3; k++) {
        program->goal[TR_PROGRAM_LINEAR + k] = tr_vec3_at(lin, k);
        program->goal[TR_PROGRAM_ANGULAR + k] = tr_vec3_at(ang, k);
    }
}

int tr_program_add_body(tr_program *program, int body, tr_v4 at) {
    const tr_dynamics *d = program->dynamics;
    const int first = program->rows;
    for (int i = body; i >= 0; i = d->model->body[i].parent)
        for (int j = d->first[i]; j < d->first[i] + d->dofs[i]; j++) {
            const tr_vec3 turn = tr_v4_to(d->axis[j].ang);
            const tr_vec3 point = tr_v4_to(d->axis[j].lin + tr_v4_cross(d->axis[j].ang, at));
            for (int k = 0; k < 3; k++) {
                program->row[first + k][j] = tr_vec3_dot(turn, program->axis[k]);
                program->row[first + 3 + k][j] = tr_vec3_dot(point, program->axis[k]);
            }
        }
    program->rows += 6;
    return first;
}

tr_vec3 tr_program_point_bias(const tr_program *program, int body, tr_v4 at) {
    const tr_spatial velocity = program->dynamics->velocity[body];
    const tr_spatial bias = program->dynamics->bias[body];
    const tr_v4 point = velocity.lin + tr_v4_cross(velocity.ang, at);
    return tr_vec3_along(program->axis, tr_v4_to(bias.lin + tr_v4_cross(bias.ang, at) +
                                                 tr_v4_cross(velocity.ang, point)));
}

tr_vec3 tr_program_angular_rate(const tr_program *program, const double *accel) {
    const tr_vec3 bias = program->angular_bias;
    double sum[3] = {bias.x, bias.y, bias.z};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < program->dof; j++)
            sum[k] += program->row[TR_PROGRAM_ANGULAR + k][j] * accel[j];
    return (tr_vec3){sum[0], sum[1], sum[2]};
}

void tr_program_set_gram(tr_program *program) {
    tr_program *p = program;
    double share[TR_DOF_MAX];
    for (int a = 0; a < p->rows; a++) {
        for (int j = 0; j < p->dof; j++)
            share[j] = p->row[a][j] / p->weight[j];
        for (int b = a; b < p->rows; b++) {
            double sum = 0;
            for (int j = 0; j < p->dof; j++)
                sum += share[j] * p->row[b][j];
            p->gram[a][b] = p->gram[b][a] = sum;
        }
    }
}

tr_status tr_program_solve(const tr_program *program, double softness, double *out_accel) {
    const tr_program *p = program;
    double factor[TR_PROGRAM_ROWS_MAX * TR_PROGRAM_ROWS_MAX], y[TR_PROGRAM_ROWS_MAX];
    /* Left: C D^-1 C^T + E. Right: b - C q0. */
    for (int a = 0; a < p->rows; a++) {
        const bool angular = a >= TR_PROGRAM_ANGULAR && a < TR_PROGRAM_BODIES;
        memcpy(factor + (size_t)a * (size_t)p->rows, p->gram[a], (size_t)p->rows * sizeof *factor);
        factor[a * p->rows + a] *= 1 + (angular ? softness : 0) + FIRM;
        y[a] = p->goal[a];
        for (int j = 0; j < p->dof; j++)
            y[a] -= p->row[a][j] * p->wish[j];
    }
    tr_status status = tr_cholesky_factor(p->rows, factor);
    if (status)
        return TR_DATA_LOSS;
    tr_cholesky_solve(p->rows, factor, 1, y);
    for (int j = 0; j < p->dof; j++) {
        /* qdd = q0 + D^-1 C^T y */
        double pull = 0;
        for (int a = 0; a < p->rows; a++)
            pull += p->row[a][j] * y[a];
        out_accel[j] = p->wish[j] + pull / p->weight[j];
    }
    return tr_all_finite(out_accel, p->dof) ? TR_OK : TR_DATA_LOSS;
}
