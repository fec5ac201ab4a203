/* A capsule that lies along a face of a box touches it along a line, of which ODE reports the
 * deepest point alone. Internal to physics/. */
#pragma once

#include "physics/collide/collider.h"

/* Shortens a line, from + t along in the axes of a box, to its part between the faces; those of axis
 * `face` do not count (3: all do). A component below `parallel` is none. out: least and most t, which
 * only come nearer. false: nothing is left. */
bool tr_line_clip(const double from[3], const double along[3], const double half[3], int face,
                  double parallel, double out[2]);

/* The ends of the line where `capsule` lies on the face of `box` that `normal` (world, out of the
 * box) stands on. Returns how many of them are within the box, 0 to 2: 0 where they touch otherwise
 * than along a line. */
int tr_line_contact(const tr_shape_pose *capsule, tr_vec3 capsule_size, const tr_shape_pose *box,
                    tr_vec3 box_size, tr_vec3 normal, tr_touching out[2]);
