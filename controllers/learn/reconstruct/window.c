#include "learn/reconstruct/window.h"

#include <math.h>

static const double DECREASE = 0.01;    /* share of the cost that counts */
static const double SPEED_UNIT_MPS = 1; /* v0 */

void tr_window_note(tr_window_stage *stage, double cost, double energy) {
    stage->energy = energy;
    if (stage->updates++ == 0 || cost < (1 - DECREASE) * stage->least) {
        stage->least = cost;
        stage->stale = 0;
    } else {
        stage->stale++;
    }
}

static bool is_done(const tr_window_def *def, const tr_window_stage *stage) {
    if (stage->updates == 0)
        return false;
    bool stable = stage->updates >= def->updates_min && stage->stale >= def->patience;
    bool good = tr_window_normalise(stage->least, stage->energy) <= def->good;
    return stable || stage->updates >= def->updates_max || good;
}

int tr_window_slide(const tr_window_def *def, const tr_window_stage *stages, int count, int start,
                    int reached) {
    int margin = def->margin < def->size ? def->margin : def->size - 1; /* else it never slides */
    int last = reached >= count ? count : reached - margin;
    while (start < last && is_done(def, &stages[start]))
        start++;
    return start;
}

double tr_window_normalise(double cost, double energy) {
    return cost / (1 + sqrt(2 * energy) / SPEED_UNIT_MPS);
}
