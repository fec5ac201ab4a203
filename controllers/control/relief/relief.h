/* Relief: a driver, and a second one beside it that gets up and walks where the first cannot, for
 * example a tracker and a control graph that rises (driver kind "relief"). After a fall the recovery
 * around both enters a rising entry of the second (recovery/recovery.h). The second then goes to the
 * skill `home`, without a heading. When an entry of that skill has ended, the first takes over at
 * its nearest entry.
 *
 * Entries are those of the first driver and then those of the second. Parameters and steering are
 * those of the first. A character that is put into an entry of the second goes home too. */
#ifndef TROUPE_CONTROL_RELIEF_H
#define TROUPE_CONTROL_RELIEF_H

#include "control/driver_couple.h"

extern const tr_driver_kind tr_relief_kind;

/* both:      the drivers; their banks are parts of `bank`, which owns the fragments of both
 * home:      a skill of the second
 * home_name: of `home`, in the second
 * initial:   initial values of the parameters of the second
 * The last two are computed when a relief is made or loaded. */
typedef struct tr_relief {
    tr_driver_couple both; /* first (driver_couple.h) */
    tr_bank bank;
    int home;
    const char *home_name;
    double initial[TR_DRIVER_VALUE_MAX];
} tr_relief;

/* Puts the driver of `beside` next to that of a controller, which then holds a relief; `beside` is
 * copied. Put a recovery around it with tr_recovery_add. home: a skill of `beside` that repeats.
 * TR_INVALID_ARGUMENT: another model, step, rig or action map; no fragments; a driver that holds
 * another, two of one kind, or no such skill. TR_RESOURCE_EXHAUSTED. */
tr_status tr_relief_add(tr_controller *controller, const tr_controller *beside, const char *home,
                        const tr_model *model, tr_error *error) TR_NODISCARD;

#endif
