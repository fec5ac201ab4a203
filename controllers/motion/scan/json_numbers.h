/* Numbers in JSON, as the files about motions have them. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* out: [count]. False: not an array of `count` finite numbers; `out` is then partly written. */
bool tr_json_numbers(const json_t *array, double *out, size_t count);
