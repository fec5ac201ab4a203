/* The ticks between the states of a Subscribe. */
#pragma once

#include "proto/status.h"

#include <troupe/state.pb-c.h>

/* Checks rate_hz and fields; *out 0: no states. TR_INVALID_ARGUMENT. */
tr_status tr_every_ticks(const Troupe__Subscribe *subscribe, double step_s, uint32_t *out,
                         tr_error *error) TR_NODISCARD;
