/* What the terms of the latent variable model share: index lists, hyper-parameters, and the
 * derivatives of a Gaussian process. Internal to gplvm.c and the terms. */
#ifndef TROUPE_LEARN_LATENT_GPLVM_TERM_H
#define TROUPE_LEARN_LATENT_GPLVM_TERM_H

#include "learn/latent/gplvm.h"

/* The point that a term is evaluated at. x: [frame_count][dimension]; inducing: those of the term,
 * [inducing][inputs of the term]. */
typedef struct tr_gplvm_point {
    const double *x, *inducing;
    tr_gplvm_hyper hyper;
} tr_gplvm_point;

/* Derivatives of a term's value. x: [frame_count][dimension]; inducing: as the point's; hyper: by
 * the fields of tr_gplvm_hyper. Terms add to all. */
typedef struct tr_gplvm_slope {
    double *x, *inducing;
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

struct tr_sparse_room;

/* Room of one Gaussian process of at most `count` points with `inputs` coordinates. With inducing
 * points the [count][count] matrices are absent, and `sparse` is there. */
typedef struct tr_gp_room {
    double *distance, *other_distance; /* [count][count] */
    double *shape;                     /* [count][count]: the kernel without its noise */
    double *inverse, *slope;           /* [count][count] */
    double *target, *solved, *scaled;  /* [count][outputs] */
    double *weight;                    /* [outputs]: W squared */
    double *input, *input_slope;       /* [count][inputs] */
    int *groups;                       /* [outputs + 1] */
    struct tr_sparse_room *sparse;
} tr_gp_room;

/* inducing: their number; 0: exact. */
tr_status tr_gp_room_init(tr_gp_room *out, int count, int inducing, int inputs,
                          int outputs) TR_NODISCARD;
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

/* Computes W^2 of each channel from the forms y^T K^-1 y; returns the value without the
 * determinant. */
double tr_gp_weigh(const tr_gp_likelihood *likelihood, const double *form, double *weight);

/* Computes y_k^T K^-1 y_k of each channel; solved: K^-1 Y. out: [outputs]. */
void tr_gp_forms(const tr_gp_likelihood *likelihood, const double *solved, double *out);

/* Shared by the exact and the sparse form of each term: the channels with their weights' groups,
 * the inputs as rows, and derivatives by rows as derivatives by points. place, step: the two halves
 * of a row, whose rows are `stride` apart. */
tr_gp_likelihood tr_gplvm_pose_likelihood(const tr_gplvm_problem *problem, tr_gp_room *room);
tr_gp_likelihood tr_gplvm_velocity_likelihood(const tr_gplvm_problem *problem, tr_gp_room *room);
void tr_gplvm_velocity_rows(const tr_gplvm_problem *problem, const double *x, int stride,
                            double *out_place, double *out_step);
void tr_gplvm_velocity_spread(const tr_gplvm_problem *problem, int stride, const double *by_place,
                              const double *by_step, double *out);
void tr_gplvm_dynamics_rows(const tr_gplvm_problem *problem, const double *x, tr_gp_room *room);
void tr_gplvm_dynamics_spread(const tr_gplvm_problem *problem, const tr_gp_room *room, double *out);
double tr_gplvm_first_two(const tr_gplvm_problem *problem, const double *x, double *out);

/* A term adds its derivatives to `slope` and returns its value; NAN: it is not defined here. */
typedef double tr_gplvm_term_fn(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                                tr_gp_room *room, tr_gplvm_slope *slope);

tr_gplvm_term_fn tr_gplvm_pose_term, tr_gplvm_velocity_term, tr_gplvm_dynamics_term;

/* Do the same with inducing points (sparse_term.c). */
tr_gplvm_term_fn tr_gplvm_sparse_pose_term, tr_gplvm_sparse_velocity_term,
    tr_gplvm_sparse_dynamics_term;

#endif
