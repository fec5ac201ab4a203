/* What a character carries during a reconstruction: a ball of the size of a basketball, on a hinge
 * under the palm of its right hand that does not break. Pure functions of their arguments. */
#pragma once

#include "control/driver/rig.h"

/* A rig with that ball, for a character that begins in `start`. TR_FAILED_PRECONDITION: the model
 * has no right hand. */
tr_status tr_carried_make(const tr_model *model, const tr_state *start, double mass_kg, tr_rig *out,
                          tr_error *error) TR_NODISCARD;
