#include "control/gait/gait_onset.h"

bool tr_gait_onset_acts(const tr_gait_onset *onset) {
    bool acts = false;
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        acts = acts || onset->shift[i] != 0;
    return acts;
}

void tr_gait_onset_add(const tr_gait_onset *onset, double felt_n, double lasting_n, double *value) {
    double beyond_n = lasting_n - felt_n - TR_GAIT_ONSET_N; /* forces from the front are negative */
    if (beyond_n <= 0)
        return;
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        value[i] += beyond_n / 100 * onset->shift[i];
    tr_gait_parameters_clamp(value);
}
