/* Texts: UTF-8, as the wire and the catalogue require. A receiver rejects a whole message if one
 * text in it is not UTF-8, so texts from files are checked before they are sent. Every folder may
 * use it; no shared data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Is it well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF)? */
bool tr_text_is_utf8(const char *text);

/* The same for text[size], which may have no zero byte. */
bool tr_text_bytes_are_utf8(const char *text, size_t size);

/* Does it have control characters: U+0000 to U+001F, U+007F to U+009F? */
bool tr_text_has_control(const char *text);

/* Is word[length] one of the words, which spaces separate? */
bool tr_text_lists(const char *words, const char *word, size_t length);

/* Reads a decimal number, such as -1.5 or 2e3, and returns what follows it; NULL: the text does not
 * begin with a finite one. Unlike strtod it refuses leading blanks, hexadecimal digits, "inf" and "nan". */
const char *tr_text_number(const char *text, double *out);

/* Replaces every byte that belongs to no character, such as one that was cut, by '?'. */
void tr_text_mend(char *text);
