/* The table at the end: each skill, how it holds, and why a clip is not in the character. */
#ifndef TROUPE_TOOLS_CHARACTER_SHEET_H
#define TROUPE_TOOLS_CHARACTER_SHEET_H

#include "tools/character/character_state.h"

/* Measures what is learned by few trials, and prints a line a skill. */
tr_status tr_character_print(const tr_character_work *character, tr_error *error) TR_NODISCARD;

#endif
