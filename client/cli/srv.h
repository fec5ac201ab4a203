/* Daemons by DNS: the SRV records (RFC 2782) of a service name such as _troupe._tcp.example.org.
 *
 * TROUPE_DNS=address:port asks that name server (IPv4) instead of the system's. */
#pragma once

#include "cli/hosts.h"

/* Appends the targets of a name to *out, by rising priority, then falling weight, then name.
 * TR_NOT_FOUND: it has none; TR_UNAVAILABLE: no name server answers; TR_RESOURCE_EXHAUSTED: more
 * than TR_CLI_HOSTS_MAX in all. */
tr_status tr_cli_srv_append(const char *name, tr_cli_hosts *out, tr_error *error) TR_NODISCARD;
