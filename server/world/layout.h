/* The layout of a world: the scenery and the objects that it has from the beginning.
 *
 * A layout never changes after it was made. The definitions of worlds and matches, and their
 * copies, share it; it lives until the last of them releases it. NULL is the empty layout. Safe on
 * any thread. */
#pragma once

#include "client/command/fields.h"
#include "physics/world/world.h"

typedef struct tr_layout tr_layout;

/* Of a message whose fields have been checked. The caller is the first holder. TR_INVALID_ARGUMENT,
 * which names the field: surfaces of more than TR_SURFACE_BYTES_MAX in all, or a mesh without a
 * triangle that has an area; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_layout_create(const Troupe__Scene *message, tr_layout **out,
                           tr_error *error) TR_NODISCARD;

tr_layout *tr_layout_hold(tr_layout *layout);
void tr_layout_release(tr_layout *layout);

/* Puts everything into a world, in the order of the message. Statuses as tr_world_add_scenery and
 * tr_world_add_object. */
tr_status tr_layout_build(const tr_layout *layout, tr_world *world) TR_NODISCARD;
