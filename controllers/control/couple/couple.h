/* Couples: a driver and a second one beside it, of which one works at a time (driver kind "couple").
 * A rule says how the character gets from one to the other; the names of the rules are those under
 * which catalogues, the wire and people know couples:
 *
 *   "pair"    A scheduler around the couple chooses among the entries of both: fragments of a control
 *             graph and a balance (Liu 2017, section 5.2.4). Edges lead to the second driver's first
 *             entry from every entry of the first skill and from every entry that has an edge into
 *             that skill; another edge leads from there to entry 0. Alone it stays in the driver in
 *             which it begins. The second begins anew each time that it is entered from the first;
 *             it has no mirrored half and no fragments.
 *   "relief"  The second gets up and walks where the first cannot, for example a control graph that
 *             rises beside a tracker. After a fall the recovery around both enters a rising entry of
 *             the second (recovery/recovery.h). The second then goes to the skill `home`, without a
 *             heading. When an entry of that skill has ended, the first takes over at its nearest
 *             entry. Both have fragments, which share one bank.
 *
 * Entries and skills of the second driver come after those of the first. Parameters and steering are
 * those of the first. */
#ifndef TROUPE_CONTROL_COUPLE_H
#define TROUPE_CONTROL_COUPLE_H

#include "control/driver/controller.h"

typedef enum tr_couple_rule { TR_COUPLE_PAIR, TR_COUPLE_RELIEF, TR_COUPLE_RULES } tr_couple_rule;

/* first, second: owned
 * stance:        spawn state of the second; heading 0, x = y = 0
 * bodies:        of the model
 * home:          of a relief, a skill of the second
 * The rest is found when the content is made or loaded.
 * entries, skills: counts of the first
 * bank:          of a relief; it owns the fragments of both, whose banks are parts of it
 * home_name:     of `home`, in the second
 * initial:       initial values of the parameters of the second */
typedef struct tr_couple {
    tr_driver first; /* first (driver_holder.h) */
    tr_driver second;
    tr_couple_rule rule;
    tr_state stance;
    int bodies, home;
    int entries, skills;
    tr_bank bank;
    const char *home_name;
    double initial[TR_DRIVER_VALUE_MAX];
} tr_couple;

extern const tr_driver_kind tr_couple_kind;

/* Puts the driver of `beside` next to that of a controller, which then holds a couple; `beside` is
 * copied. Put a recovery around a relief with tr_recovery_add. home: of a relief, a skill of
 * `beside` that repeats. TR_INVALID_ARGUMENT: another model, step or rig; a first driver that holds
 * another; of a relief also another action map, no fragments, a second driver that holds another,
 * or no such skill. TR_RESOURCE_EXHAUSTED. */
tr_status tr_couple_add(tr_controller *controller, const tr_controller *beside, tr_couple_rule rule,
                        const char *home, const tr_model *model, tr_error *error) TR_NODISCARD;

#endif
