/* Texts: UTF-8, as the wire and the catalogue take them. A receiver gives up a whole message for one
 * text in it that is none, so what comes from files is checked before it goes on. Everyone may use it;
 * nothing is shared. */
#ifndef TROUPE_PROTO_TEXT_H
#define TROUPE_PROTO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Is it well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF)? */
bool tr_text_is_utf8(const char *text);

/* The same of text[size]; a zero byte in it is none. */
bool tr_text_bytes_are_utf8(const char *text, size_t size);

/* Has it control characters: U+0000 to U+001F, U+007F to U+009F? */
bool tr_text_has_control(const char *text);

/* Puts '?' in place of every byte that belongs to no character, such as one that was cut. */
void tr_text_mend(char *text);

#endif
