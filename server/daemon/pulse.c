#include "server/daemon/pulse.h"

void tr_pulse_observe(tr_pulse *pulse, uint32_t id, tr_world_mode mode, const tr_world_info *info,
                      uint64_t now_ms) {
    bool ticks = mode == TR_MODE_REAL_TIME && !info->paused && !info->replays;
    bool moved = pulse->id != id || pulse->steps_made != info->steps_made || info->turn_s > 0;
    double tick_ms = info->rate > 0 ? 1e3 * info->step_s / info->rate : 0;
    uint64_t moved_ms = moved || !ticks ? now_ms : pulse->moved_ms;
    *pulse = (tr_pulse){.id = id,
                        .steps_made = info->steps_made,
                        .moved_ms = moved_ms,
                        .ticks = ticks,
                        .late = (double)(now_ms - moved_ms) > TR_PULSE_STALL_MS + 4 * tick_ms,
                        .over_budget = info->over_budget};
}

void tr_pulses_observe(tr_pulse *pulse, tr_worlds *worlds, uint64_t now_ms) {
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (!hosted) {
            pulse[i] = (tr_pulse){0};
            continue;
        }
        const tr_world_info info = tr_hosted_describe(hosted);
        tr_pulse_observe(&pulse[i], tr_hosted_id(hosted), tr_hosted_mode(hosted), &info, now_ms);
    }
}

bool tr_pulses_beat(const tr_pulse *pulse, int count) {
    bool late = false, on_time = false;
    for (int i = 0; i < count; i++) {
        if (pulse[i].late && !pulse[i].over_budget)
            return false;
        late |= pulse[i].late;
        on_time |= pulse[i].ticks && !pulse[i].late;
    }
    return on_time || !late;
}
