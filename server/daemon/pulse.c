#include "server/daemon/pulse.h"

bool tr_pulse_beats(tr_pulse *pulse, uint32_t id, tr_world_mode mode, const tr_world_info *info,
                    uint64_t now_ms) {
    bool driven = mode == TR_MODE_REAL_TIME && !info->paused && !info->replays && info->turn_s == 0;
    if (pulse->id != id || pulse->steps_made != info->steps_made || !driven)
        *pulse = (tr_pulse){id, info->steps_made, now_ms};
    double tick_ms = info->rate > 0 ? 1e3 * info->step_s / info->rate : 0;
    return (double)(now_ms - pulse->moved_ms) <= TR_PULSE_STALL_MS + 4 * tick_ms;
}

bool tr_pulses_beat(tr_pulse *pulse, tr_worlds *worlds, uint64_t now_ms) {
    bool all = true;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (!hosted) {
            pulse[i] = (tr_pulse){0};
            continue;
        }
        const tr_world_info info = tr_hosted_describe(hosted);
        if (!tr_pulse_beats(&pulse[i], tr_hosted_id(hosted), tr_hosted_mode(hosted), &info, now_ms))
            all = false;
    }
    return all;
}
