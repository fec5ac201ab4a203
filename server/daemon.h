/* The daemon: everything from start to clean end.
 *
 * Start, in order: state directory, catalogue (integrity, migrations, shipped bundle, --bundle
 * files), world threads, loop, listener, port file. Nothing is served before all of it stands; a
 * failure undoes what was done.
 *
 * End, on SIGTERM or SIGINT: stop listening -> Goodbye to every session, flushed within a bound ->
 * close the worlds -> end their threads -> finish the catalogue's jobs and close it -> exit status
 * 0. A second signal changes nothing. A world that does not close within 5 s is given up with exit
 * status 1. */
#ifndef TROUPE_SERVER_DAEMON_H
#define TROUPE_SERVER_DAEMON_H

#include "server/options.h"

/* Serves until a signal ends it. The message of `error` says why it could not start. One daemon per
 * process. */
tr_status tr_daemon_run(const tr_options *options, tr_error *error) TR_NODISCARD;

#endif
