/* A capsule that lies along a face of a box touches it along a line, of which ODE reports the
 * deepest point alone. Internal to physics/. */
#pragma once

#include "physics/collide/collider.h"

/* The ends of the line where `capsule` lies on the face of `box` that `normal` (world, out of the
 * box) stands on. Returns how many of them are within the box, 0 to 2: 0 where they touch otherwise
 * than along a line. */
int tr_line_contact(const tr_shape_pose *capsule, tr_vec3 capsule_size, const tr_shape_pose *box,
                    tr_vec3 box_size, tr_vec3 normal, tr_touching out[2]);
