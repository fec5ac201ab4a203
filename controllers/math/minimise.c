#include "math/minimise.h"

#include <lbfgs.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct search {
    const tr_minimise_problem *problem;
    tr_minimise_progress progress;
} search;

static lbfgsfloatval_t evaluate(void *instance, const lbfgsfloatval_t *x, lbfgsfloatval_t *gradient,
                                const int size, const lbfgsfloatval_t step) {
    (void)size, (void)step;
    search *s = instance;
    s->progress.evaluations++;
    double value = s->problem->evaluate(s->problem->context, x, gradient);
    return isfinite(value) ? value : (double)INFINITY;
}

static int note(void *instance, const lbfgsfloatval_t *x, const lbfgsfloatval_t *gradient,
                const lbfgsfloatval_t value, const lbfgsfloatval_t x_norm,
                const lbfgsfloatval_t gradient_norm, const lbfgsfloatval_t step, int size,
                int iterations, int trials) {
    (void)x, (void)gradient, (void)x_norm, (void)gradient_norm, (void)step, (void)size,
        (void)trials;
    search *s = instance;
    s->progress.iterations = iterations;
    s->progress.value = value;
    return 0;
}

/* Whether liblbfgs never began: errors of its line search come later. */
static tr_status status_of(int code) {
    if (code == LBFGSERR_OUTOFMEMORY)
        return TR_RESOURCE_EXHAUSTED;
    const bool began = code >= LBFGSERR_OUTOFINTERVAL; /* results are not negative, errors are */
    return began ? TR_OK : TR_INVALID_ARGUMENT;
}

tr_status tr_minimise(const tr_minimise_problem *problem, double *x, tr_minimise_progress *out) {
    if (problem->size < 1 || problem->memory < 3 || problem->memory > 50 || problem->iterations < 1)
        return TR_INVALID_ARGUMENT;
    lbfgs_parameter_t parameter;
    lbfgs_parameter_init(&parameter);
    parameter.m = problem->memory;
    parameter.max_iterations = problem->iterations;
    parameter.epsilon = problem->tolerance;
    /* Backtracking copes with infinite values; the interpolation of the default search does not. */
    parameter.linesearch = LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
    search s = {.problem = problem};
    double *point = lbfgs_malloc(problem->size), *gradient = lbfgs_malloc(problem->size);
    tr_status status = point && gradient ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        double value = s.problem->evaluate(s.problem->context, x, gradient);
        s.progress = (tr_minimise_progress){.value = value};
        status = isfinite(value) ? TR_OK : TR_FAILED_PRECONDITION;
    }
    if (!status) {
        memcpy(point, x, (size_t)problem->size * sizeof *point);
        status = status_of(lbfgs(problem->size, point, NULL, evaluate, note, &s, &parameter));
    }
    if (!status) {
        memcpy(x, point, (size_t)problem->size * sizeof *x);
        *out = s.progress;
    }
    lbfgs_free(point);
    lbfgs_free(gradient);
    return status;
}
