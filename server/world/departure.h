/* A departure: the session of a stepper has ended, and the world no longer waits for it. Its earlier
 * commands still apply. Not a command of the wire, but it is posted and admitted like one. */
#ifndef TROUPE_SERVER_DEPARTURE_H
#define TROUPE_SERVER_DEPARTURE_H

#include "server/world/command.h"

/* NULL: no memory. */
tr_command *tr_departure_create(uint64_t session);

#endif
