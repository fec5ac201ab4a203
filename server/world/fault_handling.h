/* Fault handling: what becomes of a character or object that the step could not keep finite.
 *
 * The stage freezes it and reports it; here the world's rule decides what happens next, in the same
 * tick, so that it is part of the simulation: a function of the state and the rule alone, the same
 * on every machine and in every replay. Others on the stage are not affected. */
#ifndef TROUPE_SERVER_FAULT_HANDLING_H
#define TROUPE_SERVER_FAULT_HANDLING_H

#include "control/stage.h"

typedef enum tr_fault_rule {
    TR_FAULT_RESET, /* stands again where it was, and its controller begins anew; an object rests */
    TR_FAULT_REMOVE, /* is despawned */
    TR_FAULT_FREEZE, /* stays as it is until a client despawns or resets it */
    TR_FAULT_RULE_COUNT
} tr_fault_rule;

/* Beyond this a character is put back at the world's origin, m. */
#define TR_FAULT_REACH_M 1000.0

/* Who drove whom before the step: the stage lets go of a controller that broke. */
typedef struct tr_drivers {
    int count;
    tr_entity_id entity[TR_CHARACTER_MAX];
    const tr_controller *controller[TR_CHARACTER_MAX]; /* NULL: none */
} tr_drivers;

void tr_drivers_note(const tr_stage *stage, tr_drivers *out);

/* Applies the rule to an entity that the stage has reported as TR_STAGE_FAULT, and returns what was
 * done: "reset", "removed" or "frozen". What cannot be reset is left frozen. */
const char *tr_handle_fault(tr_stage *stage, tr_fault_rule rule, const tr_drivers *drivers,
                            tr_entity_id entity);

#endif
