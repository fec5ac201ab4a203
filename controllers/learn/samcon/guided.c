#include "learn/samcon/guided.h"

#include "math/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The tuples (s, a) of one fragment, as rows: S and A before their means are taken off. */
typedef struct tuples {
    int count;
    double *s, *a; /* [count][TR_FEATURE_COUNT], [count][size] */
} tuples;

static void gather(const tr_walk *walk, int fragment, int size, tuples *out) {
    out->count = 0;
    for (int q = 0; q < walk->count; q++) {
        const tr_walk_step *step = &walk->step[q];
        /* The policy cannot know of a push: what the sample did then does not follow from s. */
        if (step->fragment != fragment || step->pushed)
            continue;
        memcpy(out->s + out->count * TR_FEATURE_COUNT, step->features.s, sizeof step->features.s);
        memcpy(out->a + out->count * size, step->action, (size_t)size * sizeof *out->a);
        out->count++;
    }
}

/* Total variance of the actions over all dimensions. */
static double variance(const tuples *data, int size) {
    double sum = 0;
    for (int j = 0; j < size; j++) {
        double mean = 0;
        for (int i = 0; i < data->count; i++)
            mean += data->a[i * size + j] / data->count;
        for (int i = 0; i < data->count; i++) {
            double d = data->a[i * size + j] - mean;
            sum += d * d / data->count;
        }
    }
    return sum;
}

/* Fits one policy; *out_r2: explained share of the variance. */
static tr_status fit(const tuples *data, int size, const tr_guided_def *def, tr_policy *out,
                     double *out_r2) {
    double m[TR_ACTION_MAX * TR_FEATURE_COUNT], c[TR_ACTION_MAX], residual[TR_ACTION_MAX];
    /* M by eq. 19, a_hat by eq. 15, and the deviations of eq. 16 (liu2015-guided). */
    tr_regression regression = {.count = data->count,
                                .state_size = TR_FEATURE_COUNT,
                                .action_size = size,
                                .s = data->s,
                                .a = data->a,
                                .lambda = def->lambda};
    tr_status status = tr_linalg_regress(&regression, m, c, residual);
    if (status)
        return status == TR_INVALID_ARGUMENT ? TR_FAILED_PRECONDITION : status;
    tr_policy policy = {0};
    double left = 0, total = variance(data, size);
    for (int j = 0; j < size; j++) {
        memcpy(policy.m[j], m + j * TR_FEATURE_COUNT, sizeof policy.m[j]);
        policy.offset[j] = c[j];
        /* Without a floor exploration would die out as the policy comes to explain its own
         * samples. */
        policy.sigma[j] = fmax(residual[j], def->sigma_floor_rad);
        left += residual[j] * residual[j];
    }
    *out = policy;
    *out_r2 = total > 0 ? 1 - left / total : 0;
    return TR_OK;
}

/* Moves M and a_hat the given share of the way to the fitted ones; the exploration is the new
 * one. */
static void blend_policy(tr_policy *policy, const tr_policy *fitted, double share) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            policy->m[i][j] += share * (fitted->m[i][j] - policy->m[i][j]);
        policy->offset[i] += share * (fitted->offset[i] - policy->offset[i]);
        policy->sigma[i] = fitted->sigma[i];
    }
}

tr_status tr_guided_regress(const tr_walk *walk, const tr_guided_def *def, tr_bank *bank,
                            tr_guided_result *out) {
    int size = bank->action.size, fragments = bank->fragment_count;
    size_t rows = (size_t)walk->count;
    double *memory = malloc(rows * (size_t)(TR_FEATURE_COUNT + size) * sizeof *memory);
    tr_policy *fitted = calloc((size_t)fragments, sizeof *fitted);
    tr_status status = memory && fitted ? TR_OK : TR_RESOURCE_EXHAUSTED;
    tr_guided_result result = {.cost = walk->cost, .rollbacks = walk->rollbacks};
    /* Fit all fragments before any policy changes, so that a failure leaves the bank as it was. */
    for (int k = 0; k < fragments && !status; k++) {
        tuples data = {0, memory, memory + rows * TR_FEATURE_COUNT};
        double r2 = 0;
        gather(walk, k, size, &data);
        status = fit(&data, size, def, &fitted[k], &r2);
        result.r2 += r2 / fragments;
        for (int j = 0; j < size; j++)
            result.sigma_rad += fitted[k].sigma[j] / size / fragments;
    }
    if (!status) {
        for (int k = 0; k < fragments; k++)
            blend_policy(&bank->fragment[k].policy, &fitted[k], def->blend);
        *out = result;
    }
    free(fitted);
    free(memory);
    return status;
}

tr_status tr_guided_iterate(tr_ensemble *ensemble, const tr_guided_def *def,
                            tr_controller *controller, tr_guided_result *out) {
    tr_walk walk;
    tr_status status = tr_samcon_walk(ensemble, controller, &def->walk, &walk);
    if (status)
        return status;
    status = tr_guided_regress(&walk, def, tr_controller_bank(controller), out);
    tr_walk_deinit(&walk);
    return status;
}
