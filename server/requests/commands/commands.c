#include "server/requests/commands/commands.h"

/* The rows, by the list in server/requests/CMakeLists.txt. */
#define X(name) extern const tr_command_kind tr_command_##name;
#include "command_rows.inc"
#undef X

static const tr_command_kind *const kinds[] = {
#define X(name) &tr_command_##name,
#include "command_rows.inc"
#undef X
};

const tr_command_table tr_commands = {kinds, sizeof kinds / sizeof kinds[0]};
