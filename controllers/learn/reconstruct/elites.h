/* The tree of elite samples that a trial grows (liu2015-samcon, figure 2): level k holds the
 * best samples of fragment k, each with its parent in level k - 1.
 *
 * How good an elite really was shows in its offspring: the height of its subtree first, then the
 * cost of the best path from it to the leaves (section 4). Plain data. */
#pragma once

#include "learn/reconstruct/track.h"

typedef struct tr_elite {
    int parent;  /* index in the level before; -1 in level 0 */
    int height;  /* h_j, of its subtree; a leaf has 1 */
    double cost; /* of the sample's fragment */
    double best; /* sum of the costs along the best path from it to the deepest leaf */
    double sample[TR_TRACK_SAMPLE_MAX]; /* dp */
    tr_state end;
    tr_object_state carried; /* at the end, if there is an object */
} tr_elite;

typedef struct tr_elite_level {
    int count;
    tr_elite *elite; /* [count], owned; sorted by cost */
} tr_elite_level;

/* Fills height and best in levels first..end - 1; the leaves are the elites without children
 * there. */
void tr_elites_judge(tr_elite_level *levels, int first, int end);

/* Is a a better elite than b: higher, or as high and of lower best cost? */
bool tr_elites_better(const tr_elite *a, const tr_elite *b);

/* Returns the index of the best elite of a level, by tr_elites_better. */
int tr_elites_best(const tr_elite_level *level);

/* Eq. 4: the mean of the samples higher than `height_min`, weighted by h_j up to 10. out: [size]. Returns
 * how many counted; with none `out` is untouched. */
int tr_elites_mean(const tr_elite_level *level, int height_min, int size, double *out);
