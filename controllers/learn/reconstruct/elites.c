#include "learn/reconstruct/elites.h"

bool tr_elites_better(const tr_elite *a, const tr_elite *b) {
    return a->height != b->height ? a->height > b->height : a->best < b->best;
}

/* Hands what a child reached up to its parent. */
static void inherit(tr_elite *parent, const tr_elite *child) {
    int height = child->height + 1;
    double best = parent->cost + child->best;
    if (height > parent->height || (height == parent->height && best < parent->best)) {
        parent->height = height;
        parent->best = best;
    }
}

void tr_elites_judge(tr_elite_level *levels, int first, int end) {
    /* Every elite begins as a tree of its own; children then add to it, the last level first. */
    for (int k = first; k < end; k++)
        for (int i = 0; i < levels[k].count; i++) {
            levels[k].elite[i].height = 1;
            levels[k].elite[i].best = levels[k].elite[i].cost;
        }
    for (int k = end - 1; k > first; k--)
        for (int i = 0; i < levels[k].count; i++) {
            const tr_elite *child = &levels[k].elite[i];
            inherit(&levels[k - 1].elite[child->parent], child);
        }
}

int tr_elites_best(const tr_elite_level *level) {
    int best = 0;
    for (int i = 1; i < level->count; i++)
        if (tr_elites_better(&level->elite[i], &level->elite[best]))
            best = i;
    return best;
}

/* A taller subtree counts no more: in a long motion all that follows grows from one elite, whose
 * sample would be the mean. */
enum { HEIGHT_MOST = 10 };

int tr_elites_mean(const tr_elite_level *level, int height_min, int size, double *out) {
    /* liu2015-samcon, eq. 4: h_j is the height of an elite's subtree. */
    double sum[TR_TRACK_SAMPLE_MAX] = {0}, total = 0;
    int counted = 0;
    for (int i = 0; i < level->count; i++) {
        const tr_elite *e = &level->elite[i];
        if (e->height <= height_min)
            continue;
        const int weight = e->height < HEIGHT_MOST ? e->height : HEIGHT_MOST;
        for (int d = 0; d < size; d++)
            sum[d] += weight * e->sample[d];
        total += weight;
        counted++;
    }
    for (int d = 0; counted && d < size; d++)
        out[d] = sum[d] / total;
    return counted;
}
