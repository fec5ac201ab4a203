/* Notifies the service manager: sd_notify(3)'s protocol, datagrams to the socket that NOTIFY_SOCKET
 * names. Without one, the calls have no effect. For the loop's thread only. */
#pragma once

#include "proto/status.h"

#include <stdint.h>

/* Sends assignments, one per line, such as "READY=1\nSTATUS=serving". A failure is ignored: the
 * manager has its own time limits. */
void tr_notify(const char *format, ...) TR_PRINTF(1, 2);

/* The interval for WATCHDOG=1, ms: half of WATCHDOG_USEC, if that is meant for this process. 0: no
 * watchdog. */
uint64_t tr_notify_watchdog_ms(void);
