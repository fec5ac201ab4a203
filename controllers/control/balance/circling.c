#include "control/balance/circling.h"

#include "math/elementary.h"
#include "math/quat.h"

#include <math.h>

tr_circling_lean tr_circling_lean_of(const tr_circling *circling, int64_t looks, double turn_rad) {
    const double way = (double)looks * circling->phase_rad, phase = fmod(way, 2 * TR_PI);
    /* r, which grows during the first circle. */
    const double share = fmin(1, circling->gain * fabs(turn_rad)) * fmin(1, way / (2 * TR_PI));
    const double size = circling->size_rad * sqrt(share);
    return (tr_circling_lean){size * tr_sin(phase), (turn_rad > 0 ? -size : size) * tr_cos(phase)};
}
