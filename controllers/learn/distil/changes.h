/* Training through changes of gait, by proximal policy optimisation (PPO, Schulman et al. 2017): a
 * network that was distilled from gaits learns to stay up when its reference changes suddenly.
 *
 *   trials: with noise on the actions, changes and pushes (roll_out.h), later on slopes too; changes
 *           that failed lately are drawn more often, and most enter where the critic values it
 *   worth:  of each action: how much more came after it than a second network, the critic, expected
 *           (generalised advantage estimation, Schulman et al. 2016)
 *   update: the network comes nearer to the actions that were worth more; near the cycles it is
 *           held to what it did at the beginning
 *
 * A fragment is rewarded by 0.04 + 0.06 / (1 + D / 20), where D is the squared distance from the
 * cycle in the follower's spreads; by 0 when the motion is lost. */
#pragma once

#include "learn/distil/distil_settings.h"
#include "learn/distil/roll_out.h"
#include "learn/schedule/network_fit.h"

/* done:    rounds of trials and an update
 * failed:  [from][to], how often that change failed lately
 * actor:   in training, outputs in rad; borrowed; base: as it was at the beginning
 * fit:     of the actor: a batch, and f(0, r) of each fragment; critic_fit: of a batch */
typedef struct tr_changes {
    const tr_distil_settings *settings;
    int done, batch;
    double failed[TR_ROLL_OUT_SKILL_MAX][TR_ROLL_OUT_SKILL_MAX];
    tr_network *actor, base, critic;
    tr_network_fit fit, critic_fit;
} tr_changes;

/* settings, actor: must outlive it. TR_RESOURCE_EXHAUSTED. */
tr_status tr_changes_init(tr_changes *out, const tr_distil_settings *settings, tr_network *actor,
                          int fragments) TR_NODISCARD;
void tr_changes_deinit(tr_changes *changes); /* of zeros is fine */

/* One round. student: its follower has the actor's weights. Deterministic, whatever the number of
 * threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_changes_advance(tr_changes *changes, tr_ensemble *ensemble,
                             const tr_controller *student,
                             const tr_controller *teacher) TR_NODISCARD;
