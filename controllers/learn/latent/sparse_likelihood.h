/* Sparse Gaussian processes with inducing points, by the fully independent training conditional
 * (FITC; Snelson and Ghahramani 2006; levine2012, section 8.1, names it for larger sets).
 *
 * The covariance of n inputs u is replaced by
 *
 *   K~ = Q + L,   Q = K_uz K_zz^-1 K_zu,   L = diag(k(u_i, u_i) - Q_ii + noise)
 *
 * with m inducing points z, which are variables as the hyper-parameters are. The value and all
 * derivatives cost n m^2 instead of n^3. With B = K_uz K_zz^-1, G = dL/dK~ and H = G - diag(G):
 *
 *   dL/dK_uz = 2 H B,   dL/dK_zz = -B^T H B,   dL/dk_ii = G_ii
 *
 * Kernels are those of control/latent/gaussian_map.h, which evaluates what is learned here. */
#ifndef TROUPE_LEARN_LATENT_SPARSE_LIKELIHOOD_H
#define TROUPE_LEARN_LATENT_SPARSE_LIKELIHOOD_H

#include "control/latent/gaussian_map.h"
#include "learn/latent/gplvm_term.h"

/* Room for `count` inputs and `inducing` points. n: count, m: inducing. */
typedef struct tr_sparse_room {
    int count, inducing, inputs, outputs;
    double *uz, *b, *d, *h;            /* [n][m]: K_uz, K_uz K_zz^-1, K_uz S, dL/dK_uz */
    double *zz, *inverse, *sum, *work; /* [m][m]: K_zz, its inverse, S, dL/dK_zz */
    double *load;                      /* [n]: L */
    double *gain;                      /* [n]: G_ii */
    double *right;                     /* [m][max of m and outputs] */
    double *form;                      /* [outputs] */
} tr_sparse_room;

tr_status tr_sparse_room_create(int count, int inducing, int inputs, int outputs,
                                tr_sparse_room **out) TR_NODISCARD;
void tr_sparse_room_destroy(tr_sparse_room *room); /* NULL is fine */

/* Derivatives of the likelihood. inputs: [n][inputs], inducing: [m][inputs]; both are added to. */
typedef struct tr_sparse_slope {
    double *inputs, *inducing;
    double head_scale, tail_scale, noise;
} tr_sparse_slope;

/* Returns the likelihood of room->input's first l->count rows (gplvm_term.h), with room->solved
 * = K~^-1 Y, room->weight = W^2 and room->scaled = their product. NAN: K_zz is not positive
 * definite. */
double tr_sparse_likelihood(const tr_gp_likelihood *l, const tr_gaussian_kernel *kernel,
                            const double *inducing, tr_gp_room *room, tr_sparse_slope *slope);

#endif
