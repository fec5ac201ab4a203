/* The pulse of the worlds: checks that threads run the real-time worlds. If none does, the service
 * manager's watchdog is no longer fed, even while the loop still runs. A world in the middle of a turn
 * has a thread, however long its step takes, and one beyond its budget (hosted_world.c) waits for all
 * others: neither is a reason to end all worlds. Time is an argument; plain data; one thread at a time. */
#pragma once

#include "server/world/worlds.h"

enum { TR_PULSE_STALL_MS = 5000 };

/* The last observation of one slot of the worlds. Zeroed: no world. */
typedef struct tr_pulse {
    uint32_t id;
    uint64_t steps_made;
    uint64_t moved_ms; /* when steps_made last rose, or the world was in a turn or rightly still */
    bool ticks;        /* in real time, and not paused */
    bool late;         /* neither had a turn nor made a step for TR_PULSE_STALL_MS and four ticks */
    bool over_budget;
} tr_pulse;

/* Observes the world `id` at `now_ms`. */
void tr_pulse_observe(tr_pulse *pulse, uint32_t id, tr_world_mode mode, const tr_world_info *info,
                      uint64_t now_ms);

/* The same for all worlds: pulse[TR_WORLDS_MAX]. */
void tr_pulses_observe(tr_pulse *pulse, tr_worlds *worlds, uint64_t now_ms);

/* pulse: [count]. False: a world within its budget is late, or all that tick are. */
bool tr_pulses_beat(const tr_pulse *pulse, int count);
