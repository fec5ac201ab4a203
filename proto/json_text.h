/* JSON that people and other programs write: one reader for all of it, and one rule: a key that a
 * reader does not use is refused by its name, so that a misspelt one is never ignored. */
#pragma once

#include "proto/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The value of text[size], cleaned as proto/text_file.h does; a key that stands twice in an object is
 * refused. TR_INVALID_ARGUMENT: "NAME:LINE: what". */
tr_status tr_json_parse(const char *text, size_t size, const char *name, json_t **out,
                        tr_error *error) TR_NODISCARD;

/* The same from a file of at most size_max bytes. */
tr_status tr_json_load(const char *path, size_t size_max, json_t **out,
                       tr_error *error) TR_NODISCARD;

/* Is `value` an object that has none but these keys, words between spaces? TR_INVALID_ARGUMENT:
 * "NAME: WHERE: unknown key 'unit'; did you mean 'unit_m'?"; `where` may be "". */
tr_status tr_json_only(const json_t *value, const char *keys, const char *name, const char *where,
                       tr_error *error) TR_NODISCARD;

/* out: [count]. False: not an array of `count` finite numbers; `out` is then partly written. */
bool tr_json_numbers(const json_t *array, double *out, size_t count);
