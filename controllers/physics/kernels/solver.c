/* The contact solver: projected Gauss-Seidel over blocks of rows, accelerated by conjugate
 * directions.
 *
 * With V the velocities at the end of the step without constraints and lambda the impulses, each
 * row requires
 *     v_i = J_i (V + Omega J^T lambda) + bias_i + cfm_i lambda_i = 0,   lambda in its bounds
 * (complementary: at a bound, v_i may have the sign that leaves it there). A contact's normal:
 * lambda_n >= 0; its tangents: |lambda_t| <= mu lambda_n as one vector, a true cone; a limit:
 * lambda >= 0; a tie: no bounds. The bias carries the correction of penetration.
 *
 * The matrix A = J Omega J^T + cfm is never formed as a whole. A block holds the rows between one
 * pair of bodies and their part of A (at most 12 x 12). For each row Gauss-Seidel computes the impulse
 * that would satisfy it,
 *     y_i = lambda_i - v_i / A_ii,
 * and takes lambda_i = clamp(y_i). A change d of lambda_i moves the other rows' y_j by
 * -d A_ji / A_jj and does not change y_i. So all is scaled by -1 / A_ii once, and a sweep visits
 * the blocks in order:
 *     y = (1 - cfm / A_ii) lambda - bias / A_ii - J V / A_ii       V: its two bodies' at present
 *     row by row: lambda_i = clamp(y_i), y += column i of the scaled A times the change
 *     V_k += Omega_kb J_b^T dlambda        for every touched body k of the trees that it acts on
 * Since no other row reads the velocities in between, this is the Gauss-Seidel of the whole matrix, row
 * by row, at a cost and a memory linear in the number of blocks.
 *
 * The two tangents of a contact are solved together: where sticking would leave the cone, the
 * impulse on its rim that dissipates most is that of (A_tt + sigma 1) lambda = A_tt stick with
 * |lambda| = mu lambda_n, found by Newton's method on sigma (More and Sorensen 1983). It opposes
 * the slip in every direction alike.
 *
 * The change by a sweep is a descent direction of the same quadratic form. Following Silcowitz,
 * Niebe and Erleben ("A nonsmooth nonlinear conjugate gradient method for interactive contact force
 * problems", The Visual Computer 2010), the next sweep starts from lambda + beta course with
 *     beta = |change|^2 / |last change|^2,        course = beta course + change,
 * or from lambda alone when beta > 1. Velocities and impulses follow by the same sums, because they
 * are linear in lambda. Nothing is kept from step to step: a state alone determines the next one. */
#include "physics/kernels/kernel_name.h"
#include "physics/spatial/lanes.h"

/* --- preparation --- */

/* J by components, so that J V is six multiplications of whole groups of rows. */
TR_INLINE void set_columns(tr_block *block, int side, int groups) {
    for (int g = 0; g < groups; g++) {
        tr_v4 ang[4], lin[4];
        for (int k = 0; k < 4; k++) {
            bool used = 4 * g + k < block->row_count;
            const tr_spatial *row = &block->row[side][4 * g + k];
            ang[k] = used ? row->ang : tr_v4_zero();
            lin[k] = used ? row->lin : tr_v4_zero();
        }
        tr_v4_transpose(ang);
        tr_v4_transpose(lin);
        for (int k = 0; k < 3; k++) {
            block->column[side][k][g] = ang[k];
            block->column[side][3 + k][g] = lin[k];
        }
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

/* A = J Omega J^T + cfm into block->scaled, unscaled as yet, its diagonal apart. */
TR_INLINE void set_matrix(tr_block *block, int groups) {
    int rows = block->row_count, sides = side_count(block);
    for (int i = 0; i < rows; i++)
        for (int g = 0; g < groups; g++)
            block->scaled[i][g] = tr_v4_zero();
    for (int pair = 0; pair < sides * sides; pair++) {
        int to = pair / sides, from = pair % sides;
        if (block->tree[to] != block->tree[from])
            continue;
        tr_spatial_matrix omega =
            tr_tree_response(block->tree[to], block->body[to], block->body[from]);
        for (int i = 0; i < rows; i++)
            add_row_velocities(block, to, tr_spatial_matrix_apply(&omega, block->row[from][i]),
                               groups, block->scaled[i]);
    }
    for (int i = 0; i < rows; i++) {
        tr_v4 *own = &block->scaled[i][i / 4];
        block->diagonal[i] = (*own)[i % 4] + block->cfm[i];
        (*own)[i % 4] = 0;
    }
}

static void set_tangents(tr_block *block) {
    for (int k = 0; 3 * k < block->row_count; k++) {
        int p = 3 * k + 1, q = 3 * k + 2;
        double a = block->diagonal[p], c = block->diagonal[q];
        double b = block->scaled[p][q / 4][q % 4], d = 1.0 / (a * c - b * b);
        double *tangent = block->tangent[k], *inverse = block->tangent_inverse[k];
        block->tangent_scale[k] = d;
        tangent[0] = a;
        tangent[1] = b;
        tangent[2] = c;
        inverse[0] = c * d;
        inverse[1] = -b * d;
        inverse[2] = a * d;
    }
}

/* The rows of a tie have no bounds, so they are solved together: a point far from the centre of
 * mass couples them too strongly to go one by one. dlambda = -A^-1 v = A^-1 diag(A) (y - lambda);
 * that matrix goes where the columns of A were. The inverse column by column, by the factors A = L
 * D L^T. */
static void set_tie(tr_block *block) {
    int n = block->row_count;
    double l[TR_BLOCK_TIED][TR_BLOCK_TIED], d[TR_BLOCK_TIED];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? block->diagonal[i] : block->scaled[j][i / 4][i % 4];
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k] * d[k];
            if (j < i)
                l[i][j] = sum / d[j];
            else
                d[i] = sum;
        }
    }
    for (int c = 0; c < n; c++) {
        double x[TR_BLOCK_TIED];
        for (int i = 0; i < n; i++) {
            x[i] = i == c ? block->diagonal[c] : 0;
            for (int k = 0; k < i; k++)
                x[i] -= l[i][k] * x[k];
        }
        for (int i = n - 1; i >= 0; i--) {
            x[i] /= d[i];
            for (int k = i + 1; k < n; k++)
                x[i] -= l[k][i] * x[k];
        }
        for (int g = 0; g < TR_BLOCK_GROUPS; g++)
            for (int k = 0; k < 4; k++)
                block->scaled[c][g][k] = 4 * g + k < n ? x[4 * g + k] : 0.0;
    }
}

/* Group g of what each row has, zero beyond the last row. */
TR_INLINE tr_v4 group_of(const tr_block *block, int g, tr_v4 values) {
    tr_v4_mask row = {4 * g, 4 * g + 1, 4 * g + 2, 4 * g + 3};
    return tr_v4_select(row < block->row_count, values, tr_v4_zero());
}

/* `groups` is a constant at each call, so that the loops over groups unroll. */
TR_INLINE void prepare_groups(tr_block *block, int groups) {
    int sides = side_count(block);
    tr_v4 scale[TR_BLOCK_GROUPS];
    for (int s = 0; s < sides; s++)
        set_columns(block, s, groups);
    set_matrix(block, groups);
    if (block->kind == TR_BLOCK_CONTACT)
        set_tangents(block);
    for (int g = 0; g < groups; g++) {
        scale[g] = group_of(block, g, -1.0 / tr_v4_load(&block->diagonal[4 * g]));
        block->keep[g] = 1.0 + scale[g] * group_of(block, g, tr_v4_load(&block->cfm[4 * g]));
        block->offset[g] = scale[g] * group_of(block, g, tr_v4_load(&block->bias[4 * g]));
        block->lambda[g] = block->change[g] = block->course[g] = tr_v4_zero();
    }
    if (block->kind == TR_BLOCK_TIE)
        set_tie(block);
    for (int i = 0; i < block->row_count && block->kind != TR_BLOCK_TIE; i++)
        for (int g = 0; g < groups; g++)
            block->scaled[i][g] *= scale[g];
    for (int s = 0; s < sides; s++)
        for (int k = 0; k < 6; k++)
            for (int g = 0; g < groups; g++)
                block->column[s][k][g] *= scale[g];
}

static void prepare(tr_block *block) {
    if (block->row_count <= 4)
        prepare_groups(block, 1);
    else if (block->row_count <= 8)
        prepare_groups(block, 2);
    else
        prepare_groups(block, 3);
}

/* --- one sweep --- */

/* y += scaled column i times the change of row i */
TR_INLINE void carry(const tr_block *block, int i, double change, int groups, tr_v4 *y) {
    for (int g = 0; g < groups; g++)
        y[g] += block->scaled[i][g] * change;
}

/* What a sweep has changed. */
typedef struct tr_progress {
    double velocity; /* of a row, most */
    tr_v4 square;    /* of impulses, by lanes */
} tr_progress;

TR_INLINE void note(tr_progress *progress, double change) {
    change = fabs(change);
    progress->velocity = change > progress->velocity ? change : progress->velocity;
}

/* The point of the disc |x| <= limit where the form with matrix A = {A_11, A_12, A_22} about
 * `stick` is least, for a stick outside of it. d: 1 / det A. */
static void slide(const double *a, double d, double limit, double stick[2]) {
    double q[2] = {a[0] * stick[0] + a[1] * stick[1], a[1] * stick[0] + a[2] * stick[1]};
    double sigma = 0, x = 0, y = 0, length = 0;
    for (int i = 0; i < 8; i++) {
        double p = a[0] + sigma, r = a[2] + sigma;
        if (i > 0)
            d = 1 / (p * r - a[1] * a[1]);
        x = (r * q[0] - a[1] * q[1]) * d;
        y = (p * q[1] - a[1] * q[0]) * d;
        length = sqrt(x * x + y * y);
        if (length <= limit * (1 + 1e-9))
            break;
        double slope = (r * x * x - 2 * a[1] * x * y + p * y * y) * d;
        sigma += length * length / slope * (length - limit) / limit;
    }
    double k = length > limit ? limit / length : 1;
    stick[0] = x * k;
    stick[1] = y * k;
}

/* The share of its change that the normal of contact k makes, 1 / (1 + s / A_nn). On the rim of the
 * cone friction follows the normal, which pushes the normal back by s = mu A_nt d per unit, d the
 * direction of friction. Where s > A_nn whole changes would swing ever wider. */
TR_INLINE double normal_share(const tr_block *block, int n, const double *a,
                              const double *by_normal, const double *lambda) {
    double across = lambda[1] * lambda[1] + lambda[2] * lambda[2];
    double limit = block->friction[n / 3] * lambda[0];
    if (lambda[0] <= 0 || across < limit * limit * (1 - 1e-6))
        return 1;
    double back = -(by_normal[1] * a[0] * lambda[1] + by_normal[2] * a[2] * lambda[2]);
    double own = block->diagonal[n] * lambda[0];
    return back > 0 ? own / (own + back) : 1;
}

/* The three rows of contact k: the normal first, then friction within the cone that it gives. */
TR_INLINE void relax_contact(tr_block *block, int k, int groups, tr_v4 *y, double *change,
                             tr_progress *progress) {
    const int n = 3 * k;
    const double *want = (const double *)y + n;
    const double *by_normal = (const double *)block->scaled[n] + n;
    const double *a = block->tangent[k], *inverse = block->tangent_inverse[k];
    double *lambda = (double *)block->lambda + n;
    double normal =
        lambda[0] + normal_share(block, n, a, by_normal, lambda) * (want[0] - lambda[0]);
    normal = normal > 0 ? normal : 0;
    double limit = block->friction[k] * normal;
    double d0 = normal - lambda[0];
    double p = a[0] * ((want[1] + by_normal[1] * d0) - lambda[1]);
    double q = a[2] * ((want[2] + by_normal[2] * d0) - lambda[2]);
    double across[2] = {lambda[1] + (inverse[0] * p + inverse[1] * q),
                        lambda[2] + (inverse[1] * p + inverse[2] * q)};
    if (limit == 0)
        across[0] = across[1] = 0;
    else if (across[0] * across[0] + across[1] * across[1] > limit * limit)
        slide(a, block->tangent_scale[k], limit, across);
    double d1 = across[0] - lambda[1], d2 = across[1] - lambda[2];
    lambda[0] = normal;
    lambda[1] = across[0];
    lambda[2] = across[1];
    change[n] = d0;
    change[n + 1] = d1;
    change[n + 2] = d2;
    note(progress, d0 * block->diagonal[n]);
    note(progress, d1 * a[0]);
    note(progress, d2 * a[2]);
    if (n + 3 == block->row_count)
        return;
    carry(block, n, d0, groups, y);
    carry(block, n + 1, d1, groups, y);
    carry(block, n + 2, d2, groups, y);
}

TR_INLINE void relax_limit(tr_block *block, const tr_v4 *y, double *change, tr_progress *progress) {
    double x = y[0][0] > 0 ? y[0][0] : 0;
    change[0] = x - block->lambda[0][0];
    block->lambda[0][0] = x;
    note(progress, change[0] * block->diagonal[0]);
}

TR_INLINE void relax_tie(tr_block *block, int groups, const tr_v4 *y, double *change,
                         tr_progress *progress) {
    tr_v4 d[TR_BLOCK_GROUPS];
    for (int g = 0; g < groups; g++)
        d[g] = tr_v4_zero();
    for (int i = 0; i < block->row_count; i++) {
        double left = y[i / 4][i % 4] - block->lambda[i / 4][i % 4];
        note(progress, left * block->diagonal[i]);
        for (int g = 0; g < groups; g++)
            d[g] += block->scaled[i][g] * left;
    }
    for (int g = 0; g < groups; g++)
        block->lambda[g] += d[g];
    for (int i = 0; i < block->row_count; i++)
        change[i] = d[i / 4][i % 4];
}

static double bounded(double x, double bound) {
    return x > bound ? bound : x < -bound ? -bound : x;
}

/* Spin is solved separately; roll, if any, as a vector that is shortened to its bound. */
static void relax_turning(tr_block *block, tr_v4 *y, double *change, tr_progress *progress) {
    double normal = tr_block_normal_impulse(block->owner, block->owner_contact);
    double next[3] = {bounded(y[0][0], block->torsional * normal), y[0][1], y[0][2]};
    double length = sqrt(next[1] * next[1] + next[2] * next[2]), most = block->rolling * normal;
    double k = length > most ? most / length : 1;
    next[1] *= k;
    next[2] *= k;
    for (int i = 0; i < block->row_count && i < 3; i++) {
        change[i] = next[i] - block->lambda[0][i];
        block->lambda[0][i] = next[i];
        note(progress, change[i] * block->diagonal[i]);
    }
}

/* Carries an impulse on one body to the velocities of all touched bodies of its tree. */
TR_INLINE void spread(tr_tree *tree, int slot, tr_spatial impulse) {
    int count = 6 * tree->touched_count, stride = tr_tree_stride(tree->touched_count);
    const double *by[6];
    for (int k = 0; k < 6; k++)
        by[k] = tree->response + (6 * slot + k) * stride;
    for (int i = 0; i < count; i += 4) {
        tr_v4 turn = tr_v4_load(by[0] + i) * impulse.ang[0] +
                     tr_v4_load(by[1] + i) * impulse.ang[1] +
                     tr_v4_load(by[2] + i) * impulse.ang[2];
        tr_v4 push = tr_v4_load(by[3] + i) * impulse.lin[0] +
                     tr_v4_load(by[4] + i) * impulse.lin[1] +
                     tr_v4_load(by[5] + i) * impulse.lin[2];
        tree->touch_velocity[i / 4] += turn + push;
    }
    tree->impulse[slot] = tr_spatial_add(tree->impulse[slot], impulse);
}

/* lambda moves ahead along its course, to which the last change is then added. */
TR_INLINE void go_ahead(tr_block *block, int groups, double beta) {
    for (int g = 0; g < groups; g++) {
        tr_v4 ahead = block->course[g] * beta;
        block->lambda[g] += ahead;
        block->course[g] = ahead + block->change[g];
    }
}

/* `groups` is a constant at each call, so that the loops over groups unroll. */
TR_INLINE void relax_groups(tr_block *block, int groups, double beta, tr_progress *progress) {
    tr_v4 y[TR_BLOCK_GROUPS];
    tr_v4 changes[TR_BLOCK_GROUPS];
    double *change = (double *)changes;
    int sides = side_count(block), rows = block->row_count;
    go_ahead(block, groups, beta);
    for (int g = 0; g < groups; g++) {
        changes[g] = tr_v4_zero();
        y[g] = block->offset[g] + block->keep[g] * block->lambda[g];
    }
    for (int s = 0; s < sides; s++) {
        const tr_tree *tree = block->tree[s];
        const double *v = (const double *)tree->touch_velocity + 6 * tree->slot[block->body[s]];
        tr_spatial velocity = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
        add_row_velocities(block, s, velocity, groups, y);
    }
    if (block->kind == TR_BLOCK_CONTACT) {
        for (int k = 0; 3 * k < rows && k < 4 * groups / 3; k++)
            relax_contact(block, k, groups, y, change, progress);
    } else if (block->kind == TR_BLOCK_TIE) {
        relax_tie(block, groups, y, change, progress);
    } else if (block->kind == TR_BLOCK_TURNING) {
        relax_turning(block, y, change, progress);
    } else {
        relax_limit(block, y, change, progress);
    }
    for (int g = 0; g < groups; g++) {
        block->change[g] = changes[g];
        progress->square += changes[g] * changes[g];
    }
    for (int s = 0; s < sides; s++) {
        tr_spatial impulse = tr_spatial_scale(block->row[s][0], change[0]);
        for (int i = 1; i < rows; i++)
            impulse = tr_spatial_add_scaled(impulse, change[i], block->row[s][i]);
        spread(block->tree[s], block->tree[s]->slot[block->body[s]], impulse);
    }
}

static void relax_block(tr_block *block, double beta, tr_progress *progress) {
    if (block->row_count <= 4)
        relax_groups(block, 1, beta, progress);
    else if (block->row_count <= 8)
        relax_groups(block, 2, beta, progress);
    else
        relax_groups(block, 3, beta, progress);
}

/* --- between sweeps --- */

static void begin_course(const tr_solve_params *params) {
    for (int t = 0; t < params->tree_count; t++) {
        tr_tree *tree = params->tree[t];
        for (int g = 0; 4 * g < 6 * tree->touched_count; g++) {
            tree->swept_velocity[g] = tree->touch_velocity[g];
            tree->course_velocity[g] = tr_v4_zero();
        }
        for (int k = 0; k < tree->touched_count; k++)
            tree->swept_impulse[k] = tree->course_impulse[k] = tr_spatial_zero();
    }
}

/* x += beta course, course = beta course + (x before - last); last = x. */
TR_INLINE void follow(tr_v4 *x, tr_v4 *course, tr_v4 *last, double beta) {
    tr_v4 ahead = *course * beta;
    *course = ahead + (*x - *last);
    *x = *last = *x + ahead;
}

/* Adds the course to all quantities that are linear in lambda, before the blocks' next visit. */
static void follow_course(const tr_solve_params *params, double beta) {
    for (int t = 0; t < params->tree_count; t++) {
        tr_tree *tree = params->tree[t];
        for (int g = 0; 4 * g < 6 * tree->touched_count; g++)
            follow(&tree->touch_velocity[g], &tree->course_velocity[g], &tree->swept_velocity[g],
                   beta);
        for (int k = 0; k < tree->touched_count; k++) {
            tr_spatial *course = &tree->course_impulse[k], *last = &tree->swept_impulse[k];
            follow(&tree->impulse[k].ang, &course->ang, &last->ang, beta);
            follow(&tree->impulse[k].lin, &course->lin, &last->lin, beta);
        }
    }
}

tr_solve_result TR_KERNEL(tr_solver_relax)(tr_block *blocks, int count,
                                           const tr_solve_params *params) {
    for (int b = 0; b < count; b++)
        prepare(&blocks[b]);
    begin_course(params);
    double last = 0, beta = 0;
    for (int sweep = 1;; sweep++) {
        tr_progress progress = {0, tr_v4_zero()};
        for (int b = 0; b < count; b++)
            relax_block(&blocks[b], beta, &progress);
        bool converged = progress.velocity <= params->tolerance;
        if (converged || sweep >= params->sweeps)
            return (tr_solve_result){sweep, converged};
        tr_v4 sum = progress.square;
        double square = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        beta = sweep > 1 && square <= last ? square / last : 0;
        follow_course(params, beta);
        last = square;
    }
}
