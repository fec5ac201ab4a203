/* Hierarchies: a scheduler as one action of another (Liu and Hodgins 2017, section 5.2.5; driver
 * kind "hierarchy").
 *
 * A hierarchy holds a scheduler of a control graph with a rising skill. Its entries are
 *   those of the held scheduler, with the same numbers, each performed when it is entered
 *   `scheduled`: the held scheduler decides, by its own network, and one of its entries is performed
 *   `protect`, `gather`, `turn-over`, `free`: 0.1 s of what a recovery does with a lying character
 *                (recovery/recovery.h), towards the pose in which the first rising skill begins;
 *                mirrored: to the other side, towards the mirror image of that pose
 * A scheduler around it can choose among `scheduled`, the entries of rising skills and those of
 * lying. So it can leave the character to the held scheduler, or get it up.
 *
 * The held scheduler sees only its own entries. When it follows another entry, it decides as after
 * its first one.
 *
 * Alone a hierarchy follows a fixed order, which is also the sequence that learning explores along
 * (tr_hierarchy_order). What its scheduler chose last is shown as "inner_choice": entry, 1 in the
 * mirrored half, value. Skills of the rising entries do not count as rising: no recovery is put
 * around a hierarchy.
 *
 * Falls. A character that is up falls when it lies on the ground (falls.h), or when the root is as far
 * off the reference of its entry as a recovery allows, at any step. Then the entry in progress ends,
 * and it protects itself until it has landed, whatever was chosen: no decision comes before. From
 * then on it is down (tr_doing), until it stands in an entry other than those of lying and rising. */
#ifndef TROUPE_CONTROL_HIERARCHY_H
#define TROUPE_CONTROL_HIERARCHY_H

#include "control/scheduler/scheduler.h"

extern const tr_driver_kind tr_hierarchy_kind;

/* Entries after those of the held scheduler, and their skills after its skills, in this order. */
typedef enum tr_hierarchy_entry {
    TR_HIERARCHY_SCHEDULED,
    TR_HIERARCHY_PROTECT,
    TR_HIERARCHY_GATHER,
    TR_HIERARCHY_TURN_OVER,
    TR_HIERARCHY_FREE,
    TR_HIERARCHY_ENTRIES
} tr_hierarchy_entry;

/* inner:  owned; a scheduler
 * rising: its first entry that rises; set when the content is made or loaded */
typedef struct tr_hierarchy {
    tr_driver inner; /* first (driver_holder.h) */
    int rising;
} tr_hierarchy;

/* entry, mirrored: in progress, or just done where it `decides`
 * steps:   done of an entry of lying
 * repeats: how often the entry was entered in a row before
 * down:    the character fell, and is not up again
 * falls:   it is falling, and protects itself */
typedef struct tr_hierarchy_state {
    int entry;
    bool mirrored, decides, down, falls;
    int steps, repeats;
} tr_hierarchy_state;

/* Puts a hierarchy around the scheduler of a controller, whose recovery must be removed before.
 * TR_INVALID_ARGUMENT: it holds no scheduler, or one without a skill that rises; the message says
 * so. TR_RESOURCE_EXHAUSTED. */
tr_status tr_hierarchy_add(tr_controller *controller, const tr_model *model,
                           tr_error *error) TR_NODISCARD;

/* NULL: neither the controller nor what it schedules is a hierarchy. */
const tr_hierarchy *tr_hierarchy_of(const tr_controller *controller);

/* The held scheduler. */
const tr_scheduler *tr_hierarchy_scheduler(const tr_hierarchy *hierarchy);

/* The number of an entry, after those of the held scheduler. */
int tr_hierarchy_number(const tr_hierarchy *hierarchy, tr_hierarchy_entry entry);

/* The state of a runner's hierarchy, which has one. */
const tr_hierarchy_state *tr_hierarchy_state_of(const tr_runner *runner);

/* Returns what follows the entry just done in fixed order: `scheduled` until the character is down;
 * then it protects itself until it is slow, gathers, turns over, frees caught limbs, and rises as
 * soon as it lies in the pose in which the rising skill begins. */
tr_scheduler_place tr_hierarchy_order(const tr_hierarchy *hierarchy,
                                      const tr_hierarchy_state *state, const tr_sight *sight);

#endif
