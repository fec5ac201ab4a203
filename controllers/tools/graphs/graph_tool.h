/* The subcommands of 'troupe-train graph', which graph.c lists: walk.c, requests.c and take.c end
 * in one each, make.c in those that make a graph. */
#ifndef TROUPE_TOOLS_GRAPH_TOOL_H
#define TROUPE_TOOLS_GRAPH_TOOL_H

#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_graph_build, tr_tool_graph_harden, tr_tool_graph_slopes,
    tr_tool_graph_refit, tr_tool_graph_loosen, tr_tool_graph_shorten, tr_tool_graph_walk,
    tr_tool_graph_requests, tr_tool_graph_take;

/* As tr_subject_read, with its worlds; TR_INVALID_ARGUMENT: the controller is not a graph. */
tr_status tr_tool_graph_read(const char *catalogue, const char *name, int threads, tr_subject *out,
                             tr_error *error) TR_NODISCARD;

#endif
