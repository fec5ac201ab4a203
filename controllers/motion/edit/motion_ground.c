/* Putting a motion on the ground.
 *
 * A source and a model differ in proportions and in the shape of their feet, so that no single
 * shift puts every step on the ground. The height of the root is corrected by a curve c over time:
 * with h the height of a sole and w its weight as a contact (slow and low), c minimises
 *     sum_i sum_side w (c_i + h)^2 + lambda sum_i (c_{i-1} - 2 c_i + c_{i+1})^2,
 * a smoothing spline (Whittaker 1923; Eilers 2003): it meets the ground where the feet stand and
 * passes smoothly over flight. Frames in which a body would still be below the ground get a weight
 * too, and the fit is repeated until no body is. */
#include "motion/poses/motion.h"

#include "motion/measure/soles.h"

#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void shift_all(tr_motion *motion, double shift) {
    for (int i = 0; i < motion->frame_count; i++)
        motion->poses[i].root_pos.z += shift;
}

static double lowest_sole(const tr_soles *s) {
    return fmin(s->side[0].height, s->side[1].height);
}

tr_status tr_motion_ground(const tr_model *model, tr_motion *motion, double percentile) {
    if (!(percentile >= 0 && percentile <= 100))
        return TR_INVALID_ARGUMENT;
    tr_soles *s = tr_soles_measure(model, motion);
    double *low = calloc((size_t)motion->frame_count, sizeof *low);
    tr_status status = s && low ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        for (int i = 0; i < motion->frame_count; i++)
            low[i] = lowest_sole(&s[i]);
        shift_all(motion, -tr_quantile(low, motion->frame_count, percentile / 100));
    }
    free(s);
    free(low);
    return status;
}

/* ---- The correction curve ---- */

/* The time scales of the curve: of soles that differ, and of sensors that drift. */
static const double TIME_SCALE_S = 0.08, DRIFT_SCALE_S = 0.5;

/* A body may be this far below the ground. */
static const double SINK_M = 0.005;

/* Normal equations of the fit, one unknown per frame: pentadiagonal, symmetric, positive definite.
 * diagonal, first, second: [count], entry i couples frame i with i, i + 1, i + 2; value: right
 * side, then the solution. */
typedef struct fit {
    int count;
    double *diagonal, *first, *second, *value;
    double *weight, *target; /* [frame_count]: pull of one frame, and where to */
} fit;

/* Weighted sum of pulls on one frame as one weight and one target. */
static void pull(fit *f, int frame, double weight, double target) {
    double sum = f->weight[frame] + weight;
    if (sum > 0)
        f->target[frame] = (f->weight[frame] * f->target[frame] + weight * target) / sum;
    f->weight[frame] = sum;
}

/* L D L^T factorisation of a pentadiagonal matrix in place, and both substitutions. */
static void solve(fit *f) {
    double *d = f->diagonal, *e = f->first, *g = f->second, *v = f->value;
    for (int i = 0; i < f->count; i++) {
        if (i >= 1) {
            d[i] -= e[i - 1] * e[i - 1] * d[i - 1];
            e[i] -= g[i - 1] * e[i - 1] * d[i - 1];
            v[i] -= e[i - 1] * v[i - 1];
        }
        if (i >= 2) {
            d[i] -= g[i - 2] * g[i - 2] * d[i - 2];
            v[i] -= g[i - 2] * v[i - 2];
        }
        e[i] /= d[i];
        g[i] /= d[i];
    }
    for (int i = f->count - 1; i >= 0; i--) {
        v[i] /= d[i];
        if (i + 1 < f->count)
            v[i] -= e[i] * v[i + 1];
        if (i + 2 < f->count)
            v[i] -= g[i] * v[i + 2];
    }
}

/* The curve for the present weights, in value + *out_begin. A cycle is solved with a copy of itself
 * before and after. time_s: changes of the curve faster than this are smoothed away */
static void fit_curve(fit *f, const tr_motion *motion, double time_s, int *out_begin) {
    int n = motion->frame_count, copies = motion->cyclic ? 3 : 1;
    double scale = time_s / motion->dt_s, lambda = scale * scale * scale * scale;
    size_t size = (size_t)f->count * sizeof(double);
    f->count = copies * n;
    memset(f->first, 0, size);
    memset(f->second, 0, size);
    for (int i = 0; i < f->count; i++) {
        double weight = f->weight[i % n] + 1e-4;
        f->diagonal[i] = weight;
        f->value[i] = f->weight[i % n] * f->target[i % n];
    }
    for (int i = 1; i + 1 < f->count; i++) {
        static const double k[3] = {1, -2, 1};
        for (int a = 0; a < 3; a++) {
            f->diagonal[i - 1 + a] += lambda * k[a] * k[a];
            if (a < 2)
                f->first[i - 1 + a] += lambda * k[a] * k[a + 1];
        }
        f->second[i - 1] += lambda;
    }
    solve(f);
    *out_begin = motion->cyclic ? n : 0;
}

/* Gives weight to the frames in which something would be too low; returns how far, m. */
static double push_up(fit *f, const tr_soles *soles, int n, const double *curve) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double low = fmin(lowest_sole(&soles[i]), soles[i].rest_low);
        double depth = -SINK_M - (low + curve[i]);
        worst = fmax(worst, depth);
        if (depth > 0)
            pull(f, i, 2, -SINK_M - low + 0.5 * depth);
    }
    return worst;
}

static void deinit(fit *f) {
    free(f->diagonal);
    free(f->first);
    free(f->second);
    free(f->value);
    free(f->weight);
    free(f->target);
}

static tr_status init(fit *f, const tr_motion *motion) {
    size_t n = (size_t)motion->frame_count, count = n * (motion->cyclic ? 3 : 1);
    *f = (fit){.count = (int)count,
               .diagonal = calloc(count, sizeof(double)),
               .first = calloc(count, sizeof(double)),
               .second = calloc(count, sizeof(double)),
               .value = calloc(count, sizeof(double)),
               .weight = calloc(n, sizeof(double)),
               .target = calloc(n, sizeof(double))};
    return f->diagonal && f->first && f->second && f->value && f->weight && f->target
               ? TR_OK
               : TR_RESOURCE_EXHAUSTED;
}

/* Puts the frames in contact on the ground on average: the level around which the curve varies. */
static tr_status level(const tr_model *model, tr_motion *motion) {
    double speed = tr_soles_speed(motion);
    tr_status status = tr_motion_ground(model, motion, 20);
    for (int round = 0; !status && round < 3; round++) {
        tr_soles *soles = tr_soles_measure(model, motion);
        if (!soles)
            return TR_RESOURCE_EXHAUSTED;
        double sum = 0, total = 0;
        for (int i = 0; i < motion->frame_count; i++)
            for (int side = 0; side < 2; side++) {
                double w = tr_sole_contact(&soles[i].side[side], speed);
                sum += w * soles[i].side[side].height;
                total += w;
            }
        free(soles);
        if (total > 0)
            shift_all(motion, -sum / total);
    }
    return status;
}

static void apply_curve(fit *f, const tr_soles *soles, tr_motion *motion) {
    int n = motion->frame_count, begin;
    double speed = tr_soles_speed(motion);
    for (int i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            const tr_sole *sole = &soles[i].side[side];
            pull(f, i, tr_sole_contact(sole, speed), -sole->height);
        }
    for (int round = 0; round < 20; round++) {
        fit_curve(f, motion, TIME_SCALE_S, &begin);
        if (push_up(f, soles, n, f->value + begin) < 0.5 * SINK_M)
            break;
    }
    for (int i = 0; i < n; i++)
        motion->poses[i].root_pos.z += f->value[begin + i];
}

tr_status tr_motion_fit_ground(const tr_model *model, tr_motion *motion) {
    tr_status status = level(model, motion);
    if (status)
        return status;
    fit f;
    tr_soles *soles = tr_soles_measure(model, motion);
    status = soles ? init(&f, motion) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        apply_curve(&f, soles, motion);
    if (soles)
        deinit(&f);
    free(soles);
    return status;
}

/* ---- Drift ---- */

/* A foot that stands is slow for a while, and the body is upright above it. From stance to stance
 * sensors drift by little; a stair, a box or a hop changes the level by more. Less drift than the least
 * is left to the fit above. */
static const double STANCE_MPS = 0.3, STANCE_S = 0.15, UPRIGHT = 0.5, NEXT_M = 0.06, LEAST_M = 0.08;

static bool stands(const tr_motion *motion, const tr_soles *soles, int i) {
    const tr_sole *left = &soles[i].side[0], *right = &soles[i].side[1];
    const tr_sole *lower = left->height <= right->height ? left : right;
    tr_vec3 up = tr_quat_rotate(motion->poses[i].root_rot, tr_vec3_make(0, 0, 1));
    return lower->speed < STANCE_MPS && lower->height < soles[i].rest_low && up.z > UPRIGHT;
}

/* Gives weight to the frames of each stance. range: lowest and highest level of a stance. false: the
 * level leaps, or there is no stance. */
static bool list_stances(const tr_motion *motion, const tr_soles *soles, fit *f, double range[2]) {
    const int least = (int)ceil(STANCE_S / motion->dt_s);
    bool any = false;
    double level = 0;
    for (int i = 0, from = 0; i <= motion->frame_count; i++) {
        if (i < motion->frame_count && stands(motion, soles, i))
            continue;
        for (int k = from; i - from >= least && k < i; k++) {
            const double now = lowest_sole(&soles[k]);
            if (any && fabs(now - level) > NEXT_M)
                return false;
            pull(f, k, 1, now);
            range[0] = any ? fmin(range[0], now) : now;
            range[1] = any ? fmax(range[1], now) : now;
            level = now;
            any = true;
        }
        from = i + 1;
    }
    return any;
}

tr_status tr_motion_level_drift(const tr_model *model, tr_motion *motion, double *out_m) {
    fit f = {0};
    double range[2] = {0};
    int begin = 0;
    tr_soles *soles = tr_soles_measure(model, motion);
    tr_status status = soles ? init(&f, motion) : TR_RESOURCE_EXHAUSTED;
    *out_m = 0;
    if (!status && list_stances(motion, soles, &f, range) && range[1] - range[0] > LEAST_M) {
        fit_curve(&f, motion, DRIFT_SCALE_S, &begin);
        for (int i = 0; i < motion->frame_count; i++)
            motion->poses[i].root_pos.z -= f.value[begin + i];
        *out_m = range[1] - range[0];
    }
    deinit(&f);
    free(soles);
    return status;
}
