/* The control that 'troupe-train reconstruct' writes, as the open loop of a chain or of one cycle,
 * whose end need not be its beginning: closing that gap is left to learning. */
#pragma once

#include "control/driver/controller.h"
#include "learn/rehearsal/ensemble.h"
#include "learn/rehearsal/steps.h"

/* Takes targets and start of the control from JSON text into a chain made of the same motion
 * (tr_skill_create), and the steps that it was found on. TR_INVALID_ARGUMENT: no control, one of
 * other fragments, steps or gains, or a motion whose second half is mirrored;
 * TR_FAILED_PRECONDITION: of another model. The message begins with `name`; the chain must then be
 * destroyed. */
tr_status tr_control_parse(const char *text, size_t size, const char *name, const tr_model *model,
                           tr_controller *chain, tr_steps *out_steps, tr_error *error) TR_NODISCARD;

/* Reads the steps alone, for a training that continues from what was learned of the control. */
tr_status tr_control_read_steps(const char *text, size_t size, const char *name,
                                tr_steps *out_steps, tr_error *error) TR_NODISCARD;

/* Plays the chain blindly from its spawn state; its reference states become what it did,
 * above the local ground.
 * TR_ABORTED: it lost the motion; the references are then half old, half new. */
tr_status tr_control_perform(tr_rehearsal *rehearsal, tr_controller *chain) TR_NODISCARD;
