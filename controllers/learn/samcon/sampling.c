#include "learn/samcon/sampling.h"

#include "control/parts/above_ground.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

static void draw_action(const tr_sampling_task *task, int index, const tr_features *features,
                        double *out_action, double *out_noisy) {
    const tr_policy *policy = &task->bank->fragment[task->fragment].policy;
    int size = task->bank->action.size;
    uint64_t number = (uint64_t)index;
    tr_random random = tr_random_split(task->seed, task->stage_key, number);
    /* a ~ N(M s + a_hat, Sigma) (liu2015-guided, eq. 5); the noise eps on top is not recorded
     * (section 5.3), so that policies learn to live with it. */
    tr_policy_evaluate(policy, size, features, out_action);
    for (int i = 0; i < size; i++) {
        out_action[i] += policy->sigma[i] * tr_random_normal(&random);
        out_noisy[i] = out_action[i] + task->noise_rad * tr_random_normal(&random);
    }
}

/* Returns the character's bodies, and changes `state` likewise: both above the local ground.
 * `scratch` holds the bodies where that is not the plane z = 0. */
static const tr_body_state *above_ground(const tr_rehearsal *rehearsal, tr_state *state,
                                         tr_body_state *scratch) {
    tr_ground ground = tr_world_local_ground(rehearsal->world, rehearsal->character);
    if (ground.height == 0)
        return tr_world_bodies(rehearsal->world, rehearsal->character);
    *state = tr_state_above_ground(state, &ground);
    tr_state_forward(rehearsal->model, state, scratch);
    return scratch;
}

static void judge(const tr_sampling_task *task, const tr_rehearsal *rehearsal, double heading_rad,
                  tr_sample *out) {
    tr_cost_view view;
    tr_state end = out->end;
    tr_body_state scratch[TR_BODY_MAX];
    const tr_body_state *bodies = above_ground(rehearsal, &end, scratch);
    tr_cost_look(rehearsal->model, &end, bodies, heading_rad, &view);
    /* E (liu2015-guided, eq. 20), with the action as the policy drew it, without eps. */
    out->lost = tr_cost_is_lost(&view, task->reference);
    tr_cost_weights terms = tr_cost_terms(rehearsal->model, &view, task->reference);
    out->cost = tr_cost_total(task->weights, &terms, out->action, task->bank->action.size);
    if (!isfinite(out->cost))
        out->lost = true;
}

/* A sample in progress. */
typedef struct attempt {
    double heading_rad, noisy[TR_ACTION_MAX];
} attempt;

/* Puts the character at the start, and draws the action. */
static tr_status begin(const tr_sampling_task *task, int index, tr_rehearsal *rehearsal,
                       tr_sample *out, attempt *own) {
    const tr_state *start = &task->starts[index];
    /* A sample counts as lost until it has been judged. */
    tr_status status = tr_rehearsal_place(rehearsal, start);
    out->lost = true;
    own->heading_rad = tr_quat_heading(start->pose.root_rot);
    if (status)
        return status;
    tr_state seen = *start;
    tr_body_state scratch[TR_BODY_MAX];
    const tr_body_state *bodies = above_ground(rehearsal, &seen, scratch);
    out->features = tr_features_of(rehearsal->model, &seen, bodies);
    draw_action(task, index, &out->features, out->action, own->noisy);
    if (task->push_n == 0)
        return TR_OK;
    /* The push lasts for the whole fragment; its direction turns with the character. */
    tr_rehearsal_push push = {task->push_n, own->heading_rad + task->push_direction_rad,
                              task->bank->fragment[task->fragment].steps};
    return tr_rehearsal_shove(rehearsal, &push);
}

static void end(const tr_sampling_task *task, const attempt *own, const tr_rehearsal *rehearsal,
                tr_sample *out) {
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &out->end))
        return;
    judge(task, rehearsal, own->heading_rad, out);
    /* The walk continues as if every half cycle began with the same foot (samcon.h). */
    if (task->bank->mirrored && task->fragment == task->bank->fragment_count - 1)
        out->end = tr_state_mirror(rehearsal->model, &out->end);
}

/* Draws the samples index[k], k < count, of the task into out[index[k]], each in a world of the
 * group. Deterministic; the worlds are left in any state. */
static void tr_sampling_draw(const tr_sampling_task *task, const int *index, int count,
                             const tr_rehearsal_group *group, tr_sample *out) {
    attempt own[TR_QUARTET_MAX];
    tr_rehearsal_part part[TR_QUARTET_MAX] = {0};
    tr_status status[TR_QUARTET_MAX];
    for (int k = 0; k < count; k++) {
        status[k] = begin(task, index[k], group->rehearsal[k], &out[index[k]], &own[k]);
        part[k] = (tr_rehearsal_part){&task->bank->action, &task->bank->fragment[task->fragment],
                                      own[k].noisy};
    }
    tr_rehearsal_perform_together(group, part, count, status);
    for (int k = 0; k < count; k++)
        if (!status[k])
            end(task, &own[k], group->rehearsal[k], &out[index[k]]);
}

/* The part of each sample that all ranks need. */
typedef struct verdict {
    bool lost;
    double cost;
} verdict;

typedef struct shared_draw {
    const tr_sampling_task *task;
    tr_sample *out;
    verdict *verdict; /* [count] */
} shared_draw;

static void draw_some(void *context, const int *index, int count, const tr_rehearsal_group *group) {
    shared_draw *shared = context;
    tr_sampling_draw(shared->task, index, count, group, shared->out);
    for (int k = 0; k < count; k++) {
        const tr_sample *sample = &shared->out[index[k]];
        shared->verdict[index[k]] = (verdict){sample->lost, sample->cost};
    }
}

tr_status tr_sampling_draw_all(tr_ensemble *ensemble, const tr_sampling_task *task,
                               tr_sample *out) {
    verdict *verdicts = calloc((size_t)task->count, sizeof *verdicts);
    shared_draw shared = {task, out, verdicts};
    if (!verdicts)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share_groups(ensemble, draw_some, &shared, task->count,
                             (const tr_ranks_result[]){{verdicts, sizeof *verdicts}, {0}});
    for (int i = 0; i < task->count; i++) {
        out[i].lost = verdicts[i].lost;
        out[i].cost = verdicts[i].cost;
    }
    free(verdicts);
    return TR_OK;
}

void tr_sampling_fetch(const int *list, int count, tr_sample *samples) {
    tr_ranks_share_some(list, count, (const tr_ranks_result[]){{samples, sizeof *samples}, {0}});
}
