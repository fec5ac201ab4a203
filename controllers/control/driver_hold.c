#include "control/driver_hold.h"

tr_driver_outline tr_driver_hold_outline(int hold, double step_s, const char *gain_set) {
    const double entry_s = hold * step_s;
    return (tr_driver_outline){.entry_count = 1,
                               .first_count = 1,
                               .cyclic = true,
                               .duration_s = entry_s,
                               .cycle_s = entry_s,
                               .gain_set = gain_set};
}

void tr_driver_hold_nearest(const void *content, const tr_model *model, const tr_state *state,
                            int *out_entry, bool *out_mirrored) {
    (void)content, (void)model, (void)state;
    *out_entry = 0;
    *out_mirrored = false;
}
