#include "control/torque/ground/disturbance.h"

static const double MOST_N = 150, MOST_NM = 100;

/* Returns estimate + (now - expected) / T in x and y, at most `most` long. */
static tr_vec3 corrected(tr_vec3 estimate, tr_vec3 now, tr_vec3 expected, double time_s,
                         double most) {
    tr_vec3 next = tr_vec3_add_scaled(estimate, 1 / time_s, tr_vec3_sub(now, expected));
    next.z = 0;
    const double length = tr_vec3_length(next);
    return length > most ? tr_vec3_scale(next, most / length) : next;
}

void tr_disturbance_observe(tr_disturbance *disturbance, const tr_momenta *now, double time_s) {
    tr_disturbance *d = disturbance;
    if (!d->expects)
        return;
    d->force = corrected(d->force, now->linear, d->expected.linear, time_s, MOST_N);
    d->moment = corrected(d->moment, now->angular, d->expected.angular, time_s, MOST_NM);
}

void tr_disturbance_expect(tr_disturbance *disturbance, const tr_momenta *now,
                           const tr_momenta *rate, double step_s) {
    disturbance->expects = true;
    disturbance->expected.linear = tr_vec3_add_scaled(now->linear, step_s, rate->linear);
    disturbance->expected.angular = tr_vec3_add_scaled(now->angular, step_s, rate->angular);
}
