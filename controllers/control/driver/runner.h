/* A runner: runs a controller on one character. It holds the state of the driver and the users'
 * settings. Plain data: a copy is an exact snapshot.
 *
 * Served worlds, learning and certifying all move characters with tr_runner_advance.
 *
 * Threading: a runner belongs to the thread that steps its world. Deterministic. */
#pragma once

#include "control/driver/controller.h"

/* An entry that begins as soon as no other is in progress. */
typedef struct tr_cue {
    bool given;
    int entry;
    bool mirrored; /* in the mirrored half */
} tr_cue;

/* controller: NULL: nothing runs; not owned
 * target:     steering target; the driver reads it at its next decision
 * cue:        used once
 * parameter:  values of the driver's parameters, in their order, arrays unrolled; zeros past them
 * rig:        the objects that the character brought into the world; set by the code that spawns it
 * state:      of the driver; tr_driver_state_size bytes are in use */
typedef struct tr_runner {
    const tr_controller *controller;
    tr_steering_target target;
    tr_cue cue;
    double parameter[TR_DRIVER_VALUE_MAX];
    tr_rig_pieces rig;
    _Alignas(max_align_t) unsigned char state[TR_DRIVER_STATE_MAX];
} tr_runner;

/* Begins `controller` at an entry of it, with parameters at their initial values, no target and no
 * rig. NULL: an idle runner. The controller must be sound (tr_controller_check), and have the
 * entry, and a mirrored half if it is to begin there. */
void tr_runner_start(tr_runner *out, const tr_controller *controller, int entry, bool mirrored);

/* Says what the driver is doing. If the driver gives no text, the text is the controller's skill,
 * or its name without one. For an idle runner: zeros, between entries. */
void tr_runner_look(const tr_runner *runner, tr_doing *out);

/* The way to the skill that the target names, as the driver expects it on ground of this normal. false:
 * no skill is named, it is in that skill, or the driver cannot say. */
bool tr_runner_foresee(const tr_runner *runner, const tr_steering_target *target, tr_vec3 normal,
                       tr_driver_way *out);

/* Sets one parameter. count: number of values; 0: restore the initial value.
 * TR_FAILED_PRECONDITION: no controller; TR_NOT_FOUND: no such parameter; TR_INVALID_ARGUMENT: the
 * wrong number of values, or one out of its bounds. The message names parameter, value and what was
 * expected. */
tr_status tr_runner_set_parameter(tr_runner *runner, const char *name, const double *values,
                                  int count, tr_error *error) TR_NODISCARD;

/* Call before each world step: uses the cue if no entry is in progress, runs the driver, and
 * applies its result to the world. Does nothing without a controller. The controller must fit the
 * character's model. *out_drive (may be NULL): what was applied. TR_NOT_FOUND: no such character,
 * or an object of its rig is gone. TR_DATA_LOSS: the driver's result is not finite. On failure the
 * runner does not change. */
tr_status tr_runner_advance(tr_runner *runner, tr_world *world, tr_entity_id character,
                            tr_drive *out_drive) TR_NODISCARD;

/* --- as bytes, without controller and rig --- */

void tr_runner_write(const tr_runner *runner, tr_byte_writer *writer);
/* Reads into a runner whose controller is set. false: malformed bytes, or of another controller. */
bool tr_runner_read(tr_byte_reader *source, tr_runner *runner);
uint64_t tr_runner_hash(const tr_runner *runner, uint64_t hash);
