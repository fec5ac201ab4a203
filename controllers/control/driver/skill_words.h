/* What names of skills mean, in words for people: tags by which a skill is asked for, and a line that
 * describes it. The names are those of the recipes; others have no words, and are asked for by name. */
#pragma once

#include <stdbool.h>

/* tags: words between spaces; summary: one sentence */
typedef struct tr_skill_words {
    const char *name, *tags, *summary;
} tr_skill_words;

/* Never NULL; without words both texts are empty. */
const tr_skill_words *tr_skill_words_of(const char *name);

/* Is the word one of the tags? */
bool tr_skill_words_have(const char *tags, const char *word);
