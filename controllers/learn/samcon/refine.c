#include "learn/samcon/refine.h"

#include "learn/samcon/skill.h"

#include <stdlib.h>

void tr_refine_reset_policies(tr_bank *bank, double sigma_rad) {
    for (int k = 0; k < bank->fragment_count; k++) {
        tr_policy policy = {0};
        for (int i = 0; i < bank->action.size; i++)
            policy.sigma[i] = sigma_rad;
        bank->fragment[k].policy = policy;
    }
}

/* Writes the mean action over the visits of fragment k from step `first` on (liu2015-samcon, eq.
 * 2); out_action: [size]. */
static void mean_action(const tr_walk *walk, int first, int k, int size, double *out_action) {
    int count = 0;
    for (int i = 0; i < size; i++)
        out_action[i] = 0;
    for (int q = first; q < walk->count; q++) {
        if (walk->step[q].fragment != k)
            continue;
        count++;
        for (int i = 0; i < size; i++)
            out_action[i] += walk->step[q].action[i];
    }
    for (int i = 0; i < size && count; i++)
        out_action[i] /= count;
}

static void compose_targets(const tr_model *model, const tr_action_map *map, const double *action,
                            tr_fragment *fragment) {
    tr_quat moved[TR_BODY_MAX];
    for (int s = 0; s < fragment->steps; s++) {
        /* Only the joints of the action change; the others keep their targets to the bit. */
        tr_fragment_targets(model, map, fragment, s, action, moved);
        tr_quat *target = fragment->target + s * model->body_count;
        for (int j = 0; j < map->joint_count; j++)
            target[map->body[j]] = moved[map->body[j]];
    }
}

/* Returns start and end of step q as the simulation saw them, in the frame of the start. */
static void step_states(const tr_model *model, const tr_bank *bank, const tr_walk *walk, int q,
                        tr_state *out_start, tr_state *out_end) {
    tr_state start = walk->step[q].start, end = walk->step[q].end;
    /* The walk has mirrored the end of a half cycle already; this undoes it. */
    if (bank->mirrored && walk->step[q].fragment == bank->fragment_count - 1)
        end = tr_state_mirror(model, &end);
    *out_start = tr_skill_relative(&start, &start);
    *out_end = tr_skill_relative(&end, &start);
}

/* The references become the means of what was simulated (liu2015-samcon, eq. 3). */
static tr_status average_references(const tr_model *model, const tr_walk *walk, int first,
                                    tr_bank *bank) {
    size_t visits = (size_t)walk->count / (size_t)bank->fragment_count + 1;
    tr_state *states = calloc(2 * visits, sizeof *states);
    if (!states)
        return TR_RESOURCE_EXHAUSTED;
    tr_state *starts = states, *ends = states + visits;
    for (int k = 0; k < bank->fragment_count; k++) {
        int count = 0;
        for (int q = first; q < walk->count; q++)
            if (walk->step[q].fragment == k) {
                step_states(model, bank, walk, q, &starts[count], &ends[count]);
                count++;
            }
        bank->fragment[k].start = tr_skill_average(model, starts, count);
        bank->fragment[k].end = tr_skill_average(model, ends, count);
    }
    free(states);
    return TR_OK;
}

/* Returns the state before fragment 0 that is the most typical of the walk: the medoid of its
 * visits by features in units of their spread. A mean of states need not be a state that was ever
 * held. */
static tr_state typical_start(const tr_walk *walk, int first) {
    double mean[TR_FEATURE_COUNT] = {0}, spread[TR_FEATURE_COUNT] = {0}, least = INFINITY;
    int count = 0, best = first;
    for (int q = first; q < walk->count; q++)
        if (walk->step[q].fragment == 0) {
            count++;
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                mean[j] += walk->step[q].features.s[j];
        }
    for (int q = first; q < walk->count; q++)
        for (int j = 0; j < TR_FEATURE_COUNT && walk->step[q].fragment == 0; j++) {
            double d = walk->step[q].features.s[j] - mean[j] / count;
            spread[j] += d * d / count;
        }
    for (int q = first; q < walk->count; q++) {
        if (walk->step[q].fragment != 0)
            continue;
        double distance = 0;
        for (int j = 0; j < TR_FEATURE_COUNT; j++) {
            double d = walk->step[q].features.s[j] - mean[j] / count;
            /* The summand keeps a feature that never varies from dividing by zero. */
            distance += d * d / (spread[j] + 1e-6);
        }
        if (distance < least) {
            least = distance;
            best = q;
        }
    }
    const tr_state *start = &walk->step[best].start;
    return tr_skill_relative(start, start);
}

tr_status tr_refine_round(tr_ensemble *ensemble, const tr_refine_def *def,
                          tr_controller *controller, double *out_cost, int *out_rollbacks) {
    tr_bank *bank = tr_controller_bank(controller);
    int first = def->skipped_visits * bank->fragment_count;
    if (first < 0 || first + bank->fragment_count > def->walk.stages)
        return TR_INVALID_ARGUMENT;
    /* SAMCON without feedback: each action is drawn about the present targets. */
    tr_refine_reset_policies(bank, def->sigma_rad);
    tr_walk walk;
    tr_status status = tr_samcon_walk(ensemble, controller, &def->walk, &walk);
    if (status)
        return status;
    if (def->replace_reference)
        status = average_references(ensemble->model, &walk, first, bank);
    if (!status) {
        for (int k = 0; k < bank->fragment_count; k++) {
            double action[TR_ACTION_MAX];
            mean_action(&walk, first, k, bank->action.size, action);
            compose_targets(ensemble->model, &bank->action, action, &bank->fragment[k]);
        }
        controller->spawn = typical_start(&walk, first);
        *out_cost = walk.cost;
        *out_rollbacks = walk.rollbacks;
    }
    tr_walk_deinit(&walk);
    return status;
}
