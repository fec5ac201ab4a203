/* Recovery: what a character in a control graph does when it falls (Liu 2015 guided, section 6.2).
 *
 * A rising skill of a graph is a chain that no edge leads to: it begins lying, and is entered from
 * here alone. A graph without one recovers nobody.
 *
 *   NONE    the graph's skills go on; it is found falling -> LIMP
 *   LIMP    for 0.3 s weak servos pull towards the pose in which the rising skill begins whose start
 *           lies most like the character, then -> GATHER
 *   GATHER  servos with the skill's gains, bounded in torque and speed, spread it into that pose. A
 *           pose with arms and legs spread lies on the back or the front, never on a side. It lies
 *           still about as the skill begins -> RISE; it lies so on the other side, where no rising
 *           skill begins -> TURN; neither in 2.2 s -> LIMP. Who has a joint 0.4 rad off that pose
 *           has its legs pulled apart from 0.6 to 1.2 s (turning.h): feet hooked into each other
 *           come free
 *   TURN    servos roll it over (turning.h); it is on the other side, or 1 s has passed -> GATHER
 *   RISE    the rising skill runs. Its end -> NONE; falling -> LIMP
 *
 * Falling is: the core touches the ground (falls.h; not while rising), the policy's action exceeds
 * 6 rad (the paper's only sign), or at the end of a fragment the root is 0.3 m off the height or
 * leans 1 rad off the lean of the reference end.
 *
 * Plain data: a copy is an exact snapshot. Deterministic; one thread at a time. */
#ifndef TROUPE_CONTROL_RECOVERY_H
#define TROUPE_CONTROL_RECOVERY_H

#include "control/runner.h"

typedef enum tr_recovery_phase {
    TR_RECOVERY_NONE,
    TR_RECOVERY_LIMP,
    TR_RECOVERY_GATHER,
    TR_RECOVERY_RISE,
    TR_RECOVERY_TURN
} tr_recovery_phase;

typedef struct tr_recovery {
    tr_recovery_phase phase;
    int node;  /* the rising skill gathered or turned for, or running; else 0 */
    int steps; /* in this phase; 0 while it is NONE */
} tr_recovery;

/* Before each world step, instead of tr_runner_advance for whoever is in a graph: watches, leads
 * through the phases, and advances the runner in NONE and RISE. Statuses as tr_runner_advance. */
tr_status tr_recovery_advance(tr_recovery *recovery, tr_runner *runner, tr_world *world,
                              tr_entity_id character) TR_NODISCARD;

/* Can the recovery be in a snapshot beside this runner? */
bool tr_recovery_fits(const tr_recovery *recovery, const tr_runner *runner);

/* --- its parts, for learning --- */

/* The rising skill whose start lies most like the state; -1: the graph has none. */
int tr_recovery_choose(const tr_controller *controller, const tr_state *state);

/* How far the root leans off the lean of another state, whatever their headings, rad. */
double tr_recovery_lean(const tr_state *state, const tr_state *other);

/* One step of gathering: servos pull towards the joints of `start`, at most 0.4 rad ahead of them.
 * gain_set: of the model. */
tr_status tr_recovery_gather(tr_world *world, tr_entity_id character, const tr_state *start,
                             int gain_set) TR_NODISCARD;

/* Does the character lie as `start` does, and nearly still? */
bool tr_recovery_is_gathered(const tr_world *world, tr_entity_id character, const tr_state *start);

#endif
