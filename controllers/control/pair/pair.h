/* Pairs: a driver and a second one beside it, of which one works at a time (driver kind "pair").
 *
 * A scheduler around the pair chooses among the entries of both: fragments of a control graph and a
 * balance (Liu 2017, section 5.2.4). Edges lead to the second driver's first entry from every entry
 * of the first skill and from every entry that has an edge into that skill; another edge leads from
 * there to entry 0. Alone it stays in the driver in which it begins. The second begins anew each time
 * that it is entered from the first; it has no mirrored half and no fragments.
 *
 * Entries and skills of the second driver come after those of the first. Parameters and steering are
 * those of the first. */
#ifndef TROUPE_CONTROL_PAIR_H
#define TROUPE_CONTROL_PAIR_H

#include "control/driver/controller.h"

/* first, second: owned
 * stance:        spawn state of the second; heading 0, x = y = 0
 * bodies:        of the model
 * entries, skills: counts of the first, found when the content is made or loaded */
typedef struct tr_pair {
    tr_driver first; /* first (driver_holder.h) */
    tr_driver second;
    tr_state stance;
    int bodies, entries, skills;
} tr_pair;

extern const tr_driver_kind tr_pair_kind;

/* Puts the driver of `beside` next to that of a controller, which then holds a pair; `beside` is
 * copied. TR_INVALID_ARGUMENT: another model, step or rig; a first driver that holds another; a
 * second one that is a pair, or has fragments or parameters. TR_RESOURCE_EXHAUSTED. */
tr_status tr_pair_add(tr_controller *controller, const tr_controller *beside, const tr_model *model,
                      tr_error *error) TR_NODISCARD;

#endif
