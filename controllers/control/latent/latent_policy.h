/* A policy in a latent space: which point comes next, for a goal (levine2012, section 5).
 *
 * The state of the decision is (x, v, goal). It has 17 candidates: the point to which
 * the dynamics lead, and 16 on a ring about it, perpendicular to the movement, towards the nearest
 * samples. The best is the one with the largest
 *
 *   R + R_Q + gamma V(x', v', goal'),     R_Q = -c_x |x' - f|^2 / f_sigma - c_y g_sigma(x') / mu - c_s slip
 *
 * V is kept at samples (x, v) and on a grid of goals, and interpolated: over the k nearest samples
 * with the inverse squares of their distances in (x, v), and linearly over the grid.
 *
 * A policy never changes after it has been made and may be shared by any number of threads. A
 * decision allocates nothing and has the same bits everywhere. */
#pragma once

#include "control/latent/latent_space.h"
#include "control/latent/latent_task.h"

enum {
    TR_LATENT_RING_MAX = 16,
    TR_LATENT_ACTION_MAX = 1 + TR_LATENT_RING_MAX,
    TR_LATENT_NEIGHBOUR_MAX = 16,
    TR_LATENT_SAMPLE_MAX = 8192
};

/*   discount         gamma
 *   ring             rho: the ring's radius r has exp(-r^2 / s) = rho, s the standard deviation of
 *                    the dynamics at the state
 *   ring_variance    s is the variance instead, as the paper's letter has it
 *   dynamics_weight  c_x, against the same s
 *   variance_weight  c_y
 *   slip_weight      cost of a metre per second by which standing feet slide; not in the paper
 *   step_weight      by which v counts against x in distances */
typedef struct tr_latent_choice {
    double discount, ring, dynamics_weight, variance_weight, slip_weight, step_weight;
    int ring_count, neighbour_count;
    bool ring_variance;
} tr_latent_choice;

/*   sample  [2 dimension][stride]: x, then v times step_weight; the padding lies far away
 *   value   [sample_count][cells of the grid] */
typedef struct tr_latent_policy {
    tr_latent_choice choice;
    tr_latent_task task;
    int dimension, sample_count, stride, cell_count;
    double *sample, *value;
    const struct tr_latent_kernel *loops;
} tr_latent_policy;

/* Values are zero. samples: [sample_count][2 dimension], x and v times step_weight.
 * TR_INVALID_ARGUMENT: something is out of range;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_policy_create(const tr_latent_choice *choice, const tr_latent_task *task,
                                  int dimension, int sample_count, const double *samples,
                                  tr_latent_policy **out) TR_NODISCARD;
void tr_latent_policy_destroy(tr_latent_policy *policy); /* NULL is fine */

/* Is it whole, and made for this space and model? */
bool tr_latent_policy_fits(const tr_latent_policy *policy, const tr_latent_space *space,
                           const tr_model *model);

/* Adds everything that acts. */
uint64_t tr_latent_policy_hash(const tr_latent_policy *policy, uint64_t hash);

/* The policy for the mirrored space, with its goals mirrored. TR_RESOURCE_EXHAUSTED. */
tr_status tr_latent_policy_mirror(const tr_latent_policy *policy, const tr_model *model,
                                  tr_latent_policy **out) TR_NODISCARD;

/* A state as a row of samples. out: [2 dimension]. */
void tr_latent_policy_row(const tr_latent_choice *choice, int dimension,
                          const tr_latent_state *state, double *out);

/* The state of a sample. */
tr_latent_state tr_latent_policy_sample(const tr_latent_policy *policy, int index);

/* A candidate for the next point, and where it leads.
 *   quality  R_Q */
typedef struct tr_latent_candidate {
    tr_latent_state state;
    tr_latent_outcome outcome;
    double quality;
} tr_latent_candidate;

/* The candidates of a state; returns their number. The first is where the dynamics lead. */
int tr_latent_policy_candidates(const tr_latent_policy *policy, const tr_latent_space *space,
                                const tr_model *model, const tr_latent_state *state,
                                tr_latent_candidate out[static TR_LATENT_ACTION_MAX]);

/* The samples nearest to a state and their weights, which sum to one. */
typedef struct tr_latent_neighbours {
    int count, index[TR_LATENT_NEIGHBOUR_MAX];
    double weight[TR_LATENT_NEIGHBOUR_MAX];
} tr_latent_neighbours;

tr_latent_neighbours tr_latent_policy_neighbours(const tr_latent_policy *policy,
                                                 const tr_latent_state *state);

/* V(x, v, goal). */
double tr_latent_policy_value(const tr_latent_policy *policy, const tr_latent_state *state,
                              const tr_goal *goal);

/* The best candidate.
 *   goal    after the step
 *   reward  R, without the quality
 *   total   R + R_Q + gamma V */
typedef struct tr_latent_decision {
    tr_latent_candidate next;
    tr_goal goal;
    int action;
    double reward, total;
} tr_latent_decision;

tr_latent_decision tr_latent_policy_decide(const tr_latent_policy *policy,
                                           const tr_latent_space *space, const tr_model *model,
                                           const tr_latent_state *state, const tr_goal *goal);

/* Writes and reads the section "policy" (control/fields/sections.h). */
tr_status tr_latent_policy_save(const tr_latent_policy *policy, tr_sections *out,
                                tr_error *error) TR_NODISCARD;
tr_status tr_latent_policy_load(const tr_sections *in, const tr_latent_space *space,
                                const tr_model *model, tr_latent_policy **out,
                                tr_error *error) TR_NODISCARD;
