/* Value iteration over the samples of a latent policy, and their refinement (levine2012, sections
 * 5.4 and 5.5).
 *
 * The candidates of every sample, their ends and the neighbours of these do not depend on the goal
 * or the values and are computed once; then
 *
 *   V(s_i) <- max_a R(s_i, a) + R_Q + gamma V(a(s_i))
 *
 * until no value changes by more than the tolerance. Deterministic whatever the number of threads.
 */
#pragma once

#include "control/latent/latent_policy.h"
#include "learn/rehearsal/pool.h"

typedef struct tr_value_iteration {
    const tr_model *model;
    const tr_latent_space *space;
    tr_pool *pool;
    double tolerance;
    int sweeps_max;
} tr_value_iteration;

/* Makes the values of the policy, from those it has. out_sweeps: made; sweeps_max: it did not
 * converge. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_value_iteration_run(const tr_value_iteration *iteration, tr_latent_policy *policy,
                                 int *out_sweeps) TR_NODISCARD;

/* A policy with more samples: the centres of clusters of states that trajectories visit, weighted by
 * the squares of their Bellman errors.
 *   trajectories, steps  number and length
 *   goal_steps           steps until a trajectory draws another goal
 *   centres              samples added */
typedef struct tr_refinement {
    int trajectories, steps, goal_steps, centres;
    uint64_t seed;
} tr_refinement;

/* out has the old samples with their values, and new ones with the values that the old policy gives
 * them. out_error: root mean square Bellman error. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_value_iteration_refine(const tr_value_iteration *iteration,
                                    const tr_latent_policy *policy, const tr_refinement *refinement,
                                    tr_latent_policy **out, double *out_error) TR_NODISCARD;
