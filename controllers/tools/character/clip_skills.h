/* The skills of a character: those of the base that it stands and gets up by, then the parts of each
 * clip of the folder, in the order of their names. */
#ifndef TROUPE_TOOLS_CHARACTER_CLIP_SKILLS_H
#define TROUPE_TOOLS_CHARACTER_CLIP_SKILLS_H

#include "tools/character/character_state.h"

/* Imports and plans every clip of the folder ".."; chooses where the character stands, gets up, and by
 * which skill all others are joined. A clip that cannot be used is a refused skill. TR_NOT_FOUND: the
 * folder has no clip that can be learned. */
tr_status tr_character_survey(tr_character_work *character, tr_error *error) TR_NODISCARD;

#endif
