/* A runner: a controller at work on one character: the state of its driver, and what users have
 * set. Plain data: a copy is an exact snapshot.
 *
 * Worlds that are served, learning and certifying all move characters by tr_runner_advance.
 *
 * Threading: a runner belongs to the thread that steps its world. Deterministic. */
#ifndef TROUPE_CONTROL_RUNNER_H
#define TROUPE_CONTROL_RUNNER_H

#include "control/controller.h"

/* An entry to begin at as soon as nothing is in progress. */
typedef struct tr_cue {
    bool given;
    int entry;
    bool mirrored; /* in the mirrored half */
} tr_cue;

/* controller: NULL: nothing runs; not owned
 * target:     where to; read by the driver at its next decision
 * cue:        taken once
 * parameter:  values of the driver's parameters, in their order, arrays unrolled; zeros past them
 * rig:        what the character brought into the world; whoever spawned it sets this
 * state:      of the driver; tr_driver_state_size bytes of it are in use */
typedef struct tr_runner {
    const tr_controller *controller;
    tr_steering_target target;
    tr_cue cue;
    double parameter[TR_DRIVER_VALUE_MAX];
    tr_rig_pieces rig;
    _Alignas(max_align_t) unsigned char state[TR_DRIVER_STATE_MAX];
} tr_runner;

/* Begins `controller` at an entry of it, with parameters at their initial values, no target and no
 * rig. NULL: an idle runner. The controller must be sound (tr_controller_check), and have the entry, and
 * a mirrored half if it is to begin there. */
void tr_runner_start(tr_runner *out, const tr_controller *controller, int entry, bool mirrored);

/* What the driver is doing. The text is the controller's skill where the driver has none to tell.
 * For an idle runner: zeros, between entries. */
void tr_runner_look(const tr_runner *runner, tr_doing *out);

/* Sets one parameter. count: of values; 0: back to the initial value. TR_FAILED_PRECONDITION: no
 * controller; TR_NOT_FOUND: it has no such parameter; TR_INVALID_ARGUMENT: another number of
 * values, or one out of its bounds. The message names parameter, value and what was expected. */
tr_status tr_runner_set_parameter(tr_runner *runner, const char *name, const double *values,
                                  int count, tr_error *error) TR_NODISCARD;

/* Before each world step: takes the cue if it may, lets the driver drive, and hands the result to
 * the world. Nothing happens without a controller. The controller must be fit for the character's
 * model. *out_drive (may be NULL): what was done. TR_NOT_FOUND: no such character, or an object of
 * its rig is gone. TR_DATA_LOSS: the driver's result is not finite. The runner is as before on failure. */
tr_status tr_runner_advance(tr_runner *runner, tr_world *world, tr_entity_id character,
                            tr_drive *out_drive) TR_NODISCARD;

/* --- in bytes, but for controller and rig --- */

void tr_runner_write(const tr_runner *runner, tr_byte_writer *writer);
/* Reads into a runner whose controller is set. false: not one, or not of that controller. */
bool tr_runner_read(tr_byte_reader *source, tr_runner *runner);
uint64_t tr_runner_hash(const tr_runner *runner, uint64_t hash);

#endif
