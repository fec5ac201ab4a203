#include "control/latent/latent_policy.h"

#include "control/latent/anchor.h"
#include "control/latent/latent_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 4 };

/* Padding samples lie so far away that they are never neighbours. */
static const double FAR_AWAY = 1e9;
/* Squared distances below this count as this. */
static const double DISTANCE_MIN = 1e-9;

/* --- making --- */

static bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

static bool choice_fits(const tr_latent_choice *c) {
    return within(c->discount, 0, 0.9999) && within(c->ring, 1e-6, 1) &&
           within(c->dynamics_weight, 0, 1e6) && within(c->variance_weight, 0, 1e6) &&
           within(c->slip_weight, 0, 1e6) && within(c->step_weight, 0, 1e3) && c->ring_count >= 0 &&
           c->ring_count <= TR_LATENT_RING_MAX && c->neighbour_count >= 1 &&
           c->neighbour_count <= TR_LATENT_NEIGHBOUR_MAX;
}

tr_status tr_latent_policy_create(const tr_latent_choice *choice, const tr_latent_task *task,
                                  int dimension, int sample_count, const double *samples,
                                  tr_latent_policy **out) {
    if (!choice_fits(choice) || !tr_goal_grid_fits(&task->grid) || dimension < 1 ||
        dimension > TR_LATENT_DIMENSION_MAX || sample_count < TR_LATENT_ACTION_MAX ||
        sample_count > TR_LATENT_SAMPLE_MAX)
        return TR_INVALID_ARGUMENT;
    tr_latent_policy *policy = calloc(1, sizeof *policy);
    if (!policy)
        return TR_RESOURCE_EXHAUSTED;
    *policy = (tr_latent_policy){.choice = *choice,
                                 .task = *task,
                                 .dimension = dimension,
                                 .sample_count = sample_count,
                                 .stride = (sample_count + PADDING - 1) / PADDING * PADDING,
                                 .cell_count = tr_goal_grid_cells(&task->grid),
                                 .loops = tr_latent_kernel_choose()};
    size_t coordinates = 2 * (size_t)dimension * (size_t)policy->stride;
    size_t values = (size_t)sample_count * (size_t)policy->cell_count;
    policy->sample = calloc(coordinates + values, sizeof *policy->sample);
    if (!policy->sample) {
        free(policy);
        return TR_RESOURCE_EXHAUSTED;
    }
    policy->value = policy->sample + coordinates;
    /* By coordinate, for loops over samples; those added to fill the last vector are never near. */
    const int size = 2 * policy->dimension;
    for (int d = 0; d < size; d++)
        for (int i = 0; i < policy->stride; i++)
            policy->sample[(size_t)d * (size_t)policy->stride + (size_t)i] =
                i < policy->sample_count ? samples[(size_t)i * (size_t)size + (size_t)d] : FAR_AWAY;
    *out = policy;
    return TR_OK;
}

void tr_latent_policy_destroy(tr_latent_policy *policy) {
    if (!policy)
        return;
    free(policy->sample);
    free(policy);
}

bool tr_latent_policy_fits(const tr_latent_policy *policy, const tr_latent_space *space,
                           const tr_model *model) {
    return policy->dimension == space->learned.dimension && choice_fits(&policy->choice) &&
           tr_latent_task_fits(&policy->task, model);
}

void tr_latent_policy_row(const tr_latent_choice *choice, int dimension,
                          const tr_latent_state *state, double *out) {
    for (int d = 0; d < dimension; d++) {
        out[d] = state->x[d];
        out[dimension + d] = state->v[d] * choice->step_weight;
    }
}

tr_latent_state tr_latent_policy_sample(const tr_latent_policy *policy, int index) {
    tr_latent_state state = {0};
    const int q = policy->dimension;
    const double weight = policy->choice.step_weight;
    for (int d = 0; d < q; d++) {
        const double *at = policy->sample + (size_t)d * (size_t)policy->stride + index;
        state.x[d] = *at;
        state.v[d] = weight > 0 ? at[(size_t)q * (size_t)policy->stride] / weight : 0;
    }
    return state;
}

/* --- neighbours --- */

/* Finds the `count` least distances, the nearest first; of equal ones the one of the lower index
 * first. */
static void find_nearest(const double *distance, int total, int count, int *out_index) {
    double found[TR_LATENT_RING_MAX + 1] = {0};
    int have = 0;
    for (int i = 0; i < total && count > 0; i++) {
        if (have == count && !(distance[i] < found[have - 1]))
            continue;
        int at = have < count ? have++ : have - 1;
        for (; at > 0 && distance[i] < found[at - 1]; at--) {
            found[at] = found[at - 1];
            out_index[at] = out_index[at - 1];
        }
        found[at] = distance[i];
        out_index[at] = i;
    }
}

tr_latent_neighbours tr_latent_policy_neighbours(const tr_latent_policy *policy,
                                                 const tr_latent_state *state) {
    double at[2 * TR_LATENT_DIMENSION_MAX], distance[TR_LATENT_SAMPLE_MAX], sum = 0;
    const int q = policy->dimension;
    tr_latent_policy_row(&policy->choice, q, state, at);
    policy->loops->distances(2 * q, policy->stride, policy->sample, at, distance);
    tr_latent_neighbours near = {.count = policy->choice.neighbour_count};
    find_nearest(distance, policy->sample_count, near.count, near.index);
    for (int i = 0; i < near.count; i++) {
        /* w = |(x, v) - (x, v)_i|^-2 (levine2012, section 5.4). */
        near.weight[i] = 1 / (distance[near.index[i]] + DISTANCE_MIN);
        sum += near.weight[i];
    }
    for (int i = 0; i < near.count; i++)
        near.weight[i] /= sum;
    return near;
}

double tr_latent_policy_value(const tr_latent_policy *policy, const tr_latent_state *state,
                              const tr_goal *goal) {
    /* V~(s) = sum_i phi(s, s_i) V(s_i): neighbours in (x, v), multilinear in the goal. */
    tr_latent_neighbours near = tr_latent_policy_neighbours(policy, state);
    tr_goal_corners corners = tr_goal_grid_corners(&policy->task.grid, goal);
    double value = 0;
    for (int i = 0; i < near.count; i++) {
        const double *row = policy->value + (size_t)near.index[i] * (size_t)policy->cell_count;
        double sum = 0;
        for (int c = 0; c < TR_GOAL_CORNERS; c++)
            sum += corners.weight[c] * row[corners.cell[c]];
        value += near.weight[i] * sum;
    }
    return value;
}

/* --- candidates --- */

/* Removes from `direction` its part along `axis` (unit), and makes it a unit vector; false: the
 * rest is zero. */
static bool make_perpendicular(int size, const double *axis, double *direction) {
    double along = 0, square = 0;
    for (int d = 0; d < size; d++)
        along += direction[d] * axis[d];
    for (int d = 0; d < size; d++) {
        direction[d] -= along * axis[d];
        square += direction[d] * direction[d];
    }
    for (int d = 0; d < size; d++)
        direction[d] /= sqrt(square);
    return square > 1e-12;
}

/* Places points on the ring about `centre`, perpendicular to the movement to it, towards the
 * nearest samples; returns their number. */
static int place_ring(const tr_latent_policy *policy, const tr_latent_state *state,
                      const double *centre, double radius, tr_latent_candidate *out) {
    const int q = policy->dimension, wanted = policy->choice.ring_count;
    double axis[TR_LATENT_DIMENSION_MAX], distance[TR_LATENT_SAMPLE_MAX], square = 0;
    int nearest[TR_LATENT_RING_MAX] = {0}, count = 0;
    for (int d = 0; d < q; d++) {
        axis[d] = centre[d] - state->x[d];
        square += axis[d] * axis[d];
    }
    for (int d = 0; d < q; d++)
        axis[d] = square > 0 ? axis[d] / sqrt(square) : 0;
    /* Actions point to the nearest samples, across the way ahead. */
    policy->loops->distances(q, policy->stride, policy->sample, centre, distance);
    find_nearest(distance, policy->sample_count, wanted, nearest);
    for (int i = 0; i < wanted; i++) {
        double direction[TR_LATENT_DIMENSION_MAX] = {0};
        for (int d = 0; d < q; d++)
            direction[d] =
                policy->sample[(size_t)d * (size_t)policy->stride + (size_t)nearest[i]] - centre[d];
        if (!make_perpendicular(q, axis, direction))
            continue;
        for (int d = 0; d < q; d++)
            out[count].state.x[d] = centre[d] + radius * direction[d];
        count++;
    }
    return count;
}

/* Returns where the watched body is, in the heading frame at the root's ground point. */
static tr_vec3 body_at(const tr_latent_policy *policy, const tr_latent_space *space,
                       const tr_model *model, const double *x) {
    double vector[TR_POSE_VECTOR_MAX];
    tr_latent_space_pose(space, x, vector);
    tr_pose pose =
        tr_pose_vector_to(model, &space->learned.reference, vector, &(tr_pose_place){0, 0, 0});
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    return bodies[policy->task.body].com_pos;
}

static void watch_body(const tr_latent_policy *policy, const tr_latent_space *space,
                       const tr_model *model, const tr_latent_state *state, int count,
                       tr_latent_candidate *candidates) {
    tr_vec3 before = body_at(policy, space, model, state->x);
    for (int i = 0; i < count; i++) {
        tr_latent_outcome *o = &candidates[i].outcome;
        o->body_pos = body_at(policy, space, model, candidates[i].state.x);
        tr_vec3 after = tr_vec3_from_heading(o->body_pos, o->root.turn_rad);
        after = tr_vec3_add(after, (tr_vec3){o->root.forward, o->root.left, 0});
        o->body_speed_mps = tr_vec3_distance(before, after) / space->learned.dt_s;
    }
}

/* Adds what sliding feet cost. */
static void watch_feet(const tr_latent_policy *policy, const tr_latent_space *space,
                       const tr_model *model, const tr_latent_state *state, int count,
                       tr_latent_candidate *candidates) {
    tr_footing from = tr_footing_of(space, model, state->x);
    for (int i = 0; i < count; i++) {
        tr_footing to = tr_footing_of(space, model, candidates[i].state.x);
        candidates[i].quality -= policy->choice.slip_weight *
                                 tr_footing_slip(space->learned.support_count, &from, &to,
                                                 &candidates[i].outcome.root, space->learned.dt_s);
    }
}

static void assess(const tr_latent_policy *policy, const tr_latent_space *space,
                   const tr_latent_state *state, double radius, double spread, int count,
                   tr_latent_candidate *candidates) {
    const int q = policy->dimension;
    /* R_Q = -c_x |x' - f_x|^2 / f_x^s - c_y g_y^s(x') (levine2012, section 5.2); the first
     * candidate is f_x itself. */
    const double off = policy->choice.dynamics_weight * radius * radius / spread,
                 unsure = policy->choice.variance_weight / space->mean_variance;
    double points[TR_LATENT_ACTION_MAX * TR_LATENT_DIMENSION_MAX] = {0},
                                         variance[TR_LATENT_ACTION_MAX];
    for (int i = 0; i < count; i++) {
        tr_latent_candidate *c = &candidates[i];
        for (int d = 0; d < q; d++) {
            points[i * q + d] = c->state.x[d];
            c->state.v[d] = c->state.x[d] - state->x[d];
        }
        c->outcome.root = tr_latent_space_root_step(space, &c->state);
    }
    tr_gaussian_map_variances(&space->pose, count, points, variance);
    for (int i = 0; i < count; i++)
        candidates[i].quality = (i > 0 ? -off : 0) - unsure * variance[i];
}

int tr_latent_policy_candidates(const tr_latent_policy *policy, const tr_latent_space *space,
                                const tr_model *model, const tr_latent_state *state,
                                tr_latent_candidate out[static TR_LATENT_ACTION_MAX]) {
    const tr_latent_choice *choice = &policy->choice;
    double variance;
    memset(out, 0, TR_LATENT_ACTION_MAX * sizeof *out);
    tr_latent_space_dynamics(space, state, out[0].state.x, &variance);
    /* |x' - f_x|^2 = -ln(rho) f_x^s (levine2012, section 5.3). The paper does not say whether f_x^s
     * is a variance or a deviation. */
    double spread = choice->ring_variance ? variance : sqrt(variance);
    double radius = sqrt(-tr_log(choice->ring) * spread);
    int count = 1 + place_ring(policy, state, out[0].state.x, radius, out + 1);
    assess(policy, space, state, radius, spread, count, out);
    if (choice->slip_weight > 0)
        watch_feet(policy, space, model, state, count, out);
    if (tr_latent_task_watches_body(&policy->task))
        watch_body(policy, space, model, state, count, out);
    return count;
}

tr_latent_decision tr_latent_policy_decide(const tr_latent_policy *policy,
                                           const tr_latent_space *space, const tr_model *model,
                                           const tr_latent_state *state, const tr_goal *goal) {
    tr_latent_candidate candidate[TR_LATENT_ACTION_MAX];
    tr_latent_decision best = {.total = -(double)INFINITY};
    int count = tr_latent_policy_candidates(policy, space, model, state, candidate);
    for (int i = 0; i < count; i++) {
        const tr_latent_candidate *c = &candidate[i];
        /* argmax of R + gamma V~, with the goal as it is after the step. */
        double reward =
            tr_latent_task_reward(&policy->task, space->learned.dt_s, &c->outcome, goal);
        tr_goal moved = tr_latent_task_moved(&policy->task, &c->outcome.root, goal);
        double total = reward + c->quality +
                       policy->choice.discount * tr_latent_policy_value(policy, &c->state, &moved);
        if (total > best.total)
            best = (tr_latent_decision){*c, moved, i, reward, total};
    }
    return best;
}
