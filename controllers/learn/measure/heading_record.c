#include "learn/measure/heading_record.h"

#include "math/quat.h"

#include <math.h>
#include <stdlib.h>

const double tr_heading_near_rad = 20 * TR_PI / 180;

static const double FAR_RAD = TR_PI / 2, SHARPNESS = 3;
static const double DEGREES = 180 / TR_PI;

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

tr_spread tr_spread_of(double *values, int count) {
    if (count == 0)
        return (tr_spread){(double)NAN, (double)NAN, (double)NAN};
    qsort(values, (size_t)count, sizeof *values, compare);
    return (tr_spread){values[count / 2], values[count / 4], values[3 * count / 4]};
}

static const double *row(const tr_heading_record *record, int character) {
    return record->off + (size_t)character * (size_t)record->steps;
}

static tr_spread spread_deviation(const tr_heading_record *record, double *work, double *out_mean) {
    int count = 0;
    *out_mean = 0;
    for (int i = 0; i < record->characters; i++)
        for (int k = 0; k < record->steps; k++)
            /* The first half of the time to a goal is for turning. */
            if (k % record->goal_steps >= record->goal_steps / 2) {
                work[count++] = DEGREES * row(record, i)[k];
                *out_mean += work[count - 1];
            }
    *out_mean /= count;
    return tr_spread_of(work, count);
}

/* Returns the times to reach goals that begin at least `least` off; those never reached count as
 * the whole time. */
static tr_spread spread_reach(const tr_heading_record *record, double least, double *work,
                              int *out_goals, int *out_reached) {
    const int goal = record->goal_steps;
    int count = 0, missed = 0;
    for (int i = 0; i < record->characters; i++)
        for (int first = 0; first + goal <= record->steps; first += goal) {
            const double *off = row(record, i) + first;
            int k = 0;
            while (k < goal && off[k] >= record->near_rad)
                k++;
            if (off[0] < least)
                continue;
            missed += k == goal;
            work[count++] = k * record->dt_s;
        }
    *out_goals = count;
    *out_reached = count - missed;
    return tr_spread_of(work, count);
}

tr_status tr_heading_summarise(const tr_heading_record *record, tr_heading_summary *out) {
    int far, ignored;
    double *work = calloc((size_t)record->characters * (size_t)record->steps, sizeof *work);
    if (!work)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < record->characters; i++) {
        work[i] = 0;
        for (int k = 0; k < record->steps; k++)
            work[i] += exp(-SHARPNESS * row(record, i)[k]) * 1000 / record->steps;
    }
    out->reward = tr_spread_of(work, record->characters);
    out->deviation_deg = spread_deviation(record, work, &out->deviation_mean_deg);
    out->reach_s = spread_reach(record, 0, work, &out->goals, &out->reached);
    out->missed = out->goals ? 1 - (double)out->reached / out->goals : 0;
    out->turn_s = spread_reach(record, FAR_RAD, work, &far, &ignored);
    free(work);
    return TR_OK;
}
