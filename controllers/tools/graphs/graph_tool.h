/* The subcommands of 'troupe-train graph', which graph.c lists: walk.c and take.c end
 * in one each. Graphs are made by a method (learn/graph/graph_method.h). */
#ifndef TROUPE_TOOLS_GRAPH_TOOL_H
#define TROUPE_TOOLS_GRAPH_TOOL_H

#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_graph_walk, tr_tool_graph_take;

#endif
