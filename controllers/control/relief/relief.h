/* Relief: a driver, and a second one beside it that gets up and walks where the first cannot, for
 * example a tracker and a control graph that rises (driver kind "relief"). After a fall the recovery around both enters a rising entry of the second
 * (recovery/recovery.h). The second then goes to the skill `home`, without a heading, and when an
 * entry of that skill has ended the first takes over at its own entry that is nearest.
 *
 * Entries are those of the first driver and then those of the second. Parameters and steering are
 * those of the first. A character that is put into an entry of the second goes home too. */
#ifndef TROUPE_CONTROL_RELIEF_H
#define TROUPE_CONTROL_RELIEF_H

#include "control/controller.h"

extern const tr_driver_kind tr_relief_kind;

/* first, second: owned; their banks are parts of `bank`, which owns the fragments of both
 * stance:    spawn state of the second; heading 0, x = y = 0
 * home:      a skill of the second
 * bodies:    of the model
 * entries, skills: how many the first has
 * home_name: of `home`, in the second
 * initial:   initial values of the parameters of the second
 * The last four are computed when a relief is made or loaded. */
typedef struct tr_relief {
    tr_driver first; /* first (driver_holder.h) */
    tr_driver second;
    tr_bank bank;
    tr_state stance;
    int home, bodies, entries, skills;
    const char *home_name;
    double initial[TR_DRIVER_VALUE_MAX];
} tr_relief;

/* Of one character; the states of both drivers follow. */
typedef struct tr_relief_state {
    bool second; /* at work */
} tr_relief_state;

/* Puts the driver of `beside` next to that of a controller, which then holds a relief; `beside` is
 * copied. Put a recovery around it with tr_recovery_add. home: a skill of `beside` that repeats.
 * TR_INVALID_ARGUMENT: another model, step, rig or action map; no fragments; a driver that holds
 * another, two of one kind, or no such skill. TR_RESOURCE_EXHAUSTED. */
tr_status tr_relief_add(tr_controller *controller, const tr_controller *beside, const char *home,
                        const tr_model *model, tr_error *error) TR_NODISCARD;

#endif
