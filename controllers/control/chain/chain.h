/* Chains: control fragments in a row that perform one skill (driver kind "chain").
 *
 * After the last fragment of a cyclic chain comes the first; of a mirrored one (always cyclic) the
 * first with left and right exchanged, so that its fragments cover half a cycle. A chain that is
 * not cyclic ends: its servos hold the last targets. Entries are fragments. Parameters:
 * action_offset (playback.h). */
#pragma once

#include "control/driver/controller.h"

/* steering: all zero: the chain cannot be steered */
typedef struct tr_chain {
    tr_bank bank;
    tr_steering steering;
} tr_chain;

extern const tr_driver_kind tr_chain_kind;

/* An unnamed controller that is a chain, its bank as tr_bank_init makes it. Destroy it with
 * tr_controller_destroy. Statuses as tr_bank_init. */
tr_status tr_chain_create(int fragment_count, int steps, int body_count,
                          tr_controller **out) TR_NODISCARD;

/* NULL: the controller is not a chain. */
tr_chain *tr_chain_of(const tr_controller *controller);
