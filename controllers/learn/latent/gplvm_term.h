/* What the terms of the latent variable model share: index lists, hyper-parameters, and the
 * derivatives of a Gaussian process. Internal to gplvm.c and the terms. */
#pragma once

#include "learn/latent/gplvm.h"

/* The point that a term is evaluated at. x: [frame_count][dimension] */
typedef struct tr_gplvm_point {
    const double *x;
    tr_gplvm_hyper hyper;
} tr_gplvm_point;

/* Derivatives of a term's value. x: [frame_count][dimension]; hyper: by the fields of
 * tr_gplvm_hyper. Terms add to all. */
typedef struct tr_gplvm_slope {
    double *x;
    tr_gplvm_hyper hyper;
} tr_gplvm_slope;

/* The work of a term. Numbers of each list are frames: of velocities the later frame of a step, of
 * dynamics the last of three. */
typedef struct tr_gplvm_problem {
    tr_gplvm_data data;
    tr_gplvm_settings settings;
    int *step_frame;  /* [step_count] */
    int *third_frame; /* [third_count] */
    int third_count;
    double velocity_amplitude;
} tr_gplvm_problem;

/* Room of one Gaussian process of at most `count` points with `inputs` coordinates. */
typedef struct tr_gp_room {
    double *distance, *other_distance; /* [count][count] */
    double *shape;                     /* [count][count]: the kernel without its noise */
    double *inverse, *slope;           /* [count][count] */
    double *target, *solved, *scaled;  /* [count][outputs] */
    double *weight;                    /* [outputs]: W squared */
    double *input, *input_slope;       /* [count][inputs] */
    int *groups;                       /* [outputs + 1] */
} tr_gp_room;

tr_status tr_gp_room_init(tr_gp_room *out, int count, int inputs, int outputs) TR_NODISCARD;
void tr_gp_room_deinit(tr_gp_room *room); /* of zeros is fine */

/* Computes the squared distances between rows of x: [count][size]; out: [count][count]. */
void tr_gp_distances(int count, int size, const double *x, double *out);

/* out += the derivatives with respect to x of a value whose derivatives with respect to
 * |x_i - x_j|^2 are slope_ij, symmetric: 4 sum_j slope_ij (x_i - x_j). x, out: [count][size]. */
void tr_gp_pull(int count, int size, const double *slope, const double *x, double *out);

/* Likelihood of channels under the covariance K (eq. 1), the weights W in closed form by groups of
 * channels that share one:
 *
 *   L = -1/2 sum_k w_k^2 y_k^T K^-1 y_k - d/2 ln|K| + n sum_k ln w_k
 *   dL/dK = (K^-1 Y W^2 Y^T K^-1 - d K^-1) / 2
 *   w_k^2 = n m / (sum of y^T K^-1 y over the m channels of k's group)
 *
 * groups: the first channel of each group, ascending, then the number of channels; no groups:
 * weights of one (the dynamics, whose scale is gamma_1). */
typedef struct tr_gp_likelihood {
    int count, outputs;
    const double *target; /* [count][outputs] */
    const int *groups;    /* [group_count + 1] */
    int group_count;
} tr_gp_likelihood;

/* In: room->inverse holds the lower triangle of K. Out: it holds K^-1, room->slope dL/dK,
 * room->solved K^-1 Y and room->weight W^2. NAN: K is not positive definite. */
double tr_gp_likelihood_of(const tr_gp_likelihood *likelihood, tr_gp_room *room);

/* A term adds its derivatives to `slope` and returns its value; NAN: it is not defined here. */
typedef double tr_gplvm_term_fn(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                                tr_gp_room *room, tr_gplvm_slope *slope);

tr_gplvm_term_fn tr_gplvm_pose_term, tr_gplvm_velocity_term, tr_gplvm_dynamics_term;
