#include "motion/made/key_track.h"

/* The key with this number: continued in periods, or held at the ends (a second apart). */
static tr_track_key key_at(const tr_key_track *track, int index) {
    int last = track->count - 1;
    tr_track_key key;
    if (track->period_s > 0) {
        int period = index < 0 ? -1 : index / track->count;
        key = track->key[index - period * track->count];
        key.t_s += period * track->period_s;
        key.value = tr_vec3_add_scaled(key.value, period, track->shift);
        return key;
    }
    key = track->key[index < 0 ? 0 : index > last ? last : index];
    key.t_s += index < 0 ? index : index > last ? index - last : 0;
    return key;
}

/* The harmonic mean of both slopes weighted by the intervals; 0 at an extreme. */
static double tangent(double before, double after, double h_before, double h_after) {
    if (!(before * after > 0))
        return 0;
    double w = 2 * h_after + h_before, u = h_after + 2 * h_before;
    return (w + u) / (w / before + u / after);
}

static double slope(double from, double to, double h) {
    return (to - from) / h;
}

/* Of one coordinate, at x in 0 to 1 between the inner two of four keys. */
static double between(const double v[4], const double h[3], double x) {
    double middle = slope(v[1], v[2], h[1]);
    double m1 = tangent(slope(v[0], v[1], h[0]), middle, h[0], h[1]) * h[1];
    double m2 = tangent(middle, slope(v[2], v[3], h[2]), h[1], h[2]) * h[1];
    double x2 = x * x, x3 = x2 * x;
    return v[1] * (2 * x3 - 3 * x2 + 1) + m1 * (x3 - 2 * x2 + x) + v[2] * (3 * x2 - 2 * x3) +
           m2 * (x3 - x2);
}

/* The number of the last key at or before t. */
static int find(const tr_key_track *track, double t_s) {
    int at = track->period_s > 0 ? -1 : 0;
    for (int i = 0; i < track->count && track->key[i].t_s <= t_s; i++)
        at = i;
    return at;
}

tr_vec3 tr_key_track_at(const tr_key_track *track, double t_s) {
    int at = find(track, t_s);
    tr_track_key k[4];
    for (int i = 0; i < 4; i++)
        k[i] = key_at(track, at - 1 + i);
    const double h[3] = {k[1].t_s - k[0].t_s, k[2].t_s - k[1].t_s, k[3].t_s - k[2].t_s};
    double x = (t_s - k[1].t_s) / h[1];
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return (tr_vec3){
        between((double[]){k[0].value.x, k[1].value.x, k[2].value.x, k[3].value.x}, h, x),
        between((double[]){k[0].value.y, k[1].value.y, k[2].value.y, k[3].value.y}, h, x),
        between((double[]){k[0].value.z, k[1].value.z, k[2].value.z, k[3].value.z}, h, x)};
}
