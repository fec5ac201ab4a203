/* The contact solver: projected Gauss-Seidel over blocks of rows.
 *
 * With V the velocities at the end of the step without constraints and lambda the impulses, each
 * row wants
 *     v_i = J_i (V + Omega J^T lambda) + bias_i + (cfm / h) lambda_i = 0,
 *     low_i <= lambda_i <= high_i
 * (complementary: at a bound, v_i may have the sign that leaves it there). Contacts: lambda_n >= 0
 * and a friction pyramid |lambda_t| <= mu lambda_n; limits: lambda >= 0; pins: unbounded. The bias
 * carries the correction of penetration.
 *
 * The matrix A = J Omega J^T + cfm/h is never formed as a whole. A block holds the rows between one
 * pair of bodies and its own A (at most 12 x 12). For each row Gauss-Seidel wants the impulse that
 * would satisfy it,
 *     y_i = lambda_i - v_i / A_ii,
 * and takes lambda_i = clamp(y_i). A change d of lambda_i moves the other rows' y_j by
 * -d A_ji / A_jj and leaves y_i as it is. So all is scaled by -1 / A_ii once, and a sweep visits
 * the blocks in order:
 *     y = (1 - cfm/h / A_ii) lambda - bias / A_ii - J V / A_ii    V: its two bodies' at present
 *     row by row: lambda_i = clamp(y_i), y += column i of the scaled A times the change
 *     V_k += Omega_kb J_b^T dlambda        for every touched body k of the trees that it acts on
 * Since nobody reads the velocities in between, this is the Gauss-Seidel of the whole matrix, row
 * by row, at a cost and a memory linear in the number of blocks. */
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
TR_INLINE void add_row_velocities(const tr_block *block, int side, tr_spatial v, int groups,
                                  tr_v4 *r) {
    for (int g = 0; g < groups; g++) {
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

/* A = J Omega J^T + cfm/h into block->scaled, unscaled as yet; 1 / A_ii into `inverse`. */
static void set_matrix(tr_block *block, double cfm_per_h, double *inverse) {
    int sides = side_count(block);
    for (int i = 0; i < block->row_count; i++) {
        tr_v4 *a = block->scaled[i];
        for (int g = 0; g < TR_BLOCK_GROUPS; g++)
            a[g] = tr_v4_zero();
        for (int to = 0; to < sides; to++) {
            for (int from = 0; from < sides; from++) {
                const tr_spatial_matrix *omega = coupling(block, to, from);
                if (omega)
                    add_row_velocities(block, to,
                                       tr_spatial_matrix_apply(omega, block->row[from][i]),
                                       TR_BLOCK_GROUPS, a);
            }
        }
        double diagonal = a[i / 4][i % 4] + cfm_per_h;
        a[i / 4][i % 4] = 0;
        inverse[i] = 1.0 / diagonal;
    }
}

/* A pin's three rows have no bounds, so they are solved at once: a point far from the centre of
 * mass couples them too strongly to go one by one. dlambda = -A^-1 v = A^-1 diag(A) (y - lambda);
 * that matrix goes where the columns of A were. */
static void set_pin_matrix(tr_block *block, const double *inverse) {
    tr_m3 a;
    for (int i = 0; i < 3; i++) {
        a.column[i] = block->scaled[i][0];
        a.column[i][i] = 1.0 / inverse[i];
    }
    tr_m3 solution = tr_m3_inverse_symmetric(&a);
    for (int i = 0; i < 3; i++)
        block->scaled[i][0] = solution.column[i] * a.column[i][i];
}

static void prepare(tr_block *block, double cfm_per_h) {
    int sides = side_count(block);
    tr_v4 scale[TR_BLOCK_GROUPS];
    _Alignas(32) double inverse[TR_BLOCK_ROWS] = {0};
    for (int s = 0; s < sides; s++)
        set_columns(block, s);
    set_matrix(block, cfm_per_h, inverse);
    for (int g = 0; g < TR_BLOCK_GROUPS; g++) {
        tr_v4 bias = tr_v4_zero();
        for (int k = 0; k < 4; k++)
            bias[k] = 4 * g + k < block->row_count ? block->bias[4 * g + k] : 0.0;
        scale[g] = -((const tr_v4 *)inverse)[g];
        block->keep[g] = 1.0 + scale[g] * cfm_per_h;
        block->offset[g] = bias * scale[g];
        block->lambda[g] = tr_v4_zero();
    }
    for (int i = 0; i < block->row_count && block->kind != TR_BLOCK_PIN; i++)
        for (int g = 0; g < TR_BLOCK_GROUPS; g++)
            block->scaled[i][g] *= scale[g];
    if (block->kind == TR_BLOCK_PIN)
        set_pin_matrix(block, inverse);
    for (int s = 0; s < sides; s++)
        for (int k = 0; k < 6; k++)
            for (int g = 0; g < TR_BLOCK_GROUPS; g++)
                block->column[s][k][g] *= scale[g];
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

/* y += scaled column i times the change of row i */
TR_INLINE void carry(const tr_block *block, int i, double change, int groups, tr_v4 *y) {
    for (int g = 0; g < groups; g++)
        y[g] += block->scaled[i][g] * change;
}

/* The three rows of contact k: the normal first, then friction inside the bound that it gives. */
TR_INLINE void relax_contact(tr_block *block, int k, int groups, tr_v4 *y, double *change,
                             tr_progress *progress) {
    const int n = 3 * k;
    const double *want = (const double *)y + n;
    const double *by_normal = (const double *)block->scaled[n] + n;
    const double *by_first = (const double *)block->scaled[n + 1] + n;
    double *lambda = (double *)block->lambda + n;
    double normal = want[0] > 0 ? want[0] : 0;
    double limit = block->friction[k] * normal;
    double d0 = normal - lambda[0];
    double first = clamp(want[1] + by_normal[1] * d0, -limit, limit);
    double d1 = first - lambda[1];
    double second = clamp((want[2] + by_normal[2] * d0) + by_first[2] * d1, -limit, limit);
    double d2 = second - lambda[2];
    lambda[0] = normal;
    lambda[1] = first;
    lambda[2] = second;
    change[n] = d0;
    change[n + 1] = d1;
    change[n + 2] = d2;
    note(progress, d0, normal);
    note(progress, d1, normal);
    note(progress, d2, normal);
    carry(block, n, d0, groups, y);
    carry(block, n + 1, d1, groups, y);
    carry(block, n + 2, d2, groups, y);
}

/* A limit: its one row pushes and never pulls. */
TR_INLINE void relax_limit(tr_block *block, const tr_v4 *y, double *change, tr_progress *progress) {
    double x = y[0][0] > 0 ? y[0][0] : 0;
    change[0] = x - block->lambda[0][0];
    block->lambda[0][0] = x;
    note(progress, change[0], x);
}

TR_INLINE void relax_pin(tr_block *block, const tr_v4 *y, double *change, tr_progress *progress) {
    tr_v4 left = y[0] - block->lambda[0];
    tr_v4 d = block->scaled[0][0] * left[0] + block->scaled[1][0] * left[1] +
              block->scaled[2][0] * left[2];
    block->lambda[0] += d;
    for (int i = 0; i < 3; i++) {
        change[i] = d[i];
        note(progress, d[i], fabs(block->lambda[0][i]));
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

/* `groups` is a constant at each call, so that the loops over groups unroll. */
TR_INLINE void relax_groups(tr_block *block, int groups, tr_progress *progress) {
    tr_v4 y[TR_BLOCK_GROUPS];
    double change[TR_BLOCK_ROWS] = {0};
    int sides = side_count(block), rows = block->row_count;
    for (int g = 0; g < groups; g++)
        y[g] = block->offset[g] + block->keep[g] * block->lambda[g];
    for (int s = 0; s < sides; s++) {
        const tr_tree *tree = block->tree[s];
        add_row_velocities(block, s, tree->touch_velocity[tree->slot[block->body[s]]], groups, y);
    }
    if (block->kind == TR_BLOCK_CONTACT) {
        for (int k = 0; 3 * k < rows && k < 4 * groups / 3; k++)
            relax_contact(block, k, groups, y, change, progress);
    } else if (block->kind == TR_BLOCK_PIN) {
        relax_pin(block, y, change, progress);
    } else {
        relax_limit(block, y, change, progress);
    }
    for (int s = 0; s < sides; s++) {
        tr_spatial impulse = tr_spatial_scale(block->row[s][0], change[0]);
        for (int i = 1; i < rows; i++)
            impulse = tr_spatial_add_scaled(impulse, change[i], block->row[s][i]);
        spread(block->tree[s], block->tree[s]->slot[block->body[s]], impulse);
    }
}

static void relax_block(tr_block *block, tr_progress *progress) {
    if (block->row_count <= 4)
        relax_groups(block, 1, progress);
    else if (block->row_count <= 8)
        relax_groups(block, 2, progress);
    else
        relax_groups(block, 3, progress);
}

int TR_KERNEL(tr_solver_relax)(tr_block *blocks, int count, const tr_solve_params *params) {
    for (int b = 0; b < count; b++)
        prepare(&blocks[b], params->cfm_per_h);
    for (int sweep = 1; sweep <= params->iterations; sweep++) {
        tr_progress progress = {0, 0};
        for (int b = 0; b < count; b++)
            relax_block(&blocks[b], &progress);
        if (progress.change <= params->tolerance * progress.largest)
            return sweep;
    }
    return params->iterations;
}
