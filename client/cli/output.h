/* The output of commands: JSON values, printed as JSON or as tables.
 *
 * Keys keep their order. With --json each call prints one line. All calls take the reference to the
 * value. */
#ifndef TROUPE_CLI_OUTPUT_H
#define TROUPE_CLI_OUTPUT_H

#include "cli/cli.h"

#include <jansson.h>

/* One line; with the digits that a double always keeps, so that 26.265 is not
 * 26.265000000000001. */
#define TR_OUTPUT_JSON (JSON_COMPACT | JSON_REAL_PRECISION(15))

/* An object: "key  value" lines. Returns TR_EXIT_OK, or TR_EXIT_FILE when stdout cannot be
 * written. */
int tr_output_object(const tr_cli *cli, json_t *take_object);

/* An array of objects as a table with the named columns (words between spaces); `empty` is printed
 * for an empty array. */
int tr_output_list(const tr_cli *cli, json_t *take_array, const char *columns, const char *empty);

/* The effect of a command on a world: its tick and its results. */
int tr_output_applied(const tr_cli *cli, const char *what, const tr_client_applied *applied);

/* 64 bits as 16 hexadecimal digits, because JSON numbers cannot hold them. */
json_t *tr_output_hash(uint64_t hash);

/* JSON integers end at 2^63 - 1; a larger value becomes a text of decimal digits. */
json_t *tr_output_unsigned(uint64_t value);

/* [count] floats as an array of numbers. */
json_t *tr_output_floats(const float *values, size_t count);

/* [count] texts as an array of strings. */
json_t *tr_output_texts(const char *const *texts, int count);

/* "2026-05-01T12:00:00Z", or null for 0. */
json_t *tr_output_time(int64_t unix_ns);

#endif
