#include "learn/gait/gait_space.h"

#include <math.h>

static bool is_searched(int index, bool sides) {
    if (index >= TR_GAIT_ARM)
        return false;
    return sides || index < TR_GAIT_SIDE_TRUNK;
}

tr_gait_space tr_gait_space_of(bool sides) {
    tr_gait_space space = {0};
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        if (is_searched(i, sides))
            space.index[space.size++] = i;
    return space;
}

void tr_gait_space_add(const tr_gait_space *space, const double *x, double by, double *value) {
    for (int i = 0; i < space->size; i++) {
        int at = space->index[i];
        value[at] += by * x[i] * tr_gait_parameter_row(at)->scale;
    }
}

double tr_gait_space_distance(const tr_gait_space *space, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < space->size; i++) {
        int at = space->index[i];
        sum += fabs(a[at] - b[at]) / tr_gait_parameter_row(at)->scale;
    }
    return sum / space->size;
}

double tr_gait_gain_sum(const double *value) {
    double sum = 0;
    for (int i = 0; i < TR_GAIT_HIP_POS; i++)
        if (i % TR_GAIT_KEY_SIZE >= TR_GAIT_LOG_KP_SWING_HIP)
            sum += value[i];
    return sum;
}
