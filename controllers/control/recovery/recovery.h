/* Recovery: getting up after a fall (Liu 2015 guided, section 6.2). A driver around another one,
 * the inner driver, whose entries include some that rise (driver kind "recovery").
 *
 *   NONE    the inner driver is at work; it is found falling -> FALL
 *   FALL    fading servos with low gains reach for the ground and let the knees give (falling.h); it
 *           is slower than 0.8 m/s, at the earliest after 0.3 s, or 1.2 s have passed -> LIMP
 *   LIMP    for 0.2 s weak servos pull towards the start of the rising entry that lies most like the
 *           character, then -> GATHER
 *   GATHER  servos with that entry's gains, bounded in torque and speed, spread the character into
 *           that pose. With arms and legs spread it lies on the back or the front, never on a side.
 *           It lies about as the entry begins, slower than 1 m/s and 3 rad/s -> RISE; it lies on the
 *           other side, where no rising entry begins -> TURN; neither in 1 s: another try. When a
 *           joint is 0.6 rad off the pose, its limb is freed from 0.3 to 0.6 s: feet
 *           hooked into each other are pulled apart, and the body rolls off an arm under it
 *   TURN    servos roll it over; it is on the other side, or 1 s has passed -> GATHER
 *   RISE    the inner driver runs the rising skill. It leaves the skill -> NONE; it is found falling
 *           -> FALL
 *
 * Falling is: the core touches the ground (falls.h; not while rising), the feedback action exceeds
 * 6 rad (the paper's only sign), or at the end of an entry the root is 0.3 m off the height of the
 * reference or leans 1 rad off its lean.
 *
 * Entries, skills and parameters are the inner driver's. A catalogue stores only the inner driver;
 * loading adds the recovery again (tr_recovery_add). */
#pragma once

#include "control/driver/runner.h"

extern const tr_driver_kind tr_recovery_kind;

typedef enum tr_recovery_phase {
    TR_RECOVERY_NONE,
    TR_RECOVERY_LIMP,
    TR_RECOVERY_GATHER,
    TR_RECOVERY_RISE,
    TR_RECOVERY_TURN,
    TR_RECOVERY_FALL,
    TR_RECOVERY_PHASES
} tr_recovery_phase;

/* rising: index of the rising entry for which it gathers, turns or rises; else 0
 * steps:  in this phase; 0 in phase NONE */
typedef struct tr_recovery_state {
    tr_recovery_phase phase;
    int rising;
    int steps;
} tr_recovery_state;

/* rising: [rising_count] entries of the inner driver, ascending */
typedef struct tr_recovery {
    tr_driver inner; /* owned; first (driver_holder.h) */
    int rising_count;
    int rising[TR_DRIVER_SKILL_MAX];
} tr_recovery;

/* Puts recovery around the controller's driver, if that has entries that rise and no recovery yet;
 * else changes nothing. TR_RESOURCE_EXHAUSTED. */
tr_status tr_recovery_add(tr_controller *controller) TR_NODISCARD;

/* Removes the recovery, if any: fallen characters then stay down. */
void tr_recovery_remove(tr_controller *controller);

/* NULL: the controller does not recover. */
const tr_recovery *tr_recovery_of(const tr_controller *controller);

/* Returns what a runner's recovery is doing; NULL: it does not recover. */
const tr_recovery_state *tr_recovery_state_of(const tr_runner *runner);

/* --- its parts --- */

/* The index of the rising entry whose start lies most like `state`. */
int tr_recovery_choose(const tr_recovery *recovery, const tr_state *state);

/* The angle between the leans of the root in two states, whatever their headings, rad. */
double tr_recovery_lean(const tr_state *state, const tr_state *other);

/* Does a state lie about as `start` does, and slowly enough to rise? */
bool tr_recovery_is_gathered(const tr_model *model, const tr_state *state, const tr_state *start);
