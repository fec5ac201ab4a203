/* What the service manager is told: sd_notify(3)'s protocol, datagrams to the socket that
 * NOTIFY_SOCKET names. Without one, nothing happens. The loop's thread alone. */
#ifndef TROUPE_SERVER_NOTIFY_H
#define TROUPE_SERVER_NOTIFY_H

#include "proto/status.h"

#include <stdint.h>

/* Sends assignments, one a line, as "READY=1\nSTATUS=serving". What cannot be sent is lost: the
 * manager has its own time limits. */
void tr_notify(const char *format, ...) TR_PRINTF(1, 2);

/* How often the manager wants WATCHDOG=1 (WATCHDOG_USEC, if it is meant for this process), ms; half
 * of what it allows. 0: it does not. */
uint64_t tr_notify_watchdog_ms(void);

#endif
