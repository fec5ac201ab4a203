/* The subcommands of 'troupe-train balance': one file each, closed by a const entry that balance.c
 * lists. */
#pragma once

#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_balance_test;
