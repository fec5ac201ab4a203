/* The steps from skills to a served character, in order. Each does nothing where it is done. */
#ifndef TROUPE_TOOLS_CHARACTER_MAKING_H
#define TROUPE_TOOLS_CHARACTER_MAKING_H

#include "tools/character/character_state.h"

/* Makes all; skills that cannot be learned or joined are refused. TR_CANCELLED: by Ctrl-C. */
tr_status tr_character_make(tr_character_work *character, tr_error *error) TR_NODISCARD;

#endif
