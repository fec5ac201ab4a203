/* Lost: whether a character has stopped performing the motion of its controller.
 *
 * If the entry in progress has a reference end, the root is compared with it at the end of the
 * entry (tr_cost_root_is_lost); headings count from the entry's start. Without a reference the
 * character is lost when it is down (falls.h), which is checked after every step. In any case it is
 * lost when its driver says that it is down, although it may get up again. */
#pragma once

#include "control/driver/runner.h"
#include "physics/world/world.h"

/* The entry in progress. steps: 0: not fixed */
typedef struct tr_lost_watch {
    int entry, steps;
    bool mirrored, has_reference;
    double heading_start_rad;
} tr_lost_watch;

/* Begins to watch the entry that `drive` begins, from the character's state before it. */
tr_lost_watch tr_lost_begin(const tr_controller *controller, const tr_drive *drive,
                            const tr_state *state);

/* Is the motion lost after a step, with which the entry was completed or not? The world holds the
 * character. */
bool tr_lost_look(const tr_lost_watch *watch, const tr_runner *runner, const tr_world *world,
                  tr_entity_id character, bool completed);
