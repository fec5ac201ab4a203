/* Postures: a balance with entries to choose from (driver kind "postures").
 *
 * Each entry lasts a few looks of the balance that it holds, and turns joints by a posture on top of
 * what the feedback asks for: a phase of rocking, or one joint turned to one side. The feedback acts
 * inside every entry. Entry 0 is the stance, without a posture.
 *
 *   stance    entry 0, again and again
 *   rocking   entries 1 to `rocking`, in order, again and again
 *   NAME+, NAME-   one entry each, which repeats: an action of the balance, turned by the lean
 *
 * Alone it stays in the skill that it is in. A scheduler (scheduler/scheduler.h) chooses among the
 * entries. After a fall only a new character balances again. */
#pragma once

#include "control/balance/balance.h"

enum { TR_POSTURE_ROCKING_MAX = 32, TR_POSTURE_LEANS = 2 * TR_BALANCE_ACTIONS };
enum { TR_POSTURE_MAX = 1 + TR_POSTURE_ROCKING_MAX + TR_POSTURE_LEANS, TR_POSTURE_LOOKS_MAX = 100 };

extern const tr_driver_kind tr_postures_kind;

/* inner:   a balance, owned
 * stance:  its spawn state, for entries
 * looks:   of an entry
 * rocking: entries of this skill; 0: it does not exist
 * count:   of entries
 * turn:    [count] turns of the joints, rad; those of entry 0 are 0 */
typedef struct tr_postures {
    tr_driver inner; /* first (driver_holder.h) */
    tr_state stance;
    int looks, rocking, count;
    double turn[TR_POSTURE_MAX][TR_BALANCE_ACTIONS];
} tr_postures;

/* The state of one character; that of the balance follows. look: looks of the entry that are
 * over */
typedef struct tr_postures_state {
    int entry, look;
} tr_postures_state;

/* What to make: `rocking` phases of a rocking board, that rolls by rock_rad to either side, and leans of
 * lean_rad. Zero leaves either out. */
typedef struct tr_postures_def {
    int looks, rocking;
    double rock_rad, lean_rad;
} tr_postures_def;

/* Puts postures around a controller that balances. The turns of rocking are those by which the
 * feedback follows the roll and its rate. TR_INVALID_ARGUMENT: it does not balance, or a field is out
 * of range; the message names it. */
tr_status tr_postures_add(tr_controller *controller, const tr_postures_def *def,
                          tr_error *error) TR_NODISCARD;
