#include "learn/train/harden_race.h"

#include <math.h>
#include <stdlib.h>

tr_status tr_harden_race_open(int pairs, int best, tr_harden_race *out) {
    size_t count = (size_t)pairs;
    *out = (tr_harden_race){.pairs = pairs, .best = best};
    out->runner = calloc(count, sizeof *out->runner);
    out->sum = calloc(2 * count, sizeof *out->sum);
    out->gain = calloc(count, sizeof *out->gain);
    return out->runner && out->sum && out->gain ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

void tr_harden_race_close(tr_harden_race *race) {
    free(race->gain);
    free(race->sum);
    free(race->runner);
}

void tr_harden_race_start(tr_harden_race *race) {
    race->runner_count = race->pairs;
    for (int d = 0; d < race->pairs; d++) {
        race->runner[d] = d;
        race->sum[2 * d] = race->sum[2 * d + 1] = 0;
    }
}

void tr_harden_race_add(tr_harden_race *race, const double *cost, int trials) {
    for (int i = 0; i < race->runner_count; i++)
        for (int side = 0; side < 2; side++) {
            double *sum = &race->sum[2 * race->runner[i] + side];
            for (int t = 0; t < trials; t++)
                *sum += *cost++;
        }
}

static double difference(const tr_harden_race *race, int pair) {
    return race->sum[2 * pair] - race->sum[2 * pair + 1];
}

static int by_size_falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Returns the least size of a difference among the `best` largest ones of the runners. */
static double threshold(const tr_harden_race *race) {
    for (int i = 0; i < race->runner_count; i++)
        race->gain[i] = fabs(difference(race, race->runner[i]));
    qsort(race->gain, (size_t)race->runner_count, sizeof *race->gain, by_size_falling);
    return race->gain[race->best - 1];
}

void tr_harden_race_drop(tr_harden_race *race) {
    double least = threshold(race);
    int kept = 0;
    for (int i = 0; i < race->runner_count; i++)
        if (fabs(difference(race, race->runner[i])) >= least)
            race->runner[kept++] = race->runner[i];
    race->runner_count = kept;
}

void tr_harden_race_finish(tr_harden_race *race, int trials) {
    for (int side = 0; side < 2 * race->pairs; side++)
        race->sum[side] = -race->sum[side] / trials;
}

static double return_of(const tr_harden_race *race, int i) {
    return race->sum[2 * race->runner[i / 2] + i % 2];
}

double tr_harden_race_mean(const tr_harden_race *race) {
    double sum = 0;
    for (int i = 0; i < 2 * race->runner_count; i++)
        sum += return_of(race, i);
    return sum / (2 * race->runner_count);
}

/* Returns the standard deviation of the runners' returns, the unit of the steps (Mania et al.
 * 2018). */
static double deviation(const tr_harden_race *race) {
    double mean = tr_harden_race_mean(race), squares = 0;
    for (int i = 0; i < 2 * race->runner_count; i++) {
        double off = return_of(race, i) - mean;
        squares += off * off;
    }
    return sqrt(squares / (2 * race->runner_count));
}

int tr_harden_race_follow(const tr_harden_race *race, double rate, tr_harden_step *out) {
    /* Returns without spread say nothing of the directions: then no step is taken. */
    double least = threshold(race), unit = deviation(race);
    int count = 0;
    for (int i = 0; i < race->runner_count && unit > 0; i++) {
        double gain = difference(race, race->runner[i]);
        if (fabs(gain) >= least)
            /* rate / (best * sigma_R) * (R+ - R-), sigma_R the deviation of the returns (Mania et
             * al. 2018). */
            out[count++] = (tr_harden_step){race->runner[i], rate * gain / (race->best * unit)};
    }
    return count;
}
