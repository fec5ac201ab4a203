/* One pin. Internal to physics/. */
#pragma once

#include "physics/scene/scene.h"

/* Removes the pins whose force in the last step exceeded their limit. */
void tr_pin_break(tr_world *world);

void tr_pin_must_hold(tr_world *world, const tr_pin *pin); /* after that */
