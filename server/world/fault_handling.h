/* Fault handling: decides what happens to a character or object that became non-finite in a step.
 *
 * The stage freezes and reports it; here the world's rule decides what happens next. This happens
 * in the same tick and is part of the simulation: it depends only on the state and the rule, and is
 * the same on every machine and in every replay. Others on the stage are not affected. */
#pragma once

#include "control/stage/stage.h"

typedef enum tr_fault_rule {
    TR_FAULT_RESET,  /* stands up where it was, and its controller restarts; an object is at rest */
    TR_FAULT_REMOVE, /* despawned */
    TR_FAULT_FREEZE, /* stays frozen until a client despawns or resets it */
    TR_FAULT_RULE_COUNT
} tr_fault_rule;

/* A character beyond this distance is reset at the world's origin, m. */
#define TR_FAULT_REACH_M 1000.0

/* The controllers that drove the characters before the step: the stage drops a controller that
 * failed. */
typedef struct tr_drivers {
    int count;
    tr_entity_id entity[TR_CHARACTER_MAX];
    const tr_controller *controller[TR_CHARACTER_MAX]; /* NULL: none */
} tr_drivers;

void tr_drivers_note(const tr_stage *stage, tr_drivers *out);

/* Applies the rule to an entity that the stage has reported as TR_STAGE_FAULT, and returns what was
 * done: "reset", "removed" or "frozen". An entity that cannot be reset stays frozen. */
const char *tr_handle_fault(tr_stage *stage, tr_fault_rule rule, const tr_drivers *drivers,
                            tr_entity_id entity);
