/* The subcommands of 'troupe-train gait', one file each. */
#ifndef TROUPE_TOOLS_GAIT_TOOL_H
#define TROUPE_TOOLS_GAIT_TOOL_H

#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_gait_compare, tr_tool_gait_evaluate;

#endif
