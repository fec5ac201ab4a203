#include "server/match/match_statistics.h"

#include "math/hash.h"

#include <math.h>

static const double z95 = 1.959963984540054; /* 97.5 % quantile of the normal distribution */

tr_interval tr_interval_of_proportion(int successes, int trials) {
    if (trials < 1)
        return (tr_interval){0, 0, 1};
    double n = trials, p = successes / n, z = z95;
    double centre = p + z * z / (2 * n);
    double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    double scale = 1 + z * z / n;
    double low = fmax(0, (centre - half) / scale), high = fmin(1, (centre + half) / scale);
    return (tr_interval){p, fmin(low, p),
                         fmax(high, p)}; /* p itself at 0 and 1, but for rounding */
}

void tr_mean_add(tr_mean *mean, double value) {
    double before = value - mean->mean;
    mean->count++;
    mean->mean += before / mean->count;
    mean->squares += before * (value - mean->mean);
}

/* 97.5 % quantile of Student's t: a table where the expansion about the normal quantile
 * (Abramowitz and Stegun, 26.7.5) is not yet good to three digits. */
static double student_quantile(int freedom) {
    static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706};
    if (freedom <= (int)(sizeof table / sizeof *table))
        return table[freedom - 1];
    double z = z95, z2 = z * z, v = freedom;
    double g1 = (z2 + 1) * z / 4;
    double g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
    double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
    return z + (g1 + (g2 + g3 / v) / v) / v;
}

tr_interval tr_interval_of_mean(const tr_mean *mean) {
    if (mean->count < 2)
        return (tr_interval){mean->mean, mean->mean, mean->mean};
    double variance = mean->squares / (mean->count - 1);
    double half = student_quantile(mean->count - 1) * sqrt(variance / mean->count);
    return (tr_interval){mean->mean, mean->mean - half, mean->mean + half};
}

tr_match_statistics tr_match_statistics_start(int team_count) {
    return (tr_match_statistics){.team_count = team_count, .results_hash = TR_HASH_START};
}

/* Field by field: padding is not part of a result. */
static uint64_t hash_bout(uint64_t hash, const tr_bout_row *bout, int team_count) {
    hash = tr_hash_add(hash, &bout->position, sizeof bout->position);
    hash = tr_hash_add(hash, &bout->seed, sizeof bout->seed);
    hash = tr_hash_add(hash, &bout->outcome, sizeof bout->outcome);
    hash = tr_hash_add(hash, &bout->winner, sizeof bout->winner);
    hash = tr_hash_add(hash, &bout->ticks, sizeof bout->ticks);
    hash = tr_hash_add(hash, &bout->hash, sizeof bout->hash);
    return tr_hash_add(hash, bout->score, (size_t)team_count * sizeof *bout->score);
}

void tr_match_statistics_add(tr_match_statistics *statistics, const tr_bout_row *bout) {
    statistics->results_hash = hash_bout(statistics->results_hash, bout, statistics->team_count);
    if (bout->outcome == 2) {
        statistics->voids++;
        return;
    }
    statistics->counted++;
    if (bout->winner >= 0 && bout->winner < statistics->team_count)
        statistics->wins[bout->winner]++;
    else
        statistics->draws++;
    for (int i = 0; i < statistics->team_count; i++)
        tr_mean_add(&statistics->score[i], bout->score[i]);
    tr_mean_add(&statistics->ticks, (double)bout->ticks);
}
