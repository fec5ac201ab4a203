/* The contact solver: projected Gauss-Seidel over blocks of rows.
 *
 * With V the velocities at the end of the step without constraints and lambda the impulses, each row wants
 *     v_i = J_i (V + Omega J^T lambda) + bias_i + (cfm / h) lambda_i = 0,   low_i <= lambda_i <= high_i
 * (complementary: at a bound, v_i may have the sign that leaves it there). Contacts: lambda_n >= 0 and a friction pyramid
 * |lambda_t| <= mu lambda_n; limits: lambda >= 0; pins: unbounded. The bias carries the correction of penetration.
 *
 * The matrix A = J Omega J^T + cfm/h is never formed as a whole. A block holds the rows between one pair of bodies and its
 * own A (at most 12 x 12). A sweep visits the blocks in order:
 *     r = bias + cfm/h lambda + J V          from the present velocities of its two bodies
 *     Gauss-Seidel over its rows, r kept up to date with columns of A
 *     V_k += Omega_kb J_b^T dlambda          for every touched body k of the trees that it acts on
 * Since nobody reads the velocities in between, this is the Gauss-Seidel of the whole matrix, row by row, at a cost and
 * a memory linear in the number of blocks. */
#include "physics/kernel_name.h"

/* --- preparation --- */

/* J by components, so that J V is six multiplications of whole groups of rows. */
static void set_columns(tr_block *block, int side) {
    for (int k = 0; k < 6; k++)
        for (int g = 0; g < TR_BLOCK_GROUPS; g++)
            block->column[side][k][g] = tr_v4_zero();
    for (int i = 0; i < block->row_count; i++)
        for (int k = 0; k < 3; k++) {
            block->column[side][k][i / 4][i % 4] = block->row[side][i].ang[k];
            block->column[side][3 + k][i / 4][i % 4] = block->row[side][i].lin[k];
        }
}

/* r += J v */
TR_INLINE void add_row_velocities(const tr_block *block, int side, tr_spatial v, tr_v4 *r) {
    for (int g = 0; g < TR_BLOCK_GROUPS; g++) {
        tr_v4 sum = block->column[side][0][g] * v.ang[0];
        sum += block->column[side][1][g] * v.ang[1];
        sum += block->column[side][2][g] * v.ang[2];
        tr_v4 more = block->column[side][3][g] * v.lin[0];
        more += block->column[side][4][g] * v.lin[1];
        more += block->column[side][5][g] * v.lin[2];
        r[g] += sum + more;
    }
}

static int side_count(const tr_block *block) {
    return block->tree[1] ? 2 : 1;
}

/* Velocity of side `to` per impulse on side `from`; NULL when they are not of one tree. */
static const tr_spatial_matrix *coupling(const tr_block *block, int to, int from) {
    const tr_tree *tree = block->tree[to];
    if (tree != block->tree[from])
        return NULL;
    return &tree->response[tree->slot[block->body[to]] * tree->touched_count +
                           tree->slot[block->body[from]]];
}

static void prepare(tr_block *block, double cfm_per_h) {
    int sides = side_count(block);
    for (int s = 0; s < sides; s++)
        set_columns(block, s);
    for (int i = 0; i < block->row_count; i++) {
        tr_v4 *a = block->local[i];
        for (int g = 0; g < TR_BLOCK_GROUPS; g++)
            a[g] = tr_v4_zero();
        for (int to = 0; to < sides; to++) {
            for (int from = 0; from < sides; from++) {
                const tr_spatial_matrix *omega = coupling(block, to, from);
                if (omega)
                    add_row_velocities(block, to,
                                       tr_spatial_matrix_apply(omega, block->row[from][i]), a);
            }
        }
        a[i / 4][i % 4] += cfm_per_h;
        block->inverse[i] = 1.0 / a[i / 4][i % 4];
    }
    for (int i = 0; i < TR_BLOCK_ROWS; i++) {
        block->offset[i / 4][i % 4] = i < block->row_count ? block->bias[i] : 0.0;
        block->lambda[i] = 0;
    }
}

/* --- sweeps --- */

typedef struct tr_progress {
    double change, largest; /* of the impulses in this sweep */
} tr_progress;

TR_INLINE void note(tr_progress *progress, double change, double lambda) {
    change = fabs(change);
    progress->change = change > progress->change ? change : progress->change;
    progress->largest = lambda > progress->largest ? lambda : progress->largest;
}

TR_INLINE double clamp(double x, double low, double high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

/* The three rows of contact k; r and lambda hold the whole block. Normal first, then friction inside the new bound. */
TR_INLINE void relax_contact(tr_block *block, int k, double *r, double *change,
                             tr_progress *progress) {
    const int n = 3 * k;
    const double *an = (const double *)block->local[n];
    const double *at = (const double *)block->local[n + 1];
    double *lambda = block->lambda + n;
    double normal = lambda[0] - r[n] * block->inverse[n];
    normal = normal > 0 ? normal : 0;
    change[n] = normal - lambda[0];
    double limit = block->friction[k] * normal;
    double r1 = r[n + 1] + an[n + 1] * change[n];
    double first = clamp(lambda[1] - r1 * block->inverse[n + 1], -limit, limit);
    change[n + 1] = first - lambda[1];
    double r2 = r[n + 2] + an[n + 2] * change[n] + at[n + 2] * change[n + 1];
    double second = clamp(lambda[2] - r2 * block->inverse[n + 2], -limit, limit);
    change[n + 2] = second - lambda[2];
    lambda[0] = normal;
    lambda[1] = first;
    lambda[2] = second;
    note(progress, change[n], normal);
    note(progress, change[n + 1], normal);
    note(progress, change[n + 2], normal);
    for (int g = 0; g < TR_BLOCK_GROUPS; g++) {
        tr_v4 *rg = (tr_v4 *)r + g;
        *rg += block->local[n][g] * change[n] + block->local[n + 1][g] * change[n + 1] +
               block->local[n + 2][g] * change[n + 2];
    }
}

TR_INLINE void relax_row(tr_block *block, int i, double *r, double *change, tr_progress *progress) {
    double x = block->lambda[i] - r[i] * block->inverse[i];
    if (block->kind == TR_BLOCK_LIMIT)
        x = x > 0 ? x : 0;
    change[i] = x - block->lambda[i];
    block->lambda[i] = x;
    note(progress, change[i], fabs(x));
    for (int g = 0; g < TR_BLOCK_GROUPS; g++) {
        tr_v4 *rg = (tr_v4 *)r + g;
        *rg += block->local[i][g] * change[i];
    }
}

/* Carries an impulse on one body to the velocities of all touched bodies of its tree. */
TR_INLINE void spread(tr_tree *tree, int slot, tr_spatial impulse) {
    const tr_spatial_matrix *response = tree->response + slot;
    int m = tree->touched_count;
    for (int k = 0; k < m; k++) {
        tr_spatial change = tr_spatial_matrix_apply(&response[k * m], impulse);
        tree->touch_velocity[k] = tr_spatial_add(tree->touch_velocity[k], change);
    }
    tree->impulse[slot] = tr_spatial_add(tree->impulse[slot], impulse);
}

static void relax_block(tr_block *block, double cfm_per_h, tr_progress *progress) {
    tr_v4 residual[TR_BLOCK_GROUPS];
    double *r = (double *)residual, change[TR_BLOCK_ROWS] = {0};
    int sides = side_count(block), rows = block->row_count;
    for (int g = 0; g < TR_BLOCK_GROUPS; g++)
        residual[g] = block->offset[g] + ((const tr_v4 *)block->lambda)[g] * cfm_per_h;
    for (int s = 0; s < sides; s++) {
        const tr_tree *tree = block->tree[s];
        add_row_velocities(block, s, tree->touch_velocity[tree->slot[block->body[s]]], residual);
    }
    if (block->kind == TR_BLOCK_CONTACT) {
        for (int k = 0; 3 * k < rows; k++)
            relax_contact(block, k, r, change, progress);
    } else {
        for (int i = 0; i < rows; i++)
            relax_row(block, i, r, change, progress);
    }
    for (int s = 0; s < sides; s++) {
        tr_spatial impulse = tr_spatial_scale(block->row[s][0], change[0]);
        for (int i = 1; i < rows; i++)
            impulse = tr_spatial_add_scaled(impulse, change[i], block->row[s][i]);
        spread(block->tree[s], block->tree[s]->slot[block->body[s]], impulse);
    }
}

int TR_KERNEL(tr_solver_relax)(tr_block *blocks, int count, const tr_solve_params *params) {
    for (int b = 0; b < count; b++)
        prepare(&blocks[b], params->cfm_per_h);
    for (int sweep = 1; sweep <= params->iterations; sweep++) {
        tr_progress progress = {0, 0};
        for (int b = 0; b < count; b++)
            relax_block(&blocks[b], params->cfm_per_h, &progress);
        if (progress.change <= params->tolerance * progress.largest)
            return sweep;
    }
    return params->iterations;
}
