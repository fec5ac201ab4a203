/* A search for gaits: generations of candidates drawn from a distribution, each judged by an exam,
 * the better ones teaching the distribution (Shum et al., section 3.3).
 *
 * They teach by Hansen's rule (cma.h). By eqs. 1 to 4 of the paper, with a step of constant size, the
 * walk bore 62 N where it bears 130 (controllers/log/2026-11-25-gaits.md).
 *
 * A result is a function of definition and seeds, not of the number of threads. */
#pragma once

#include "learn/gait/gait_exam.h"
#include "learn/search/cma.h"

enum { TR_GAIT_SAMPLES_MAX = 128 };

/* The gait of a candidate x, which the caller destroys; and the cost of x itself, which is added to
 * that of the exam (eqs. 5 and 8). Several threads call it concurrently. */
typedef struct tr_gait_problem {
    tr_status (*build)(const void *context, const double *x, tr_gait **out);
    double (*place_cost)(const void *context, const double *x);
    const void *context;
} tr_gait_problem;

typedef struct tr_gait_candidate {
    double *x;   /* [size] */
    double cost; /* place included */
    tr_gait_result result;
    tr_status status;
} tr_gait_candidate;

typedef struct tr_gait_search {
    int samples, best;
    tr_cma cma;
    tr_gait_candidate candidate[TR_GAIT_SAMPLES_MAX]; /* [samples], the best first */
    double *numbers;                                  /* [samples][size], behind the candidates */
} tr_gait_search;

/* Begins a search around zeros with that step size. best: of the samples, those that teach.
 * TR_INVALID_ARGUMENT; TR_RESOURCE_EXHAUSTED. */
tr_status tr_gait_search_init(tr_gait_search *search, int size, int samples, int best,
                              double sigma) TR_NODISCARD;
void tr_gait_search_deinit(tr_gait_search *search); /* of zeros is fine */

/* Makes one generation; candidates are drawn by (seed, generation). The candidates are left
 * sorted. */
tr_status tr_gait_search_advance(tr_gait_search *search, const tr_gait_problem *problem,
                                 const tr_gait_exam *exam, tr_ensemble *ensemble, uint64_t seed,
                                 int generation) TR_NODISCARD;
