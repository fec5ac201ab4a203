/* The subcommands of 'troupe-train schedule': one file each, closed by a const entry that schedule.c
 * lists. */
#pragma once

#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_schedule_test, tr_tool_schedule_requests;
