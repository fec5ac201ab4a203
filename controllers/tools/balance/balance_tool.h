/* The subcommands of 'troupe-train balance': one file each, closed by a const entry that balance.c
 * lists. */
#ifndef TROUPE_TOOLS_BALANCE_TOOL_H
#define TROUPE_TOOLS_BALANCE_TOOL_H

#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_balance_test;

#endif
