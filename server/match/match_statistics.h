/* Statistics of a batch of bouts: how many each team won, with confidence intervals.
 *
 * Results are added one by one, in the order of their positions, in which the catalogue returns
 * them. So the statistics do not depend on the number of threads. Plain data. */
#pragma once

#include "db/tables/matches.h"

/* low <= value <= high, 95 %. */
typedef struct tr_interval {
    double value, low, high;
} tr_interval;

/* Wilson's interval of a proportion (Wilson 1927): with z = 1.96 and p = successes / trials,
 *   (p + z^2/2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2/n).
 * Without trials: 0 between 0 and 1. */
tr_interval tr_interval_of_proportion(int successes, int trials);

/* Running mean and spread of values (Welford 1962). */
typedef struct tr_mean {
    int count;
    double mean, squares; /* squares: sum of squared differences from the mean */
} tr_mean;

void tr_mean_add(tr_mean *mean, double value);

/* Student's interval of a mean. With fewer than two values low and high are the mean. */
tr_interval tr_interval_of_mean(const tr_mean *mean);

typedef struct tr_match_statistics {
    int team_count;
    int counted; /* bouts that are not void */
    int wins[TR_BOUT_SCORE_MAX], draws, voids;
    tr_mean score[TR_BOUT_SCORE_MAX], ticks; /* of those that are not void */
    uint64_t results_hash;                   /* of everything added, in its order */
} tr_match_statistics;

tr_match_statistics tr_match_statistics_start(int team_count);
void tr_match_statistics_add(tr_match_statistics *statistics, const tr_bout_row *bout);
