#include "learn/gait/gait_space.h"

#include <math.h>
#include <stddef.h>

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

/* of_key: parameters of each keyframe; of_all: those that all share. */
static tr_gait_space space_with(const int *of_key, size_t key_count, const int *of_all,
                                size_t all_count) {
    tr_gait_space space = {0};
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++)
        for (size_t i = 0; i < key_count; i++)
            space.index[space.size++] = k * TR_GAIT_KEY_SIZE + of_key[i];
    for (size_t i = 0; i < all_count; i++)
        space.index[space.size++] = of_all[i];
    return space;
}

tr_gait_space tr_gait_space_of_onset(void) {
    static const int of_key[] = {TR_GAIT_SWING_HIP, TR_GAIT_SWING_HIP_OUT, TR_GAIT_STANCE_KNEE,
                                 TR_GAIT_STANCE_ANKLE};
    static const int of_all[] = {TR_GAIT_HIP_VEL, TR_GAIT_HIP_SIDE_POS, TR_GAIT_HIP_SIDE_VEL,
                                 TR_GAIT_ANKLE_VEL};
    return space_with(of_key, sizeof of_key / sizeof *of_key, of_all,
                      sizeof of_all / sizeof *of_all);
}

tr_gait_space tr_gait_space_of_late_onset(void) {
    static const int of_key[] = {TR_GAIT_SWING_HIP,   TR_GAIT_SWING_HIP_OUT, TR_GAIT_SWING_KNEE,
                                 TR_GAIT_SWING_ANKLE, TR_GAIT_STANCE_KNEE,   TR_GAIT_STANCE_ANKLE,
                                 TR_GAIT_LEAN,        TR_GAIT_BEND};
    static const int of_all[] = {TR_GAIT_HIP_POS,      TR_GAIT_HIP_VEL,      TR_GAIT_HIP_SIDE_POS,
                                 TR_GAIT_HIP_SIDE_VEL, TR_GAIT_ANKLE_POS,    TR_GAIT_ANKLE_VEL,
                                 TR_GAIT_DURATION,     TR_GAIT_DURATION + 1, TR_GAIT_COMPENSATION,
                                 TR_GAIT_LEAN_VEL};
    return space_with(of_key, sizeof of_key / sizeof *of_key, of_all,
                      sizeof of_all / sizeof *of_all);
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
