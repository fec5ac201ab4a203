/* Shows failures on stderr, with advice; with --json as one line of JSON,
 *
 *     {"error":{"status":"NOT_FOUND","message":"no world is called 'x'","advice":"..."}} */
#ifndef TROUPE_CLI_FAILURE_H
#define TROUPE_CLI_FAILURE_H

#include "cli/cli.h"

/* Makes later failures JSON. */
void tr_cli_fail_in_json(void);
bool tr_cli_fails_in_json(void);

/* Shows a failure and returns its exit code. `advice`: NULL for the usual advice of this status.
 * Control characters in the message are left out. */
int tr_cli_fail(tr_status status, const char *message, const char *advice);

/* The same before there is a connection. */
int tr_cli_fail_to_connect(const tr_cli *cli, tr_status status, const char *message);

#endif
