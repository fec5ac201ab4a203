/* Which contacts are kept where there are too many. Internal to physics/. */
#pragma once

#include "physics/scene/scene.h"

/* Of the contacts from `first` on keeps at most `most`, up to TR_CONTACT_MAX, in their order: those with
 * the ground and the scenery before all others, so that a pile makes nothing else fall through the
 * ground; then the deepest; then those that were found first. Counts the others as dropped. */
void tr_deepest_keep(tr_world *world, int first, int most);
