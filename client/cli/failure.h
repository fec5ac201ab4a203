/* Shows failures on stderr, with advice; with --json as one line of JSON,
 *
 *     {"error":{"status":"NOT_FOUND","message":"no world is called 'x'","advice":"..."}} */
#pragma once

#include "cli/cli.h"

#include <stdio.h>

/* Makes later failures JSON. */
void tr_cli_fail_in_json(void);
bool tr_cli_fails_in_json(void);

/* Later failures name fields of the daemon's messages by the words of this command's user:
 * "--pos: expected ...", not "pos: expected ...". */
void tr_cli_fail_as(const tr_cli_command *command);

/* Shows a failure and returns its exit code. `advice`: NULL for the usual advice of this status.
 * Control characters in the message are left out. */
int tr_cli_fail(tr_status status, const char *message, const char *advice);

/* Shows that the daemon does not have what its message names, and the nearest name that it has.
 * missing.c */
int tr_cli_fail_missing(tr_cli *cli, const char *message);

/* Show why a file cannot be opened, read or written; the first by errno. Return TR_EXIT_FILE. */
int tr_cli_fail_on_file(const char *path);
int tr_cli_fail_in_file(const tr_error *error);

/* Prints a text without its control characters: those of a peer never reach the terminal. Returns
 * the columns that it takes: its characters, not its bytes. file: NULL: it only measures. */
int tr_cli_print_plain(FILE *file, const char *text);

/* The same before there is a connection. */
int tr_cli_fail_to_connect(const tr_cli *cli, tr_status status, const char *message);
