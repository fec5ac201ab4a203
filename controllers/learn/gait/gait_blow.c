#include "learn/gait/gait_blow.h"

#include "math/random.h"

#include <math.h>

static const double GOLDEN = 0.6180339887498949; /* (sqrt(5) - 1) / 2 */

tr_gait_blow tr_gait_blow_draw(uint64_t seed) {
    tr_random random = tr_random_split(seed, 4, 0);
    double along = tr_random_uniform(&random);
    return (tr_gait_blow){along, tr_random_uniform(&random)};
}

tr_gait_blow tr_gait_blow_even(uint64_t seed, int number, int count) {
    tr_gait_blow out = tr_gait_blow_draw(seed);
    out.along += (double)number / count;
    out.when = fmod(out.when + number * GOLDEN, 1);
    return out;
}
