#include "learn/measure/noise.h"

#include <math.h>
#include <stdio.h>

static const double STILL_RAD2 = 1e-6; /* variance of what does not move */

/* Variance of vectors in one pass: mean of squares less square of mean. */
typedef struct spread {
    tr_vec3 sum;
    double squares;
    int count;
} spread;

static void add(spread *s, tr_vec3 v) {
    s->sum = tr_vec3_add(s->sum, v);
    s->squares += tr_vec3_dot(v, v);
    s->count++;
}

static double variance(const spread *s) {
    tr_vec3 mean = tr_vec3_scale(s->sum, 1.0 / s->count);
    return fmax(0, s->squares / s->count - tr_vec3_dot(mean, mean));
}

static tr_quat mean_rotation(const tr_pose *poses, int count, int joint) {
    tr_quat sum = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        tr_quat q = poses[i].joint[joint];
        /* q and -q are the same rotation. */
        double sign = tr_quat_dot(sum, q) < 0 ? -1 : 1;
        sum = (tr_quat){sum.w + sign * q.w, sum.x + sign * q.x, sum.y + sign * q.y,
                        sum.z + sign * q.z};
    }
    return tr_quat_normalize(sum);
}

/* Returns log(a b^-1) by the shorter way. */
static tr_vec3 difference(tr_quat a, tr_quat b) {
    tr_quat d = tr_quat_mul(a, tr_quat_conj(b));
    if (d.w < 0)
        d = (tr_quat){-d.w, -d.x, -d.y, -d.z};
    return tr_quat_log(d);
}

double tr_noise_ratio(const tr_model *model, const tr_pose *motion, const tr_pose *reference,
                      int count) {
    double noise = 0, signal = 0;
    if (count < 2)
        return (double)NAN;
    for (int j = 1; j < model->body_count; j++) {
        tr_quat mean = mean_rotation(reference, count, j);
        spread off = {0}, of = {0};
        for (int i = 0; i < count; i++) {
            add(&off, difference(motion[i].joint[j], reference[i].joint[j]));
            add(&of, difference(reference[i].joint[j], mean));
        }
        noise += variance(&off);
        signal += variance(&of);
    }
    return signal > STILL_RAD2 ? 100 * noise / signal : (double)NAN;
}

void tr_noise_ratio_print(double ratio, char out[static TR_NOISE_TEXT_MAX]) {
    if (isfinite(ratio))
        snprintf(out, TR_NOISE_TEXT_MAX, "%.2f", ratio);
    else
        snprintf(out, TR_NOISE_TEXT_MAX, "none");
}
