/* Connectivity files: which skills a control graph holds, and which may follow which.
 *
 *     # comment
 *     skill walk              a controller of the catalogue; its skill is known by this name
 *     skill run
 *     edge walk run           walk may go over to run
 *     both walk run           ... and run to walk
 *
 * Without any edge, every skill may follow every other. The first skill is where the graph begins. */
#ifndef TROUPE_TOOLS_CONNECTIVITY_H
#define TROUPE_TOOLS_CONNECTIVITY_H

#include "learn/graph_build.h"

enum { TR_CONNECTIVITY_LINK_MAX = 1024 };

typedef struct tr_connectivity {
    int skill_count, link_count;
    char skill[TR_GRAPH_NODE_MAX][TR_NAME_MAX];
    tr_graph_link link[TR_CONNECTIVITY_LINK_MAX];
} tr_connectivity;

/* TR_INVALID_ARGUMENT names file, line and word; TR_NOT_FOUND: cannot be opened. */
tr_status tr_connectivity_read(const char *path, tr_connectivity *out,
                               tr_error *error) TR_NODISCARD;

#endif
