/* A player: a controller that drives a character of a rehearsal step by step, for measurements that
 * look at each step themselves; trials that compare with a reference have trial.h. */
#pragma once

#include "control/driver/runner.h"
#include "learn/rehearsal/ensemble.h"

/* drive, doing: of the last step */
typedef struct tr_player {
    tr_rehearsal *rehearsal;
    tr_runner runner;
    tr_drive drive;
    tr_doing doing;
} tr_player;

/* Puts the character into `start` and the controller at an entry, unmirrored. */
tr_status tr_player_begin(tr_player *player, const tr_controller *controller, int entry,
                          tr_rehearsal *rehearsal, const tr_state *start) TR_NODISCARD;

/* Makes one step. A failure: the simulation broke. */
tr_status tr_player_step(tr_player *player) TR_NODISCARD;

/* Does the driver say so, or is the character down? was_down: as tr_falls_is_down. */
bool tr_player_is_down(const tr_player *player, bool was_down);
