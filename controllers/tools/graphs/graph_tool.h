/* The subcommands of 'troupe-train graph', which graph.c lists: walk.c and take.c end
 * in one each. Graphs are made by a method (learn/graph/graph_method.c). */
#pragma once

#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_graph_walk, tr_tool_graph_take;
