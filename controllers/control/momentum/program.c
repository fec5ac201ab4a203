#include "control/momentum/program.h"

#include "math/cholesky.h"
#include "math/elementary.h"

#include <string.h>

static const double FIRM = 1e-5, ROOT_SHARE = 1e-3, LEAST_INERTIA = 0.05;

/* The turn that is left: of a joint, joint frame; of the root, world. */
static tr_vec3 turn_left(const tr_program_posture *posture, const tr_state *state, int body) {
    const tr_quat goal = body > 0 ? posture->joint[body] : posture->root_rot;
    const tr_quat now = body > 0 ? state->pose.joint[body] : state->pose.root_rot;
    return tr_quat_log(tr_quat_mul(goal, tr_quat_conj(now)));
}

void tr_program_set_posture(const tr_dynamics *dynamics, const tr_state *state,
                            const tr_program_posture *posture, tr_program *out) {
    const tr_dynamics *d = dynamics;
    out->dof = d->dof;
    for (int i = 0; i < d->model->body_count; i++) {
        const tr_vec3 error = turn_left(posture, state, i);
        const double turn[3] = {d->dofs[i] == 1 ? tr_vec3_dot(error, d->model->body[i].axis)
                                                : error.x,
                                error.y, error.z};
        for (int k = 0; k < d->dofs[i]; k++) {
            const int j = d->first[i] + k;
            const double inertia = tr_spatial_dot(d->axis[j], d->momentum_axis[j]);
            out->wish[j] = k < 3 ? posture->stiffness * turn[k] - posture->damping * d->rate[j] : 0;
            out->weight[j] = (inertia + LEAST_INERTIA) * (k < 3 ? 1 : ROOT_SHARE);
        }
    }
}

void tr_program_add_momenta(const tr_dynamics *dynamics, const tr_vec3 axis[3], tr_program *out) {
    for (int j = 0; j < out->dof; j++) {
        const tr_vec3 linear = tr_v4_to(dynamics->momentum_axis[j].lin);
        const tr_vec3 angular = tr_v4_to(dynamics->momentum_axis[j].ang);
        for (int k = 0; k < 3; k++) {
            out->row[TR_PROGRAM_LINEAR + k][j] = tr_vec3_dot(linear, axis[k]);
            out->row[TR_PROGRAM_ANGULAR + k][j] = tr_vec3_dot(angular, axis[k]);
        }
    }
    out->rows = TR_PROGRAM_BODIES;
}

int tr_program_add_body(const tr_dynamics *dynamics, int body, tr_v4 at, const tr_vec3 axis[3],
                        tr_program *out) {
    const tr_dynamics *d = dynamics;
    const int first = out->rows;
    for (int i = body; i >= 0; i = d->model->body[i].parent)
        for (int j = d->first[i]; j < d->first[i] + d->dofs[i]; j++) {
            const tr_vec3 turn = tr_v4_to(d->axis[j].ang);
            const tr_vec3 point = tr_v4_to(d->axis[j].lin + tr_v4_cross(d->axis[j].ang, at));
            for (int k = 0; k < 3; k++) {
                out->row[first + k][j] = tr_vec3_dot(turn, axis[k]);
                out->row[first + 3 + k][j] = tr_vec3_dot(point, axis[k]);
            }
        }
    out->rows += 6;
    return first;
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
        double pull = 0;
        for (int a = 0; a < p->rows; a++)
            pull += p->row[a][j] * y[a];
        out_accel[j] = p->wish[j] + pull / p->weight[j];
    }
    return tr_all_finite(out_accel, p->dof) ? TR_OK : TR_DATA_LOSS;
}
