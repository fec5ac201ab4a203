/* Constraint blocks: the rows between one pair of bodies. Internal to physics/.
 *
 * Row i asks for J_i V + bias_i + cfm/h lambda_i = 0 with lambda_i in its bounds: contacts (three
 * rows each: normal, two tangents), joint limits (one row), pins (three rows). The derivation
 * stands at solver.c. */
#ifndef TROUPE_PHYSICS_SOLVER_H
#define TROUPE_PHYSICS_SOLVER_H

#include "physics/tree.h"

enum { TR_BLOCK_CONTACTS = 4, TR_BLOCK_ROWS = 3 * TR_BLOCK_CONTACTS, TR_BLOCK_GROUPS = 3 };

typedef enum tr_block_kind { TR_BLOCK_CONTACT, TR_BLOCK_LIMIT, TR_BLOCK_PIN } tr_block_kind;

typedef struct tr_block {
    tr_block_kind kind;
    int row_count;
    int first_contact; /* contact blocks: contact[contact_index[k]] has rows 3k to 3k + 2 */
    int contact_index[TR_BLOCK_CONTACTS];
    double friction[TR_BLOCK_CONTACTS];
    tr_tree *tree[2]; /* [1] may be NULL: static */
    int body[2];
    double bias[TR_BLOCK_ROWS];       /* velocity units */
    tr_spatial row[2][TR_BLOCK_ROWS]; /* J, force directions about the tree's origin */

    /* The solver's; lane of row i is [i / 4][i % 4]. Scaled by -1 / A_ii, see solver.c. */
    tr_v4 column[2][6][TR_BLOCK_GROUPS];          /* J by components */
    tr_v4 scaled[TR_BLOCK_ROWS][TR_BLOCK_GROUPS]; /* columns of A, zero on the diagonal */
    tr_v4 offset[TR_BLOCK_GROUPS], keep[TR_BLOCK_GROUPS];
    tr_v4 lambda[TR_BLOCK_GROUPS]; /* impulses, N s */
} tr_block;

static inline double tr_block_impulse(const tr_block *block, int row) {
    return block->lambda[row / 4][row % 4];
}

typedef struct tr_solve_params {
    double cfm_per_h;
    int iterations;
    double tolerance;
} tr_solve_params;

#endif
