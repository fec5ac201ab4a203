/* The daemon: from start to clean shutdown.
 *
 *     STARTING --- catalogue opened, world threads, game port ---> READY
 *        |                                                           |
 *        | SIGTERM, SIGINT                           SIGTERM, SIGINT |
 *        v                                                           v
 *     (ended, 0) <--- the loop <--- worlds <--- sessions <--- matches: ENDING
 *
 * Start, in order: state directory and its lock, configuration, web port (which answers that the
 * daemon is not ready), catalogue (integrity, migrations, shipped bundle, --bundle files) while the
 * loop runs, world threads, game port, port file; then /readyz and the service manager report
 * ready. A failure undoes the steps before it.
 *
 * Shutdown: no more clients, not ready -> trainings killed, matches saved for the next start ->
 * Goodbye to every session, flushed within a time limit -> worlds closed -> threads ended, the
 * catalogue's jobs finished, exit status 0. It takes at most 30 s: if a world does not close within
 * 5 s, if the shutdown takes 25 s, or at a second signal, the daemon exits immediately with exit
 * status 1. Everything that the catalogue has acknowledged is on disk even then.
 *
 * With a drain the first signal lets worlds end before the shutdown; the second begins
 * it. A daemon in a fleet reports all of this to Agones (fleet/agones.h).
 *
 * SIGHUP reads configuration and web root again. */
#pragma once

#include "server/config/options.h"

/* Runs until a signal ends it. If it could not start, `error` says why. One daemon per process. */
tr_status tr_daemon_run(const tr_options *options, tr_error *error) TR_NODISCARD;
