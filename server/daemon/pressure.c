#include "server/daemon/pressure.h"

/* The ticks of the window alone. Its largest lateness is unknown, so that of all ticks stands for
 * it; the last bucket alone uses it. */
static tr_lateness since(const tr_lateness *before, const tr_lateness *all) {
    tr_lateness window = *all;
    window.tick_count -= before->tick_count;
    for (int i = 0; i < TR_LATENESS_BUCKET_COUNT; i++)
        window.count[i] -= before->count[i];
    return window;
}

bool tr_pressure_is_late(tr_pressure *pressure, const tr_lateness *all) {
    if (++pressure->reports < TR_PRESSURE_WINDOW)
        return pressure->is_late;
    const tr_lateness window = since(&pressure->before, all);
    pressure->is_late = window.tick_count >= TR_PRESSURE_TICKS_MIN &&
                        tr_lateness_quantile_s(&window, 0.99) > TR_PRESSURE_LATE_S;
    pressure->before = *all;
    pressure->reports = 0;
    return pressure->is_late;
}
