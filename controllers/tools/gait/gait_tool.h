/* The subcommands of 'troupe-train gait', one file each. */
#pragma once

#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_gait_compare, tr_tool_gait_evaluate;
