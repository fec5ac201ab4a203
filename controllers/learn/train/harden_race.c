#include "learn/train/harden_race.h"

#include <math.h>
#include <stdlib.h>

tr_status tr_harden_race_open(int pairs, int best, tr_harden_race *out) {
    size_t count = (size_t)pairs;
    *out = (tr_harden_race){.pairs = pairs, .best = best};
    out->returns = calloc(2 * count, sizeof *out->returns);
    out->gain = calloc(count, sizeof *out->gain);
    return out->returns && out->gain ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

void tr_harden_race_close(tr_harden_race *race) {
    free(race->gain);
    free(race->returns);
}

void tr_harden_race_finish(tr_harden_race *race, const double *cost, int trials) {
    for (int side = 0; side < 2 * race->pairs; side++) {
        double sum = 0;
        for (int t = 0; t < trials; t++)
            sum += *cost++;
        race->returns[side] = -sum / trials;
    }
}

static double difference(const tr_harden_race *race, int pair) {
    return race->returns[2 * pair] - race->returns[2 * pair + 1];
}

static int by_size_falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Returns the least size of a difference among the `best` largest ones. */
static double threshold(const tr_harden_race *race) {
    for (int i = 0; i < race->pairs; i++)
        race->gain[i] = fabs(difference(race, i));
    qsort(race->gain, (size_t)race->pairs, sizeof *race->gain, by_size_falling);
    return race->gain[race->best - 1];
}

double tr_harden_race_mean(const tr_harden_race *race) {
    double sum = 0;
    for (int i = 0; i < 2 * race->pairs; i++)
        sum += race->returns[i];
    return sum / (2 * race->pairs);
}

/* Returns the standard deviation of the returns, the unit of the steps (Mania et al. 2018). */
static double deviation(const tr_harden_race *race) {
    double mean = tr_harden_race_mean(race), squares = 0;
    for (int i = 0; i < 2 * race->pairs; i++) {
        double off = race->returns[i] - mean;
        squares += off * off;
    }
    return sqrt(squares / (2 * race->pairs));
}

int tr_harden_race_follow(const tr_harden_race *race, double rate, tr_harden_step *out) {
    /* Returns without spread say nothing of the directions: then no step is taken. */
    double least = threshold(race), unit = deviation(race);
    int count = 0;
    for (int i = 0; i < race->pairs && unit > 0; i++) {
        double gain = difference(race, i);
        if (fabs(gain) >= least)
            /* rate / (best * sigma_R) * (R+ - R-), sigma_R the deviation of the returns (Mania et
             * al. 2018). */
            out[count++] = (tr_harden_step){i, rate * gain / (race->best * unit)};
    }
    return count;
}
