/* Several daemons: --hosts, or TROUPE_HOSTS. A command about a world goes to the daemon that has
 * it; `worlds` asks all; other commands go to the first that answers. */
#pragma once

#include "cli/cli.h"

enum { TR_CLI_HOSTS_MAX = 64 };

typedef struct tr_cli_host {
    char host[256];
    int port;
} tr_cli_host;

typedef struct tr_cli_hosts {
    int count;
    tr_cli_host host[TR_CLI_HOSTS_MAX];
} tr_cli_hosts;

/* Reads "HOST[:PORT],..."; a name that begins with '_' is looked up as SRV records, by
 * the name server (IPv4) of TROUPE_DNS=address:port instead of the system's. The port of the others
 * is `cli->port`. Returns an exit code; a failure is printed. */
int tr_cli_hosts_read(const tr_cli *cli, const char *text, tr_cli_hosts *out);

/* Connects to the daemon that has this world (by name or "#ID"), NULL: to the first that answers.
 * Returns an exit code; a failure is printed, also when two of them have it. */
int tr_cli_hosts_connect(tr_cli *cli, const char *world);

/* Calls `show` with a connection to each daemon that answers, and reports the others on stderr.
 * Returns the first exit code that is not TR_EXIT_OK; TR_EXIT_NO_SERVER: none answers. */
int tr_cli_hosts_each(tr_cli *cli, int (*show)(tr_cli *cli, void *context), void *context);
