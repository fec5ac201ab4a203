/* A pair: a driver, and a second one beside it whose entries come after those of the first (driver
 * kind "pair"). A scheduler can then choose among the entries of both: fragments of a control graph
 * and a balance (Liu 2017, section 5.2.4).
 *
 * Alone a pair stays in the driver in which it begins. Edges lead to the second driver's first
 * entry from every entry of the first skill and from every entry that has an edge into that skill;
 * another edge leads from there to entry 0. The second driver begins anew each time that it is
 * entered from the first; it has no mirrored half. Parameters, steering and fragments are those of
 * the first driver. */
#ifndef TROUPE_CONTROL_PAIR_H
#define TROUPE_CONTROL_PAIR_H

#include "control/driver_couple.h"

extern const tr_driver_kind tr_pair_kind;

/* Puts the driver of `beside` next to that of a controller, which then holds a pair; `beside` is
 * copied. TR_INVALID_ARGUMENT: another model, step or rig, or a first driver that holds another.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_pair_add(tr_controller *controller, const tr_controller *beside, const tr_model *model,
                      tr_error *error) TR_NODISCARD;

#endif
