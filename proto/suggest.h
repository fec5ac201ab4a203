/* What was meant by a misspelt word. Pure functions. */
#pragma once

/* The nearest of names[count] by letters that differ, are missing, too many or swapped; NULL: none is
 * near (a third of the word, at most two letters). The first of equally near ones. */
const char *tr_suggest_nearest(const char *word, const char *const *names, int count);

/* Sorts names[count], the nearest to the word first; equally near ones keep their order. */
void tr_suggest_order(const char *word, const char **names, int count);

/* "; did you mean 'NAME'?" in out[80], or "" when name is NULL. Returns out. */
const char *tr_suggest_text(const char *name, char out[80]);
