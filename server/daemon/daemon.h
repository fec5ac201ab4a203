/* The daemon: everything from start to clean end.
 *
 *     STARTING --- catalogue opened, world threads, game port ---> READY
 *        |                                                           |
 *        | SIGTERM, SIGINT                           SIGTERM, SIGINT |
 *        v                                                           v
 *     (ended, 0) <--- the loop <--- worlds <--- sessions <--- matches: ENDING
 *
 * Start, in order: state directory and its lock, configuration, web port (which says that it is not
 * ready), catalogue (integrity, migrations, shipped bundle, --bundle files) beside the turning loop,
 * world threads, game port, port file; then /readyz and the service manager are told. A failure
 * undoes what was done.
 *
 * End: no more clients, not ready -> matches put down for the next start -> Goodbye to every session,
 * flushed within a bound -> worlds closed -> threads ended, the catalogue's jobs finished, exit status
 * 0. It is over within 30 s: a world that does not close within 5 s, an end that takes 25 s, and a
 * second signal make the daemon leave at once, with exit status 1; what the catalogue has
 * acknowledged is on disk even then.
 *
 * SIGHUP reads configuration and web root again. */
#ifndef TROUPE_SERVER_DAEMON_H
#define TROUPE_SERVER_DAEMON_H

#include "server/config/options.h"

/* Serves until a signal ends it. The message of `error` says why it could not start. One daemon per
 * process. */
tr_status tr_daemon_run(const tr_options *options, tr_error *error) TR_NODISCARD;

#endif
