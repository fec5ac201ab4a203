#include "learn/gait/gait_search.h"

#include <stdlib.h>
#include <string.h>

/* --- memory --- */

tr_status tr_gait_search_init(tr_gait_search *search, int size, int samples, int best,
                              double sigma) {
    if (samples < 4 || samples > TR_GAIT_SAMPLES_MAX || best < 2 || best > samples)
        return TR_INVALID_ARGUMENT;
    memset(search, 0, sizeof *search);
    tr_status status = tr_cma_init(&search->cma, size, sigma, NULL);
    if (status)
        return status;
    search->numbers = calloc((size_t)samples * (size_t)size, sizeof(double));
    if (!search->numbers) {
        tr_gait_search_deinit(search);
        return TR_RESOURCE_EXHAUSTED;
    }
    search->samples = samples;
    search->best = best;
    return TR_OK;
}

void tr_gait_search_deinit(tr_gait_search *search) {
    tr_cma_deinit(&search->cma);
    free(search->numbers);
    memset(search, 0, sizeof *search);
}

/* --- a generation --- */

typedef struct shared {
    tr_gait_search *search;
    const tr_gait_problem *problem;
    const tr_gait_exam *exam;
} shared;

static void judge(void *context, int item, tr_rehearsal *rehearsal) {
    shared *s = context;
    tr_gait_candidate *candidate = &s->search->candidate[item];
    tr_gait *gait = NULL;
    candidate->status = s->problem->build(s->problem->context, candidate->x, &gait);
    if (!candidate->status)
        candidate->status = tr_gait_examine(gait, s->exam, rehearsal, &candidate->result);
    candidate->cost =
        candidate->result.cost + s->problem->place_cost(s->problem->context, candidate->x);
    tr_gait_destroy(gait);
}

static int by_cost(const void *a, const void *b) {
    const tr_gait_candidate *one = a, *two = b;
    if (one->cost != two->cost)
        return one->cost < two->cost ? -1 : 1;
    return one->x < two->x ? -1 : one->x > two->x; /* numbers lie in the order of drawing */
}

static void draw(tr_gait_search *search, uint64_t seed, int generation) {
    for (int i = 0; i < search->samples; i++) {
        tr_random random = tr_random_split(seed, (uint64_t)generation, (uint64_t)i);
        search->candidate[i] =
            (tr_gait_candidate){.x = search->numbers + (ptrdiff_t)i * search->cma.size};
        tr_cma_sample(&search->cma, &random, search->candidate[i].x);
    }
}

static tr_status update(tr_gait_search *search) {
    const double *best[TR_GAIT_SAMPLES_MAX];
    for (int i = 0; i < search->best; i++)
        best[i] = search->candidate[i].x;
    return tr_cma_update(&search->cma, best, search->best);
}

tr_status tr_gait_search_advance(tr_gait_search *search, const tr_gait_problem *problem,
                                 const tr_gait_exam *exam, tr_ensemble *ensemble, uint64_t seed,
                                 int generation) {
    shared s = {search, problem, exam};
    draw(search, seed, generation);
    tr_ensemble_share(
        ensemble, judge, &s, search->samples,
        (const tr_ranks_result[]){{search->candidate, sizeof *search->candidate}, {0}});
    for (int i = 0; i < search->samples; i++) /* those of other ranks point elsewhere */
        search->candidate[i].x = search->numbers + (ptrdiff_t)i * search->cma.size;
    for (int i = 0; i < search->samples; i++)
        if (search->candidate[i].status)
            return search->candidate[i].status;
    qsort(search->candidate, (size_t)search->samples, sizeof *search->candidate, by_cost);
    return update(search);
}
