/* Finding the contacts of a world at the present frames. Internal to physics/. */
#pragma once

#include "physics/scene/scene.h"

/* Fills world->contact and world->link, impulses zero, in an order that depends on nothing but the
 * scene. What it costs is bounded. Of more contacts than TR_PAIR_CONTACT_MAX of a pair, or TR_CONTACT_MAX
 * in all, the deepest are kept (deepest.h). The report of the step counts what was dropped and which
 * searches were cut short. */
void tr_contact_find(tr_world *world);

void tr_contact_must_hold(tr_world *world, int contact);

/* Which geoms of a character may touch each other: not within a body, not what the model
 * excludes. */
void tr_contact_set_partners(tr_character *character);
