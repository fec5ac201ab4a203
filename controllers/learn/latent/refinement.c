/* Where a latent policy needs more samples (levine2012, section 5.5). */
#include "learn/latent/value_iteration.h"

#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTER_ROUNDS = 8 };

/* A cluster's variance is this share of the mean |v|^2 of its members. */
static const double WIDTH = 1.0 / 16;

/* What the trajectories visited.
 *   row    [visits][2 dimension], as samples
 *   error  [visits], squared Bellman errors
 *   step   [visits], |v|^2, weighted as v in a row */
typedef struct journey {
    const tr_value_iteration *iteration;
    const tr_latent_policy *policy;
    const tr_refinement *refinement;
    int visits, size;
    double *row, *error, *step;
} journey;

/* --- trajectories --- */

static tr_goal draw_goal(const tr_goal_grid *grid, tr_random *r) {
    tr_goal goal = {{0}};
    for (int a = 0; a < grid->axis_count; a++) {
        const tr_goal_axis *axis = &grid->axis[a];
        double share = axis->cells > 1 ? tr_random_uniform(r) : 0;
        goal.value[a] = axis->low + share * (axis->high - axis->low);
    }
    return goal;
}

static double square_of(int count, const double *values) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum;
}

static void travel(void *context, int trajectory, int worker) {
    (void)worker;
    journey *j = context;
    const tr_latent_policy *policy = j->policy;
    const tr_latent_space *space = j->iteration->space;
    const int q = policy->dimension;
    tr_random r = tr_random_split(j->refinement->seed, 1, (uint64_t)trajectory);
    int frame = (int)(tr_random_uniform(&r) * space->learned.frame_count);
    tr_latent_state state = tr_latent_space_state(space, frame);
    tr_goal goal = {{0}};
    for (int i = 0; i < j->refinement->steps; i++) {
        size_t visit = (size_t)trajectory * (size_t)j->refinement->steps + (size_t)i;
        if (i % j->refinement->goal_steps == 0)
            goal = draw_goal(&policy->task.grid, &r);
        double *row = j->row + visit * (size_t)j->size;
        double value = tr_latent_policy_value(policy, &state, &goal);
        tr_latent_decision d =
            tr_latent_policy_decide(policy, space, j->iteration->model, &state, &goal);
        tr_latent_policy_row(&policy->choice, q, &state, row);
        /* The squared Bellman error. */
        j->error[visit] = (value - d.total) * (value - d.total);
        j->step[visit] = square_of(q, row + q);
        state = d.next.state;
        goal = d.goal;
    }
}

/* --- clusters --- */

/* Centres with fixed widths, moved by expectation and maximisation.
 *   row    [count][size]
 *   width  [count], variances
 *   sum    [count][size], mass, step: of the round */
typedef struct clusters {
    int count, size;
    double *row, *width, *sum, *mass, *step;
} clusters;

static tr_status make_clusters(clusters *c, int count, int size) {
    size_t n = (size_t)count, coordinates = n * (size_t)size;
    *c = (clusters){.count = count, .size = size};
    c->row = calloc(2 * coordinates + 3 * n, sizeof *c->row);
    if (!c->row)
        return TR_RESOURCE_EXHAUSTED;
    c->sum = c->row + coordinates;
    c->width = c->sum + coordinates;
    c->mass = c->width + n;
    c->step = c->mass + n;
    return TR_OK;
}

/* Draws a visit with the probability of its error. */
static int draw_visit(const journey *j, double total, tr_random *r) {
    double left = tr_random_uniform(r) * total;
    for (int i = 0; i < j->visits; i++) {
        left -= j->error[i];
        if (left < 0)
            return i;
    }
    return j->visits - 1;
}

static void place_cluster(const journey *j, clusters *c, int at, double total, tr_random *r) {
    int visit = draw_visit(j, total, r);
    memcpy(c->row + at * c->size, j->row + (size_t)visit * (size_t)c->size,
           (size_t)c->size * sizeof *c->row);
    c->width[at] = WIDTH * j->step[visit];
}

/* Shares a visit among the clusters: proportional to width^-size/2 exp(-d^2 / 2 width). */
static void share_visit(const clusters *c, const double *row, double *out) {
    double largest = -(double)INFINITY, sum = 0;
    for (int k = 0; k < c->count; k++) {
        double square = 0, width = fmax(c->width[k], 1e-12);
        for (int d = 0; d < c->size; d++) {
            double e = row[d] - c->row[k * c->size + d];
            square += e * e;
        }
        out[k] = -0.5 * square / width - 0.5 * c->size * log(width);
        largest = fmax(largest, out[k]);
    }
    /* Relative to the largest, so that not all of them become 0. */
    for (int k = 0; k < c->count; k++) {
        out[k] = exp(out[k] - largest);
        sum += out[k];
    }
    for (int k = 0; k < c->count; k++)
        out[k] /= sum;
}

/* Sums the visits of each cluster, weighted by their errors. share: [count], room. */
static void move_clusters(const journey *j, clusters *c, double *share) {
    const size_t size = (size_t)c->size;
    memset(c->sum, 0, (size_t)c->count * size * sizeof *c->sum);
    memset(c->mass, 0, (size_t)c->count * sizeof *c->mass);
    memset(c->step, 0, (size_t)c->count * sizeof *c->step);
    for (int i = 0; i < j->visits; i++) {
        const double *row = j->row + (size_t)i * size;
        share_visit(c, row, share);
        for (int k = 0; k < c->count; k++) {
            double weight = share[k] * j->error[i];
            if (weight < 1e-30)
                continue;
            c->mass[k] += weight;
            c->step[k] += weight * j->step[i];
            for (int d = 0; d < c->size; d++)
                c->sum[k * c->size + d] += weight * row[d];
        }
    }
}

static tr_status find_clusters(const journey *j, clusters *c) {
    tr_random r = tr_random_split(j->refinement->seed, 2, 0);
    double total = 0, *share = calloc((size_t)c->count, sizeof *share);
    if (!share)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < j->visits; i++)
        total += j->error[i];
    for (int k = 0; k < c->count; k++)
        place_cluster(j, c, k, total, &r);
    /* Expectation and maximisation; widths follow the steps of the members. */
    for (int round = 0; round < CLUSTER_ROUNDS; round++) {
        move_clusters(j, c, share);
        for (int k = 0; k < c->count; k++) {
            if (c->mass[k] < 1e-12 * total) { /* nothing belongs to it */
                place_cluster(j, c, k, total, &r);
                continue;
            }
            for (int d = 0; d < c->size; d++)
                c->row[k * c->size + d] = c->sum[k * c->size + d] / c->mass[k];
            c->width[k] = WIDTH * c->step[k] / c->mass[k];
        }
    }
    free(share);
    return TR_OK;
}

/* --- the larger policy --- */

static tr_status join(const journey *j, const clusters *c, tr_latent_policy **out) {
    const tr_latent_policy *policy = j->policy;
    const int q = policy->dimension, count = policy->sample_count + c->count;
    double *rows = calloc((size_t)count * (size_t)c->size, sizeof *rows);
    if (!rows)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < policy->sample_count; i++)
        for (int d = 0; d < c->size; d++)
            rows[i * c->size + d] = policy->sample[(size_t)d * (size_t)policy->stride + (size_t)i];
    memcpy(rows + policy->sample_count * c->size, c->row,
           (size_t)c->count * (size_t)c->size * sizeof *rows);
    tr_latent_policy *joined = NULL;
    tr_status status =
        tr_latent_policy_create(&policy->choice, &policy->task, q, count, rows, &joined);
    free(rows);
    if (status)
        return status;
    const size_t cells = (size_t)policy->cell_count;
    memcpy(joined->value, policy->value,
           (size_t)policy->sample_count * cells * sizeof *joined->value);
    /* New samples begin at the values that the smaller policy has there. */
    for (int i = policy->sample_count; i < count; i++) {
        tr_latent_state state = tr_latent_policy_sample(joined, i);
        for (int cell = 0; cell < policy->cell_count; cell++) {
            tr_goal goal = tr_goal_grid_goal(&policy->task.grid, cell);
            joined->value[(size_t)i * cells + (size_t)cell] =
                tr_latent_policy_value(policy, &state, &goal);
        }
    }
    *out = joined;
    return TR_OK;
}

tr_status tr_value_iteration_refine(const tr_value_iteration *iteration,
                                    const tr_latent_policy *policy, const tr_refinement *refinement,
                                    tr_latent_policy **out, double *out_error) {
    journey j = {.iteration = iteration,
                 .policy = policy,
                 .refinement = refinement,
                 .visits = refinement->trajectories * refinement->steps,
                 .size = 2 * policy->dimension};
    clusters c = {0};
    size_t visits = (size_t)j.visits;
    j.row = calloc(visits * ((size_t)j.size + 2), sizeof *j.row);
    tr_status status =
        j.row ? make_clusters(&c, refinement->centres, j.size) : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        /* Trajectories by the policy: where they went, and the Bellman error there. */
        j.error = j.row + visits * (size_t)j.size;
        j.step = j.error + visits;
        size_t steps = (size_t)refinement->steps;
        const tr_ranks_result results[] = {{j.row, steps * (size_t)j.size * sizeof *j.row},
                                           {j.error, steps * sizeof *j.error},
                                           {j.step, steps * sizeof *j.step},
                                           {0}};
        tr_pool_share(iteration->pool, travel, &j, refinement->trajectories, results);
        status = find_clusters(&j, &c);
    }
    if (!status) {
        /* The error is that of all visits; the centres of the clusters join the samples. */
        double sum = 0;
        for (int i = 0; i < j.visits; i++)
            sum += j.error[i];
        *out_error = sqrt(sum / j.visits);
        status = join(&j, &c, out);
    }
    free(c.row);
    free(j.row);
    return status;
}
