/* The option --steps X:HEIGHT,...: steps across the way. */
#pragma once

#include "learn/rehearsal/steps.h"
#include "proto/option.h"

/* For an option of the kind TR_OPTION_CALL; context: tr_steps. */
tr_status tr_step_list_take(void *context, const tr_option_value *value,
                            tr_error *error) TR_NODISCARD;
