#include "learn/latent/value_iteration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Corners of a goal grid with less room than tr_goal_corners: there are millions. */
typedef struct corners {
    uint16_t cell[TR_GOAL_CORNERS];
    float weight[TR_GOAL_CORNERS];
} corners;

/* For each action of each sample, on the rank whose item the sample is: where it leads, and by cell
 * what it earns and which cells its goal moves to.
 *   next   [samples][TR_LATENT_ACTION_MAX]
 *   gain   [samples][TR_LATENT_ACTION_MAX][cells], reward and quality
 *   moved  the same */
typedef struct table {
    const tr_value_iteration *iteration;
    const tr_latent_policy *policy;
    int *action_count;
    tr_latent_neighbours *next;
    double *gain;
    corners *moved;
    double *fresh;  /* [samples][cells] */
    double *change; /* [samples] */
} table;

static size_t action_row(int sample, int action) {
    return (size_t)sample * TR_LATENT_ACTION_MAX + (size_t)action;
}

static tr_status allocate(table *t) {
    size_t samples = (size_t)t->policy->sample_count, cells = (size_t)t->policy->cell_count,
           actions = samples * TR_LATENT_ACTION_MAX;
    t->action_count = calloc(samples, sizeof *t->action_count);
    t->next = calloc(actions, sizeof *t->next);
    t->gain = calloc(actions * cells, sizeof *t->gain);
    t->moved = calloc(actions * cells, sizeof *t->moved);
    t->fresh = calloc(samples * cells, sizeof *t->fresh);
    t->change = calloc(samples, sizeof *t->change);
    bool have = t->action_count && t->next && t->gain && t->moved && t->fresh && t->change;
    return have ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

static corners pack(const tr_goal_corners *from) {
    corners to;
    for (int c = 0; c < TR_GOAL_CORNERS; c++) {
        to.cell[c] = (uint16_t)from->cell[c];
        to.weight[c] = (float)from->weight[c];
    }
    return to;
}

static void look_ahead(void *context, int sample, int worker) {
    (void)worker;
    table *t = context;
    const tr_latent_policy *policy = t->policy;
    const tr_latent_space *space = t->iteration->space;
    const tr_goal_grid *grid = &policy->task.grid;
    tr_latent_candidate candidate[TR_LATENT_ACTION_MAX];
    tr_latent_state state = tr_latent_policy_sample(policy, sample);
    int count = tr_latent_policy_candidates(policy, space, t->iteration->model, &state, candidate);
    t->action_count[sample] = count;
    /* Nothing of this depends on the values: it is computed once. */
    for (int a = 0; a < count; a++) {
        const tr_latent_candidate *c = &candidate[a];
        size_t row = action_row(sample, a), at = row * (size_t)policy->cell_count;
        t->next[row] = tr_latent_policy_neighbours(policy, &c->state);
        for (int cell = 0; cell < policy->cell_count; cell++, at++) {
            tr_goal goal = tr_goal_grid_goal(grid, cell);
            tr_goal moved = tr_latent_task_moved(&policy->task, &c->outcome.root, &goal);
            tr_goal_corners about = tr_goal_grid_corners(grid, &moved);
            t->gain[at] = c->quality + tr_latent_task_reward(&policy->task, space->learned.dt_s,
                                                             &c->outcome, &goal);
            t->moved[at] = pack(&about);
        }
    }
}

/* Fills the values of all cells where an action leads: the mean of its neighbours'. */
static void mix_neighbours(const tr_latent_policy *policy, const tr_latent_neighbours *near,
                           double *out) {
    memset(out, 0, (size_t)policy->cell_count * sizeof *out);
    for (int i = 0; i < near->count; i++) {
        const double *row = policy->value + (size_t)near->index[i] * (size_t)policy->cell_count;
        for (int c = 0; c < policy->cell_count; c++)
            out[c] += near->weight[i] * row[c];
    }
}

static void back_up(void *context, int sample, int worker) {
    (void)worker;
    table *t = context;
    const tr_latent_policy *policy = t->policy;
    const int cells = policy->cell_count;
    double mixed[TR_GOAL_CELL_MAX];
    double *fresh = t->fresh + (size_t)sample * (size_t)cells;
    for (int cell = 0; cell < cells; cell++)
        fresh[cell] = -(double)INFINITY;
    /* V(s) = max over actions of R + gamma V(s'), for all cells at once. */
    for (int a = 0; a < t->action_count[sample]; a++) {
        size_t row = action_row(sample, a), at = row * (size_t)cells;
        mix_neighbours(policy, &t->next[row], mixed);
        for (int cell = 0; cell < cells; cell++, at++) {
            double ahead = 0;
            for (int c = 0; c < TR_GOAL_CORNERS; c++)
                ahead += (double)t->moved[at].weight[c] * mixed[t->moved[at].cell[c]];
            fresh[cell] = fmax(fresh[cell], t->gain[at] + policy->choice.discount * ahead);
        }
    }
    const double *old = policy->value + (size_t)sample * (size_t)cells;
    t->change[sample] = 0;
    for (int cell = 0; cell < cells; cell++)
        t->change[sample] = fmax(t->change[sample], fabs(fresh[cell] - old[cell]));
}

/* Backs up all values once; returns the largest change. */
static double sweep(table *t, tr_latent_policy *policy) {
    size_t values = (size_t)policy->sample_count * (size_t)policy->cell_count;
    const tr_ranks_result results[] = {{t->fresh, (size_t)policy->cell_count * sizeof *t->fresh},
                                       {t->change, sizeof *t->change},
                                       {0}};
    tr_pool_share(t->iteration->pool, back_up, t, policy->sample_count, results);
    memcpy(policy->value, t->fresh, values * sizeof *policy->value);
    double largest = 0;
    for (int i = 0; i < policy->sample_count; i++)
        largest = fmax(largest, t->change[i]);
    return largest;
}

tr_status tr_value_iteration_run(const tr_value_iteration *iteration, tr_latent_policy *policy,
                                 int *out_sweeps) {
    table t = {.iteration = iteration, .policy = policy};
    tr_status status = allocate(&t);
    if (!status) {
        const tr_ranks_result none = {0};
        tr_pool_share(iteration->pool, look_ahead, &t, policy->sample_count, &none);
        int sweeps = 1;
        while (sweep(&t, policy) > iteration->tolerance && sweeps < iteration->sweeps_max)
            sweeps++;
        *out_sweeps = sweeps;
    }
    free(t.action_count);
    free(t.next);
    free(t.gain);
    free(t.moved);
    free(t.fresh);
    free(t.change);
    return status;
}
