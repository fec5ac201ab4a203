#include "control/latent/orbit.h"

#include "control/latent/latent_likely.h"

#include <math.h>
#include <stdlib.h>

int tr_orbit_first(const tr_latent_tracker *tracker, int orbit) {
    int first = 0;
    for (int t = 0; t < orbit; t++)
        first += tracker->count[t];
    return first;
}

int tr_orbit_next(const tr_latent_tracker *tracker, int orbit, int fragment) {
    const int first = tr_orbit_first(tracker, orbit);
    return first + (fragment + 1 - first) % tracker->count[orbit];
}

int tr_orbit_places(const tr_latent_tracker *tracker, int orbit) {
    return TR_TRACKER_PLACES * tracker->count[orbit];
}

double tr_orbit_distance(const tr_latent_space *space, const tr_latent_state *a,
                         const tr_latent_state *b) {
    double square = 0;
    for (int d = 0; d < space->learned.dimension; d++) {
        double x = a->x[d] - b->x[d], v = a->v[d] - b->v[d];
        square += x * x + v * v;
    }
    return sqrt(square) / space->step_length;
}

/* Returns pose and rates at `share` of the way between the starts of two fragments, by Hermite's
 * cubic. */
static tr_pose_flow flow_between(const tr_pose_flow *a, const tr_pose_flow *b, double span_s,
                                 double share) {
    const double u = share, w = 1 - share;
    tr_pose_flow f;
    for (int k = 0; k < TR_POSE_VECTOR_MAX; k++) {
        const double rise = b->vector[k] - a->vector[k];
        f.vector[k] = a->vector[k] * w * w * (1 + 2 * u) + b->vector[k] * u * u * (3 - 2 * u) +
                      span_s * u * w * (a->rate[k] * w - b->rate[k] * u);
        f.rate[k] =
            6 * u * w * rise / span_s + a->rate[k] * w * (1 - 3 * u) + b->rate[k] * u * (3 * u - 2);
    }
    return f;
}

/* Returns the sum of squared distances between the places of an orbit and those of another, which
 * are shifted by some places. */
static double differ(const tr_latent_tracker *tracker, int from, int to, int shift) {
    const int n = tr_orbit_places(tracker, to), m = tr_orbit_places(tracker, from);
    const tr_latent_state *a = tracker->place + tr_orbit_first(tracker, from) * TR_TRACKER_PLACES,
                          *b = tracker->place + tr_orbit_first(tracker, to) * TR_TRACKER_PLACES;
    double sum = 0;
    for (int i = 0; i < m; i++) {
        const double far =
            tr_orbit_distance(tracker->puppet->space, &a[i], &b[(i * n / m + shift) % n]);
        sum += far * far;
    }
    return sum;
}

/* Finds by how many places each orbit is shifted against each other one where they are most
 * alike. */
static void align_orbits(tr_latent_tracker *tracker) {
    for (int a = 0; a < tracker->orbit_count; a++)
        for (int b = 0; b < tracker->orbit_count; b++) {
            double least = (double)INFINITY;
            for (int shift = 0; shift < tr_orbit_places(tracker, b); shift++) {
                const double sum = differ(tracker, a, b, shift);
                if (sum < least) {
                    least = sum;
                    tracker->shift[a][b] = shift;
                }
            }
        }
}

static double turn_of(const tr_latent_tracker *tracker, int orbit, double step_s) {
    double turn = 0;
    for (int f = tr_orbit_first(tracker, orbit); f < tr_orbit_first(tracker, orbit + 1); f++)
        turn += tr_angle_wrap(tr_quat_heading(tracker->bank.fragment[f].end.pose.root_rot) -
                              tr_quat_heading(tracker->bank.fragment[f].start.pose.root_rot));
    return turn / (tr_orbit_steps(tracker, orbit) * step_s);
}

tr_status tr_orbit_lay(tr_latent_tracker *tracker, const tr_driver_setting *setting) {
    const tr_latent_space *space = tracker->puppet->space;
    const tr_fragment *fragment = tracker->bank.fragment;
    const int count = tracker->bank.fragment_count;
    tracker->place = calloc((size_t)count * TR_TRACKER_PLACES, sizeof *tracker->place);
    if (!tracker->place)
        return TR_RESOURCE_EXHAUSTED;
    for (int t = 0; t < tracker->orbit_count; t++)
        for (int i = 0; i < tracker->count[t]; i++) {
            const int f = tr_orbit_first(tracker, t) + i;
            const tr_pose_flow from = tr_pose_flow_of(space, setting->model, &fragment[f].start),
                               to = tr_pose_flow_of(space, setting->model,
                                                    &fragment[tr_orbit_next(tracker, t, f)].start);
            /* Places between the starts of this fragment and the next one. */
            for (int k = 0; k < TR_TRACKER_PLACES; k++) {
                const tr_pose_flow flow = flow_between(
                    &from, &to, fragment[f].steps * setting->step_s, (double)k / TR_TRACKER_PLACES);
                tracker->place[f * TR_TRACKER_PLACES + k] = tr_latent_likely(space, &flow);
            }
        }
    align_orbits(tracker);
    for (int t = 0; t < tracker->orbit_count; t++)
        tracker->turn_rad_s[t] = turn_of(tracker, t, setting->step_s);
    return TR_OK;
}

int tr_orbit_steps(const tr_latent_tracker *tracker, int orbit) {
    int steps = 0;
    for (int f = tr_orbit_first(tracker, orbit); f < tr_orbit_first(tracker, orbit + 1); f++)
        steps += tracker->bank.fragment[f].steps;
    return steps;
}

int tr_orbit_nearest(const tr_latent_tracker *tracker, const tr_latent_state *at, int orbit,
                     double *out_far) {
    int nearest_one = tr_orbit_first(tracker, orbit) * TR_TRACKER_PLACES;
    *out_far = (double)INFINITY;
    for (int p = nearest_one; p < tr_orbit_first(tracker, orbit + 1) * TR_TRACKER_PLACES; p++) {
        double far = tr_orbit_distance(tracker->puppet->space, at, &tracker->place[p]);
        if (far < *out_far) {
            *out_far = far;
            nearest_one = p;
        }
    }
    return nearest_one;
}

int tr_orbit_aligned(const tr_latent_tracker *tracker, int from, int to, int place) {
    const int n = tr_orbit_places(tracker, to), m = tr_orbit_places(tracker, from);
    /* Orbits may have different numbers of places, so they are aligned by share of a round. */
    const int i = place - tr_orbit_first(tracker, from) * TR_TRACKER_PLACES;
    return tr_orbit_first(tracker, to) * TR_TRACKER_PLACES +
           (i * n / m + tracker->shift[from][to]) % n;
}
