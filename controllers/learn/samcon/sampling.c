#include "learn/samcon/sampling.h"

#include "control/above_ground.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

static void draw_action(const tr_sampling_task *task, int index, const tr_features *features,
                        double *out_action, double *out_noisy) {
    const tr_policy *policy = &task->bank->fragment[task->fragment].policy;
    int size = task->bank->action.size;
    uint64_t number = (uint64_t)task->first + (uint64_t)index;
    tr_random random = tr_random_split(task->seed, task->stage_key, number);
    tr_policy_evaluate(policy, size, features, out_action);
    for (int i = 0; i < size; i++) {
        out_action[i] += policy->sigma[i] * tr_random_normal(&random);
        out_noisy[i] = out_action[i] + task->noise_rad * tr_random_normal(&random);
    }
}

static tr_status simulate(const tr_sampling_task *task, tr_rehearsal *rehearsal, double heading_rad,
                          const double *action) {
    const tr_fragment *fragment = &task->bank->fragment[task->fragment];
    if (task->push_n != 0) {
        tr_rehearsal_push push = {task->push_n, heading_rad + task->push_direction_rad,
                                  fragment->steps};
        tr_status status = tr_rehearsal_shove(rehearsal, &push);
        if (status)
            return status;
    }
    tr_rehearsal_part part = {&task->bank->action, fragment, action};
    return tr_rehearsal_perform(rehearsal, &part);
}

/* The character's bodies in a state of the world, both above the local ground; `scratch` holds them
 * where that is not the plane z = 0. */
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
    out->lost = tr_cost_is_lost(&view, task->reference);
    tr_cost_weights terms = tr_cost_terms(rehearsal->model, &view, task->reference);
    out->cost = tr_cost_total(task->weights, &terms, out->action, task->bank->action.size);
    if (!isfinite(out->cost))
        out->lost = true;
}

void tr_sampling_draw(const tr_sampling_task *task, int index, tr_rehearsal *rehearsal,
                      tr_sample *out) {
    const tr_state *start = &task->starts[index];
    double heading_rad = tr_quat_heading(start->pose.root_rot), noisy[TR_ACTION_MAX];
    out->lost = true;
    if (tr_rehearsal_place(rehearsal, start))
        return;
    tr_state seen = *start;
    tr_body_state scratch[TR_BODY_MAX];
    const tr_body_state *bodies = above_ground(rehearsal, &seen, scratch);
    out->features = tr_features_of(rehearsal->model, &seen, bodies);
    draw_action(task, index, &out->features, out->action, noisy);
    if (simulate(task, rehearsal, heading_rad, noisy) ||
        tr_world_get_state(rehearsal->world, rehearsal->character, &out->end))
        return;
    judge(task, rehearsal, heading_rad, out);
    if (task->bank->mirrored && task->fragment == task->bank->fragment_count - 1)
        out->end = tr_state_mirror(rehearsal->model, &out->end);
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

static void draw_one(void *context, int index, tr_rehearsal *rehearsal) {
    shared_draw *shared = context;
    tr_sample *sample = &shared->out[index];
    tr_sampling_draw(shared->task, index, rehearsal, sample);
    shared->verdict[index].lost = sample->lost;
    shared->verdict[index].cost = sample->cost;
}

tr_status tr_sampling_draw_all(tr_ensemble *ensemble, const tr_sampling_task *task,
                               tr_sample *out) {
    verdict *verdicts = calloc((size_t)task->count, sizeof *verdicts);
    shared_draw shared = {task, out, verdicts};
    if (!verdicts)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, draw_one, &shared, task->count,
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
