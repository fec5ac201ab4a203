/* Where the ends of a pin are, and how far they have moved. Internal to physics/. */
#pragma once

#include "physics/scene/scene.h"

/* Where one end of a pin is: its point, and the turn of its body's frame. World. */
typedef struct tr_pin_place {
    tr_vec3 point;
    tr_quat rot;
} tr_pin_place;

tr_pin_place tr_pin_end(const tr_world *world, const tr_pin_def *def, int side);

/* How far the first end has moved along the second's axis, or turned about it from rest: m or
 * rad. */
double tr_pin_travel(const tr_pin_def *def, const tr_pin_place *first, const tr_pin_place *second);
