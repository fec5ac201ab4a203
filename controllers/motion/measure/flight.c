#include "motion/measure/flight.h"

#include "motion/measure/soles.h"

#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>

static const double CLEARANCE_M = 0.05, RISE_M = 0.015;

/* At the top of a flight all of the body is further above the ground than a support can be, and the
 * parabola's error is at most this share of its rise. */
static const double HIGH_M = 0.10, ERROR_SHARE = 0.07;

/* A body that falls more slowly stands on something raised: a stair. */
static const double FALL_MIN_MPS2 = 9.81 / 16;
enum { FRAMES_MIN = 4 };

/* A body that jumps for so long rises by g T^2 / 8, 0.8 m: more than people do. */
static const double FLIGHT_MAX_S = 0.8;

/* The lowest stair. Less may be hands that sink into the ground elsewhere. */
static const double RAISED_M = 0.15;

/* Heights over a motion: of the centre of mass, and of the lowest point of all. */
typedef struct heights {
    int count;
    double *com, *low; /* [count] */
    double ground;
} heights;

/* A foot that moves more slowly stands. */
static const double STANDING_MPS = 0.3;

/* The level of the feet that stand; where none does, of all that is low. Hands may sink below it.
 * scratch: [count] */
static double find_ground(const heights *h, const tr_soles *soles, double *scratch) {
    int count = 0;
    for (int i = 0; i < h->count; i++) {
        const tr_sole *left = &soles[i].side[0], *right = &soles[i].side[1];
        const tr_sole *lower = left->height <= right->height ? left : right;
        if (lower->speed < STANDING_MPS)
            scratch[count++] = lower->height;
    }
    for (int i = 0; i < h->count && count < FRAMES_MIN; i++)
        scratch[i] = h->low[i];
    return tr_quantile(scratch, count < FRAMES_MIN ? h->count : count, 0.1);
}

static void measure(const tr_model *model, const tr_motion *motion, heights *h) {
    for (int i = 0; i < h->count; i++) {
        tr_body_state bodies[TR_BODY_MAX];
        tr_pose_forward(model, &motion->poses[i], bodies);
        h->com[i] = tr_body_momentum(model, bodies).com_pos.z;
        h->low[i] = tr_body_lowest_point(model, -1, bodies);
    }
}

/* A parabola through heights, by least squares: with u the time from the middle in frames and
 * P(u) = u^2 - mean(u^2), z = mean(z) + slope u + bend P(u).
 *   rise   of its top over its ends, m
 *   error  root mean square of what it leaves, m */
typedef struct parabola {
    double bend, rise, error;
} parabola;

static parabola fit_parabola(const double *z, int first, int last) {
    int n = last - first + 1;
    double middle = 0.5 * (first + last), mean_z = 0, mean_uu = 0;
    for (int i = first; i <= last; i++) {
        mean_z += z[i] / n;
        mean_uu += (i - middle) * (i - middle) / n;
    }
    double zu = 0, zp = 0, pp = 0, square = 0;
    for (int i = first; i <= last; i++) {
        double u = i - middle, p = u * u - mean_uu;
        zu += z[i] * u;
        zp += z[i] * p;
        pp += p * p;
    }
    parabola fit = {.bend = zp / pp};
    for (int i = first; i <= last; i++) {
        double u = i - middle;
        double left = z[i] - mean_z - zu / (mean_uu * n) * u - fit.bend * (u * u - mean_uu);
        square += left * left / n;
    }
    fit.rise = -0.25 * fit.bend * (last - first) * (last - first);
    fit.error = sqrt(square);
    return fit;
}

/* Adds a stretch in the air if it is a flight: the centre of mass passes over a top, along a
 * parabola. (A body that lies a little high does not.) Long flights weigh more, by the fifth power
 * of their length. */
static void add_flight(const heights *h, int first, int last, double dt_s, double *weights,
                       tr_flight *out) {
    double length_s = (last - first) * dt_s;
    if (last - first + 1 < FRAMES_MIN)
        return;
    parabola fit = fit_parabola(h->com, first, last);
    double fall = -2 * fit.bend / (dt_s * dt_s), highest = 0;
    for (int i = first; i <= last; i++)
        highest = fmax(highest, h->low[i] - h->ground);
    if (fit.rise < RISE_M || fit.error > ERROR_SHARE * fit.rise || highest < HIGH_M ||
        fall < FALL_MIN_MPS2)
        return;
    double weight = length_s * length_s * length_s * length_s * length_s;
    out->fall_mps2 = (out->fall_mps2 * *weights + fall * weight) / (*weights + weight);
    out->duration_s += length_s;
    *weights += weight;
}

/* Keeps the longest stretch that is too long for a flight. */
static void add_raised(const heights *h, int first, int last, double dt_s, tr_flight *out) {
    double length_s = (last - first) * dt_s, sum = 0;
    for (int i = first; i <= last; i++)
        sum += h->low[i] - h->ground;
    double raised_m = sum / (last - first + 1);
    if (length_s <= fmax(FLIGHT_MAX_S, out->raised_s) || raised_m < RAISED_M)
        return;
    out->raised_s = length_s;
    out->raised_m = raised_m;
    out->raised_first = first;
}

static tr_flight find_flights(const heights *h, double dt_s) {
    tr_flight flight = {0};
    double weights = 0;
    int begin = -1;
    for (int i = 0; i <= h->count; i++) {
        bool flies = i < h->count && h->low[i] > h->ground + CLEARANCE_M;
        if (flies && begin < 0)
            begin = i;
        if (!flies && begin >= 0) {
            add_flight(h, begin, i - 1, dt_s, &weights, &flight);
            add_raised(h, begin, i - 1, dt_s, &flight);
            begin = -1;
        }
    }
    return flight;
}

tr_status tr_motion_measure_flight(const tr_model *model, const tr_motion *motion, tr_flight *out) {
    size_t n = (size_t)motion->frame_count;
    heights h = {.count = motion->frame_count,
                 .com = calloc(n, sizeof(double)),
                 .low = calloc(n, sizeof(double))};
    double *scratch = calloc(n, sizeof *scratch);
    tr_soles *soles = tr_soles_measure(model, motion);
    tr_status status = h.com && h.low && scratch && soles ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        measure(model, motion, &h);
        h.ground = find_ground(&h, soles, scratch);
        *out = find_flights(&h, motion->dt_s);
    }
    free(h.com);
    free(h.low);
    free(scratch);
    free(soles);
    return status;
}
