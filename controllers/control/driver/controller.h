/* A controller: what a character is spawned with. It is a driver (driver.h) for one model at one
 * simulation step, with a name and the state in which characters begin.
 *
 * Immutable after it is built; may be shared by any number of runners and threads. */
#pragma once

#include "control/driver/bank.h"

/* The entries of the skill that trials begin with (tr_controller_in_skill), and the time in which
 * they repeat. count 0: as the driver's outline says. */
typedef struct tr_controller_beginning {
    int entry, count;
    double cycle_s;
} tr_controller_beginning;

/* driver, rig: owned */
typedef struct tr_controller {
    char name[TR_NAME_MAX];  /* unique in a catalogue, e.g. "run" */
    char skill[TR_NAME_MAX]; /* that it performs, e.g. "run_slow" */
    char model_name[TR_NAME_MAX];
    uint64_t model_hash; /* of the model it was learned on */
    double step_s;       /* the step it was learned at */
    tr_state spawn;      /* a state before the entry that it begins with; heading 0, x = y = 0 */
    tr_rig *rig;         /* what characters bring with them (rig.h); NULL: nothing */
    tr_driver driver;
    tr_controller_beginning first;
} tr_controller;

/* An unnamed controller of a driver, which it owns from then on; on failure it stays the caller's.
 * Destroy it with tr_controller_destroy. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_controller_create(tr_driver take_driver, tr_controller **out) TR_NODISCARD;

/* The same for a model at a step, with a state to begin in. */
tr_status tr_controller_create_for(tr_driver take_driver, const tr_model *model, double step_s,
                                   const tr_state *spawn, tr_controller **out) TR_NODISCARD;
void tr_controller_destroy(tr_controller *controller); /* NULL is fine */

/* Gives it a copy of `rig`; NULL: removes its rig. TR_RESOURCE_EXHAUSTED. */
tr_status tr_controller_set_rig(tr_controller *controller, const tr_rig *rig) TR_NODISCARD;

/* Copies model and step, which do not depend on the driver. */
void tr_controller_copy_setting(const tr_controller *from, tr_controller *to);
tr_status tr_controller_copy(const tr_controller *controller, const tr_model *model,
                             tr_controller **out) TR_NODISCARD;

/* The mirror image: on the mirror image of a state it does the mirror image of what `controller`
 * does. It keeps the name. */
tr_status tr_controller_mirror(const tr_controller *controller, const tr_model *model,
                               tr_controller **out) TR_NODISCARD;

/* Is the controller well formed, and does it fit this model? TR_INVALID_ARGUMENT: a field is
 * malformed; TR_FAILED_PRECONDITION: it was learned on another model. The message names the
 * controller, the place and the field. A controller that passes can be run, mirrored, hashed and
 * compared without further checks. */
tr_status tr_controller_check(const tr_controller *controller, const tr_model *model,
                              tr_error *error) TR_NODISCARD;

/* The model, step and spawn state that its driver was made for. Lives as long as controller and
 * model. */
tr_driver_setting tr_controller_setting(const tr_controller *controller, const tr_model *model);

/* Outline of its driver (driver_sheet.h); the strings live as long as the controller. */
tr_driver_outline tr_controller_outline(const tr_controller *controller);

/* The controller, beginning in one of its skills that repeat. *out shares everything with
 * `controller`, which must outlive it; do not destroy *out. TR_NOT_FOUND: no such skill;
 * TR_INVALID_ARGUMENT: it does not repeat. */
tr_status tr_controller_in_skill(const tr_controller *controller, const char *skill,
                                 tr_controller *out, tr_error *error) TR_NODISCARD;

/* Seconds of all its entries together; both halves if mirrored. */
double tr_controller_duration_s(const tr_controller *controller);

/* The fragments of its driver, to be learned or stored; NULL: the driver has none. Only the code
 * that learns the controller changes them. */
tr_bank *tr_controller_bank(const tr_controller *controller);

/* Hash of everything that acts, model, step, spawn state and rig included; names do not count. With
 * equal hashes, runs are equal to the bit. */
uint64_t tr_controller_hash(const tr_controller *controller, const tr_model *model);

/* Finds the entry whose start is nearest to the state, and whether its mirror image is nearer
 * (never for a controller that is not mirrored). */
void tr_controller_nearest(const tr_controller *controller, const tr_model *model,
                           const tr_state *state, int *out_entry, bool *out_mirrored);
