/* Matches from the wire to plain structs, checked field by field, and back to the bytes that the
 * catalogue keeps. */
#pragma once

#include "server/catalogue/library.h"
#include "server/match/match.h"

#include <troupe/envelope.pb-c.h>

/* Everything but models and controllers, which are named. The caller releases out->world.layout,
 * which is NULL on failure. TR_INVALID_ARGUMENT: the message names the field; TR_NOT_FOUND: no such
 * rule. */
tr_status tr_decode_match(const Troupe__Match *message, tr_match_def *out,
                          tr_error *error) TR_NODISCARD;

/* As tr_decode_match, from the bytes of a Match. TR_DATA_LOSS: the bytes are not a Match;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_decode_match_bytes(const void *data, size_t size, tr_match_def *out,
                                tr_error *error) TR_NODISCARD;

/* Lists the names that the match needs. */
tr_status tr_match_needs(const tr_match_def *match, tr_library_needs *needs) TR_NODISCARD;

/* Turns names into pointers, which live as long as the library keeps the items. TR_NOT_FOUND: not
 * in the library; TR_FAILED_PRECONDITION: a controller was learned on another model or with another
 * step. */
tr_status tr_match_resolve(tr_match_def *match, tr_library *library, tr_error *error) TR_NODISCARD;
