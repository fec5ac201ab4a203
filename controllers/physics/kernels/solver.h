/* Constraint blocks: the rows between one pair of bodies. Internal to physics/.
 *
 * Row i asks for J_i V + bias_i + cfm_i lambda_i = 0 with lambda_i in its bounds. The derivation
 * stands at solver.c. */
#pragma once

#include "physics/kernels/tree.h"

enum {
    TR_BLOCK_CONTACTS = 4,
    TR_BLOCK_ROWS = 3 * TR_BLOCK_CONTACTS,
    TR_BLOCK_GROUPS = 3,
    TR_BLOCK_TIED = 6 /* rows of a tie */
};

typedef enum tr_block_kind {
    TR_BLOCK_CONTACT, /* three rows each: normal, two tangents within the cone of the normal */
    TR_BLOCK_TURNING, /* of one contact: spin about the normal, and perhaps roll about two tangents;
                         bounded by the contact's normal impulse */
    TR_BLOCK_LIMIT,   /* one row that pushes and never pulls */
    TR_BLOCK_TIE      /* up to six rows without bounds, solved together */
} tr_block_kind;

typedef struct tr_block tr_block;
struct tr_block {
    tr_block_kind kind;
    int row_count;
    int contact_index[TR_BLOCK_CONTACTS]; /* contact[contact_index[k]] has rows 3k to 3k + 2 */
    double friction[TR_BLOCK_CONTACTS];
    /* Of a turning block: N m of spin and of roll for each N of contact `owner_contact` of `owner`. */
    const tr_block *owner;
    int owner_contact;
    double torsional, rolling;
    tr_tree *tree[2]; /* [1] may be NULL: static */
    int body[2];
    double bias[TR_BLOCK_ROWS];       /* velocity units */
    double cfm[TR_BLOCK_ROWS];        /* velocity per impulse */
    tr_spatial row[2][TR_BLOCK_ROWS]; /* J, force directions about the tree's origin */

    /* The solver's; lane of row i is [i / 4][i % 4]. Scaled by -1 / A_ii, see solver.c. */
    tr_v4 column[2][6][TR_BLOCK_GROUPS];          /* J by components */
    tr_v4 scaled[TR_BLOCK_ROWS][TR_BLOCK_GROUPS]; /* columns of A, zero on the diagonal */
    double diagonal[TR_BLOCK_ROWS];               /* A_ii */
    /* Of contact k: A over its two tangents as {A_11, A_12, A_22}, the inverse of that, and 1 / det. */
    double tangent[TR_BLOCK_CONTACTS][3], tangent_inverse[TR_BLOCK_CONTACTS][3];
    double tangent_scale[TR_BLOCK_CONTACTS];
    tr_v4 offset[TR_BLOCK_GROUPS], keep[TR_BLOCK_GROUPS];
    tr_v4 lambda[TR_BLOCK_GROUPS]; /* impulses, N s */
    tr_v4 change[TR_BLOCK_GROUPS]; /* of lambda in this sweep */
    tr_v4 course[TR_BLOCK_GROUPS]; /* from where the search continues */
};

static inline double tr_block_impulse(const tr_block *block, int row) {
    return block->lambda[row / 4][row % 4];
}

/* A contact's normal impulse. */
static inline double tr_block_normal_impulse(const tr_block *block, int contact) {
    return tr_block_impulse(block, 3 * contact);
}

typedef struct tr_solve_params {
    tr_tree *const *tree; /* [tree_count] that the blocks act on */
    int tree_count;
    int sweeps;       /* at most */
    double tolerance; /* done when no row's velocity changes by more in a sweep, m/s */
} tr_solve_params;

/* How a solution went. */
typedef struct tr_solve_result {
    int sweeps;
    bool converged;
} tr_solve_result;
