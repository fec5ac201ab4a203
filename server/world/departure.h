/* A departure: the session of a stepper has ended, and the world no longer waits for it. Its earlier
 * commands still apply. Not a command of the wire, but it is posted and admitted like one. */
#pragma once

#include "server/world/command.h"

/* NULL: no memory. */
tr_command *tr_departure_create(uint64_t session);
