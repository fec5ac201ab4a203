/* Scenery from the wire. */
#pragma once

#include "client/command/fields.h"
#include "physics/world/world.h"

/* What may stand in a Scenery: its fields, and what they cannot say (tr_field_check). */
extern const tr_field tr_scenery_fields[];
tr_status tr_scenery_check(const void *message, const char *path, tr_error *error) TR_NODISCARD;

/* Of a message that has passed both checks. The caller releases out->surface. TR_INVALID_ARGUMENT: a
 * mesh without a triangle that has an area; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_scenery_decode(const Troupe__Scenery *message, tr_scenery_def *out) TR_NODISCARD;

/* Bytes of the surface of a message or of a piece of scenery, as TR_SURFACE_BYTES_MAX counts them. */
size_t tr_scenery_message_bytes(const Troupe__Scenery *message);
size_t tr_scenery_bytes(const tr_scenery_def *def);
