#include "learn/balance/linear_model.h"

#include "math/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_ = TR_LINEAR_STATE_MAX + TR_LINEAR_ACTION_MAX + 1 };
enum { AFFINE_MAX = TR_LINEAR_STATE_MAX + 1 };

static const double SPREAD_LEAST = 1e-6;

tr_status tr_linear_samples_init(tr_linear_samples *samples, int states, int actions,
                                 int capacity) {
    if (states < 1 || states > TR_LINEAR_STATE_MAX || actions < 1 ||
        actions > TR_LINEAR_ACTION_MAX || capacity < 1)
        return TR_INVALID_ARGUMENT;
    tr_linear_samples made = {.states = states, .actions = actions, .capacity = capacity};
    made.row = calloc((size_t)capacity * (size_t)tr_linear_row_size(&made), sizeof *made.row);
    if (!made.row)
        return TR_RESOURCE_EXHAUSTED;
    *samples = made;
    return TR_OK;
}

void tr_linear_samples_deinit(tr_linear_samples *samples) {
    free(samples->row);
    *samples = (tr_linear_samples){0};
}

double *tr_linear_samples_add(tr_linear_samples *samples) {
    if (samples->count == samples->capacity)
        return NULL;
    return samples->row + (size_t)samples->count++ * (size_t)tr_linear_row_size(samples);
}

/* --- identification --- */

static const double *row_of(const tr_linear_samples *s, int index) {
    return s->row + (size_t)index * (size_t)tr_linear_row_size(s);
}

/* Fills the root mean squares of states and actions; 1 for the constant. */
static void spreads(const tr_linear_samples *s, double *out) {
    int inputs = s->states + s->actions;
    memset(out, 0, (size_t)inputs * sizeof *out);
    for (int r = 0; r < s->count; r++)
        for (int i = 0; i < inputs; i++)
            out[i] += row_of(s, r)[i] * row_of(s, r)[i];
    for (int i = 0; i < inputs; i++)
        out[i] = sqrt(out[i] / s->count) + SPREAD_LEAST;
    out[inputs] = 1;
}

typedef struct normal_equations {
    int inputs;                              /* states, actions, constant */
    double left[SIZE_MAX_ * SIZE_MAX_];      /* [inputs][inputs] */
    double right[SIZE_MAX_ * SIZE_MAX_];     /* [inputs][states] */
    double spread[SIZE_MAX_], in[SIZE_MAX_]; /* scaled inputs of a row */
} normal_equations;

static void add_row(const tr_linear_samples *s, int index, bool constant, normal_equations *e) {
    const double *row = row_of(s, index), *next = row + s->states + s->actions;
    for (int i = 0; i < e->inputs - 1; i++)
        e->in[i] = row[i] / e->spread[i];
    e->in[e->inputs - 1] = constant;
    for (int i = 0; i < e->inputs; i++) {
        for (int j = 0; j < e->inputs; j++)
            e->left[i * e->inputs + j] += e->in[i] * e->in[j];
        for (int j = 0; j < s->states; j++)
            e->right[i * s->states + j] += e->in[i] * (next[j] - row[j]);
    }
}

static void take_solution(const normal_equations *e, tr_linear_model *out) {
    int n = out->states, m = out->actions;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            out->a[j * n + i] = e->right[i * n + j] / e->spread[i];
        for (int i = 0; i < m; i++)
            out->b[j * m + i] = e->right[(n + i) * n + j] / e->spread[n + i];
        out->c[j] = e->right[(n + m) * n + j];
    }
}

tr_status tr_linear_model_fit(const tr_linear_samples *samples, double ridge, bool constant,
                              tr_linear_model *out) {
    if (samples->count < samples->states + samples->actions + 1)
        return TR_INVALID_ARGUMENT;
    normal_equations *e = calloc(1, sizeof *e);
    if (!e)
        return TR_RESOURCE_EXHAUSTED;
    e->inputs = samples->states + samples->actions + 1;
    spreads(samples, e->spread);
    for (int r = 0; r < samples->count; r++)
        add_row(samples, r, constant, e);
    /* Inputs are scaled, so that the ridge weighs them alike. */
    for (int i = 0; i < e->inputs; i++)
        e->left[i * e->inputs + i] += ridge * samples->count;
    tr_status status = tr_linalg_solve_spd(e->inputs, e->left, samples->states, e->right);
    if (!status) {
        out->states = samples->states;
        out->actions = samples->actions;
        take_solution(e, out);
    }
    free(e);
    return status;
}

/* --- regulator --- */

/* The recursion, with x extended by a 1:
 *
 *   K = (R + B' P B)^-1 B' P A,   P <- Q + A' P A - (B' P A)' K
 *
 * a, p, q, pa, next: [n][n]; b, pb: [n][m]; k, bpa: [m][n]; s: [m][m] */
typedef struct recursion {
    int n, m;
    double a[AFFINE_MAX * AFFINE_MAX], p[AFFINE_MAX * AFFINE_MAX], q[AFFINE_MAX];
    double pa[AFFINE_MAX * AFFINE_MAX];
    double b[AFFINE_MAX * TR_LINEAR_ACTION_MAX], pb[AFFINE_MAX * TR_LINEAR_ACTION_MAX];
    double k[TR_LINEAR_ACTION_MAX * AFFINE_MAX], bpa[TR_LINEAR_ACTION_MAX * AFFINE_MAX];
    double s[TR_LINEAR_ACTION_MAX * TR_LINEAR_ACTION_MAX];
} recursion;

static void begin(recursion *r, const tr_linear_model *model, const double *state_cost) {
    int states = model->states, n = r->n = states + 1, m = r->m = model->actions;
    /* The model gives the change of x, hence the 1 on the diagonal; c is the column of the 1. */
    for (int i = 0; i < states; i++) {
        for (int j = 0; j < states; j++)
            r->a[i * n + j] = model->a[i * states + j] + (i == j);
        r->a[i * n + states] = model->c[i];
        for (int j = 0; j < m; j++)
            r->b[i * m + j] = model->b[i * m + j];
        r->q[i] = state_cost[i];
        r->p[i * n + i] = state_cost[i];
    }
    r->a[states * n + states] = 1;
}

static void product(int rows, int inner, int columns, const double *a, bool a_transposed,
                    const double *b, double *out) {
    const tr_product p = {.rows = rows,
                          .inner = inner,
                          .columns = columns,
                          .a = a,
                          .b = b,
                          .a_stride = a_transposed ? rows : inner,
                          .b_stride = columns,
                          .out_stride = columns,
                          .a_transposed = a_transposed,
                          .scale = 1};
    tr_linalg_multiply(&p, out);
}

static tr_status recur(recursion *r, double action_cost) {
    int n = r->n, m = r->m;
    /* K = (R + B' P B)^-1 B' P A. */
    product(n, n, n, r->p, false, r->a, r->pa);
    product(n, n, m, r->p, false, r->b, r->pb);
    product(m, n, m, r->b, true, r->pb, r->s);
    product(m, n, n, r->b, true, r->pa, r->bpa);
    for (int i = 0; i < m; i++)
        r->s[i * m + i] += action_cost;
    memcpy(r->k, r->bpa, sizeof r->k);
    tr_status status = tr_linalg_solve_spd(m, r->s, n, r->k);
    if (status)
        return status;
    /* P = Q + A' P A - (B' P A)' K; its halves are averaged, so that it remains symmetric. */
    product(n, n, n, r->a, true, r->pa, r->p);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < m; l++)
                r->p[i * n + j] -= r->bpa[l * n + i] * r->k[l * n + j];
    for (int i = 0; i < n; i++) {
        r->p[i * n + i] += r->q[i];
        for (int j = 0; j < i; j++)
            r->p[i * n + j] = r->p[j * n + i] = (r->p[i * n + j] + r->p[j * n + i]) / 2;
    }
    return isfinite(r->p[0]) ? TR_OK : TR_FAILED_PRECONDITION;
}

tr_status tr_linear_regulator(const tr_linear_model *model, const double *state_cost,
                              double action_cost, int looks, double *out_gain, double *out_offset) {
    recursion *r = calloc(1, sizeof *r);
    if (!r)
        return TR_RESOURCE_EXHAUSTED;
    begin(r, model, state_cost);
    tr_status status = TR_OK;
    for (int i = 0; !status && i < looks; i++)
        status = recur(r, action_cost);
    for (int a = 0; !status && a < r->m; a++) {
        memcpy(out_gain + (size_t)a * (size_t)model->states, r->k + (size_t)a * (size_t)r->n,
               (size_t)model->states * sizeof *out_gain);
        out_offset[a] = r->k[a * r->n + model->states];
    }
    free(r);
    return status;
}
