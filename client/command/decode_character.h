/* What is done with a character, from the wire. */
#pragma once

#include "client/command/fields.h"
#include "control/stage/stage.h"

extern const tr_field tr_push_fields[]; /* what may stand in a Push */

/* model: of the pushed character; NULL: an object. The body is the named one, else the trunk, else
 * the root; -1: the model has no body of this name. It lasts for one step at least. */
tr_push tr_push_decode(const Troupe__Push *message, const tr_model *model, double step_s);

tr_intent tr_steer_decode(const Troupe__Steer *message);

/* Sets all of the parameters, or none. TR_NOT_FOUND: no such character; others as
 * tr_runner_set_parameter. */
tr_status tr_parameters_set(tr_stage *stage, const Troupe__SetParameters *message,
                            tr_error *error) TR_NODISCARD;
