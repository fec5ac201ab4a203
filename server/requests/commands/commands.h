/* Every command that a client can send, one file each, which ends in its row (world/command.h).
 *
 * To add one: its message and its choice in proto/troupe/command.proto, NAME.c here, and its name
 * in the list of server/requests/CMakeLists.txt, from which the table is made. */
#pragma once

#include "server/world/command.h"

extern const tr_command_table tr_commands;
