/* Texts that enter or leave the catalogue: UTF-8, capped, without control characters. Inside db/
 * only. */
#pragma once

#include "proto/status.h"

#include <stddef.h>

/* A name: 1 to capacity - 1 bytes, no control characters, no blank at either end. `field` is for
 * the message. */
tr_status tr_text_check_name(const char *field, const char *name, size_t capacity,
                             tr_error *error) TR_NODISCARD;

/* A text: 0 to capacity - 1 bytes; of the control characters only tab and line feed. */
tr_status tr_text_check(const char *field, const char *text, size_t capacity,
                        tr_error *error) TR_NODISCARD;
