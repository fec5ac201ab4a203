#include "control/gait/gait_onset.h"

bool tr_gait_onset_acts(const tr_gait_onset *onset) {
    bool acts = false;
    for (int k = 0; k < TR_GAIT_ONSET_ROWS; k++)
        for (int i = 0; i < TR_GAIT_SIZE; i++)
            acts = acts || onset->shift[k][i] != 0;
    return acts;
}

bool tr_gait_onset_is_split(const tr_gait_onset *onset) {
    bool differ = false;
    for (int k = 1; k < TR_GAIT_ONSET_ROWS; k++)
        for (int i = 0; i < TR_GAIT_SIZE; i++)
            differ = differ || onset->shift[k][i] != onset->shift[0][i];
    return differ;
}

double tr_gait_onset_beyond_n(double felt_n, double lasting_n) {
    return lasting_n - felt_n - TR_GAIT_ONSET_N; /* forces from the front are negative */
}

int tr_gait_onset_row(int keyframe, double share) {
    bool lifts = keyframe == 0 && share >= TR_GAIT_STRUCK_SHARE;
    return lifts ? TR_GAIT_ONSET_MIDSTEP : TR_GAIT_ONSET_STRIKE;
}

void tr_gait_onset_add(const tr_gait_onset *onset, int row, double beyond_n, double *value) {
    if (beyond_n <= 0)
        return;
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        value[i] += beyond_n / 100 * onset->shift[row][i];
    tr_gait_parameters_clamp(value);
}
