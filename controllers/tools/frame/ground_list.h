/* The ground that a command measures on: KIND:AMOUNTS, as bump:0.04,0.06 or 'kerb up:0.05'. */
#pragma once

#include "learn/rehearsal/trial_ground.h"
#include "tools/frame/force_list.h"

/* No amounts: the plane alone. */
typedef struct tr_ground_list {
    tr_trial_ground_kind kind;
    tr_force_list amount;
} tr_ground_list;

/* For tr_option_call; `context` is the list. */
tr_status tr_ground_list_take(void *context, const tr_option_value *value,
                              tr_error *error) TR_NODISCARD;
