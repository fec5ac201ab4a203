/* The definition of a world from CreateWorld, and its ownership, checked field by field. */
#pragma once

#include "server/world/ownership.h"
#include "server/world/world_loop.h"

/* Everything that the message says; the rest of *out is zero. The caller releases out->layout, which
 * is NULL on failure. TR_INVALID_ARGUMENT: names the field; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_decode_world(const Troupe__CreateWorld *message, tr_world_loop_def *out,
                          tr_error *error) TR_NODISCARD;

/* For a message that tr_decode_world has accepted; does not set the owner. */
tr_ownership tr_decode_ownership(const Troupe__CreateWorld *message);

/* TR_INVALID_ARGUMENT: the error names the field. */ tr_status
tr_decode_claim(const Troupe__ClaimWorld *message, tr_ownership *out, tr_error *error) TR_NODISCARD;
