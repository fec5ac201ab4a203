/* One pin. Internal to physics/. */
#ifndef TROUPE_PHYSICS_PIN_H
#define TROUPE_PHYSICS_PIN_H

#include "physics/scene/scene.h"

/* Removes the pins whose force in the last step exceeded their limit. */
void tr_pin_break(tr_world *world);

#endif
