/* Texts that enter or leave the catalogue: UTF-8, capped, without control characters. Inside db/
 * only. */
#ifndef TROUPE_DB_TEXT_H
#define TROUPE_DB_TEXT_H

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF) without NUL. */
bool tr_text_bytes_are_utf8(const char *text, size_t size);

/* A name: 1 to capacity - 1 bytes, no control characters, no blank at either end. `field` stands in
 * the message. */
tr_status tr_text_check_name(const char *field, const char *name, size_t capacity,
                             tr_error *error) TR_NODISCARD;

/* A text: 0 to capacity - 1 bytes; of the control characters only tab and line feed. */
tr_status tr_text_check(const char *field, const char *text, size_t capacity,
                        tr_error *error) TR_NODISCARD;

#endif
