/* The output of commands: JSON values, printed as JSON or as tables.
 *
 * Keys keep their order. With --json each call prints one line. All calls take the reference to the
 * value. */
#pragma once

#include "cli/cli.h"
#include "proto/sink.h"

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

/* Writes a file of the user, as proto/sink.h. Returns TR_EXIT_OK, or TR_EXIT_FILE after a message. */
int tr_cli_write_file(const char *path, const void *data, size_t size);

/* The same for a file that is written piece by piece. */
int tr_cli_open_file(tr_sink *sink, const char *path);

/* Ends a file of the user after `code`; returns the code of the command. */
int tr_cli_close_file(tr_sink *sink, int code);

/* The effect of a command on a world: its tick and its results. */
int tr_output_applied(const tr_cli *cli, const char *what, const tr_client_applied *applied);
