#include "server/world/pace.h"

#include <math.h>

/* Due time of the i-th step after the origin. Computed from i each time, so that rounding errors
 * never add up. */
static int64_t due_ns(const tr_pace *pace, int64_t i) {
    return pace->origin_ns + (int64_t)llround((double)i * pace->step_s / pace->rate * 1e9);
}

/* The last point of the grid that is not after `now_ns`; without a grid, now. */
static int64_t origin_at(const tr_pace *pace, int64_t now_ns) {
    if (pace->phase < 0)
        return now_ns;
    double interval_ns = pace->step_s / pace->rate * 1e9;
    double past = (double)now_ns / interval_ns - pace->phase;
    return now_ns - (int64_t)((past - floor(past)) * interval_ns);
}

tr_pace tr_pace_start(double step_s, double rate, int64_t now_ns) {
    return (tr_pace){.step_s = step_s, .rate = rate, .origin_ns = now_ns, .phase = -1};
}

void tr_pace_align(tr_pace *pace, double phase, int64_t now_ns) {
    pace->phase = phase;
    pace->origin_ns = origin_at(pace, now_ns);
    pace->done = 0;
}

double tr_pace_phase_of(int slot) {
    double turns = slot * 0.6180339887498949;
    return turns - floor(turns);
}

void tr_pace_resume(tr_pace *pace, double rate, int64_t now_ns) {
    pace->rate = rate;
    pace->origin_ns = origin_at(pace, now_ns);
    pace->done = 0;
}

int tr_pace_due(tr_pace *pace, int64_t now_ns) {
    int64_t late_ns = now_ns - tr_pace_deadline_ns(pace);
    if (late_ns < 0)
        return 0;
    if (late_ns > pace->max_late_ns)
        pace->max_late_ns = late_ns;
    int64_t behind = 1 + (int64_t)((double)late_ns * 1e-9 * pace->rate / pace->step_s);
    if (behind <= TR_PACE_CATCH_UP_MAX)
        return (int)behind;
    /* Keep the newest steps that may be caught up: the last of them is due now. */
    pace->dropped_steps += behind - TR_PACE_CATCH_UP_MAX;
    pace->origin_ns = origin_at(pace, now_ns);
    pace->done = -(TR_PACE_CATCH_UP_MAX);
    return TR_PACE_CATCH_UP_MAX;
}

void tr_pace_step(tr_pace *pace) {
    pace->done++;
}

int64_t tr_pace_deadline_ns(const tr_pace *pace) {
    return due_ns(pace, pace->done + 1);
}
