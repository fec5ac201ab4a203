/* One trial of a reconstruction: sampling, fragment after fragment. */
#include "learn/reconstruct/reconstruct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- one sample --- */

static void draw(const tr_reconstruction *r, int item, double *out) {
    /* The search has ended before the first averaging round, so that the sum is new each time. */
    uint64_t trial = (uint64_t)r->progress.trials + (uint64_t)r->progress.rounds;
    tr_random random =
        tr_random_split(r->parameters.seed, trial << 32 | (uint64_t)r->stage, (uint64_t)item);
    tr_cma_sample(&r->cma[r->stage], &random, out);
}

/* Puts character and object where a sample begins: samples share the elites of the fragment before
 * evenly. */
static tr_status place(const tr_reconstruction *r, int item, tr_rehearsal *rehearsal,
                       int *out_parent) {
    *out_parent = -1;
    if (r->stage == 0)
        return tr_rehearsal_place(rehearsal, &r->track->start);
    const tr_elite_level *before = &r->levels[r->stage - 1];
    *out_parent = item % before->count;
    const tr_elite *parent = &before->elite[*out_parent];
    tr_status status = tr_rehearsal_place(rehearsal, &parent->end);
    if (!status && rehearsal->pieces.count > 0)
        status =
            tr_world_set_object(rehearsal->world, rehearsal->pieces.object[0], &parent->carried);
    return status;
}

static void judge(const tr_reconstruction *r, int item, const tr_rehearsal *rehearsal) {
    const tr_track *track = r->track;
    tr_track_view view = {0};
    tr_elite *out = &r->drawn[item];
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &out->end) ||
        tr_rig_look(&rehearsal->pieces, rehearsal->world, &out->carried))
        return;
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    tr_track_look(track, r->stage, &out->end, bodies, &view);
    out->cost = tr_track_cost(track, &r->weights, r->stage, &view, out->sample);
    r->lost[item] =
        !isfinite(out->cost) || tr_cost_is_lost(&view.pose, &track->stage[r->stage].end.pose);
}

static void perform_samples(void *context, const int *item, int count,
                            const tr_rehearsal_group *group) {
    tr_reconstruction *r = context;
    tr_rehearsal_group used = *group;
    const double *sample[TR_QUARTET_MAX] = {NULL};
    tr_status status[TR_QUARTET_MAX];
    used.count = count;
    for (int k = 0; k < count; k++) {
        tr_elite *out = &r->drawn[item[k]];
        draw(r, item[k], out->sample);
        sample[k] = out->sample;
        /* A sample that cannot be placed or simulated remains lost. */
        r->lost[item[k]] = true;
        status[k] = place(r, item[k], group->rehearsal[k], &out->parent);
    }
    tr_track_perform_together(r->track, r->stage, sample, &used, status);
    for (int k = 0; k < count; k++)
        if (!status[k])
            judge(r, item[k], group->rehearsal[k]);
}

/* --- one fragment --- */

static int by_cost(const void *a, const void *b, void *context) {
    const tr_reconstruction *r = context;
    int i = *(const int *)a, j = *(const int *)b;
    if (r->lost[i] != r->lost[j])
        return r->lost[i] ? 1 : -1;
    if (!r->lost[i] && r->drawn[i].cost != r->drawn[j].cost)
        return r->drawn[i].cost < r->drawn[j].cost ? -1 : 1;
    /* Ties keep the order of drawing, whichever thread was first. */
    return i < j ? -1 : i > j;
}

/* Keeps the best samples; false when the fragment has failed. */
static bool select_elites(tr_reconstruction *r) {
    int samples = r->parameters.samples, count = 0;
    tr_elite_level *level = &r->levels[r->stage];
    for (int i = 0; i < samples; i++)
        r->order[i] = i;
    qsort_r(r->order, (size_t)samples, sizeof *r->order, by_cost, r);
    while (count < r->elites && !r->lost[r->order[count]])
        count++;
    /* The fragment failed: too few samples keep the motion, or none is near it. */
    if (count < r->elites / 4 + 1 || r->drawn[r->order[0]].cost > r->amounts.cost_max)
        return false;
    for (int i = 0; i < count; i++)
        level->elite[i] = r->drawn[r->order[i]];
    level->count = count;
    return true;
}

int tr_reconstruct_trial(tr_reconstruction *r, int from, int size) {
    int end = from + size < r->track->count ? from + size : r->track->count;
    for (r->stage = from; r->stage < end; r->stage++) {
        /* liu2015-samcon, algorithm 1, lines 6 to 11. */
        tr_ensemble_share_groups(r->ensemble, perform_samples, r, r->parameters.samples,
                                 (const tr_ranks_result[]){{r->drawn, sizeof *r->drawn},
                                                           {r->lost, sizeof *r->lost},
                                                           {0}});
        r->progress.samples += r->parameters.samples;
        if (!select_elites(r))
            break;
    }
    int reached = r->stage;
    tr_elites_judge(r->levels, from, reached);
    r->progress.from = from;
    r->progress.reached = reached;
    r->progress.cost = (double)NAN;
    if (reached > from) {
        const tr_elite_level *first = &r->levels[from];
        r->progress.cost = first->elite[tr_elites_best(first)].best / (reached - from);
    }
    r->progress.successes += reached == r->track->count;
    return reached;
}

/* Returns the leaf that ends the cheapest path: costs are summed along the path to the root. */
static int cheapest_leaf(const tr_reconstruction *r) {
    int last = r->track->count - 1, chosen = 0;
    double least = INFINITY;
    for (int i = 0; i < r->levels[last].count; i++) {
        double sum = 0;
        for (int k = last, at = i; k >= 0; at = r->levels[k].elite[at].parent, k--)
            sum += r->levels[k].elite[at].cost;
        if (sum < least) {
            least = sum;
            chosen = i;
        }
    }
    return chosen;
}

void tr_reconstruct_keep_path(tr_reconstruction *r) {
    int last = r->track->count - 1;
    double sum = 0;
    for (int k = last, at = cheapest_leaf(r); k >= 0; k--) {
        const tr_elite *e = &r->levels[k].elite[at];
        memcpy(r->path[k].sample, e->sample, sizeof e->sample);
        r->path[k].cost = e->cost;
        r->path[k].end = e->end;
        sum += e->cost;
        at = e->parent;
    }
    r->progress.path_cost = sum / r->track->count;
}
