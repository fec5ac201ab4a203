/* A look: a request for the state of a world (GetState), which the world's thread answers at the
 * end of a turn. Not a command of the wire, but it is posted and admitted like one. */
#pragma once

#include "server/world/command.h"

/* fields: bits of StateField; 0: the default. NULL: no memory. */
tr_command *tr_look_create(uint32_t fields);

uint32_t tr_look_fields(const tr_command *look);
