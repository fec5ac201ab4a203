/* Every command that a client can send: a row each (world/command.h).
 *
 * To add one: its message and its choice in proto/troupe/command.proto, its row in a file here, and
 * its name in the list of server/requests/CMakeLists.txt, from which the table is made. */
#pragma once

#include "server/world/command.h"

/* The row tr_command_NAME: its number in Command, its name, and its other columns. */
#define TR_COMMAND_ROW(NAME, symbol, ...)                                                          \
    const tr_command_kind tr_command_##symbol = {                                                  \
        .name = #symbol, .number = TROUPE__COMMAND__COMMAND_##NAME, __VA_ARGS__};

extern const tr_command_table tr_commands;
