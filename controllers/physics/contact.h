/* Finding the contacts of a world at the present frames. Internal to physics/. */
#ifndef TROUPE_PHYSICS_CONTACT_H
#define TROUPE_PHYSICS_CONTACT_H

#include "physics/scene.h"

/* Fills world->contact and world->link, impulses zero, in an order that depends on nothing but the
 * scene. Contacts past TR_CONTACT_MAX are left out. */
void tr_contact_find(tr_world *world);

/* Which geoms of a character may touch each other: not within a body, not what the model
 * excludes. */
void tr_contact_set_partners(tr_character *character);

#endif
