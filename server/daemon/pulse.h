/* The pulse of the worlds: do those that should tick by the clock tick? So that a service manager's
 * watchdog starves when they do not, even while the loop still turns. Time is an argument; plain
 * data; one thread at a time. */
#ifndef TROUPE_SERVER_PULSE_H
#define TROUPE_SERVER_PULSE_H

#include "server/world/worlds.h"

enum { TR_PULSE_STALL_MS = 5000 };

/* What was last seen of one place for a world. Zeroed: nothing. */
typedef struct tr_pulse {
    uint32_t id;
    uint64_t steps_made;
    uint64_t moved_ms; /* when steps_made was seen to rise, or the world held still by right */
} tr_pulse;

/* Looks at the world `id` as it is at `now_ms`. False: it lives in real time, is not paused, and has
 * made no step for TR_PULSE_STALL_MS and the time of four ticks. */
bool tr_pulse_beats(tr_pulse *pulse, uint32_t id, tr_world_mode mode, const tr_world_info *info,
                    uint64_t now_ms);

/* All worlds: pulse[TR_WORLDS_MAX]. */
bool tr_pulses_beat(tr_pulse *pulse, tr_worlds *worlds, uint64_t now_ms);

#endif
