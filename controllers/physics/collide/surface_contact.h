/* Contacts between a shape and a surface. Internal to physics/.
 *
 * Two convexities meet where one of them ends, so contacts are looked for at the ends of each: the
 * shape's corners and round ends that lie behind the surface, and the surface's ridges that run
 * through the shape. Of all that is found, up to four points that span the most are kept, the deepest
 * first. */
#pragma once

#include "physics/collide/collider.h"

enum { TR_SURFACE_POINTS = 4 };

/* Contacts of a collider, whose bounds are those of `frame`, with scenery that is a surface. Returns
 * their number. looks: as for tr_surface_gather (triangles.h); below 0: some may be missing. */
int tr_surface_touch(const tr_scenery *scenery, const tr_collider *collider, const tr_frame *frame,
                     int *looks, tr_touching out[TR_SURFACE_POINTS]);
