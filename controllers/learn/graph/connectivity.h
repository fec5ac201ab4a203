/* Connectivity files: which skills a control graph holds, and which may follow which.
 *
 *     # comment
 *     skill walk              a controller of the catalogue; its skill is known by this name
 *     skill run
 *     turn turn-left          a skill that is also used for turning (planner.h)
 *     edge walk run           walk may be followed by run
 *     both walk run           ... and run by walk
 *     stay walk 5             learned transitions to it last for 5 of its fragments: the dwell time
 *
 * Without any edge, every skill may follow every other. The first skill is where the graph
 * begins. */
#pragma once

#include "learn/graph/graph_build.h"

enum { TR_CONNECTIVITY_LINK_MAX = 1024 };

typedef struct tr_connectivity {
    int skill_count, link_count;
    char skill[TR_GRAPH_NODE_MAX][TR_NAME_MAX];
    bool turns[TR_GRAPH_NODE_MAX]; /* is the skill used for turning? */
    int dwell[TR_GRAPH_NODE_MAX];  /* dwell time in each skill, fragments; 0: none */
    tr_graph_link link[TR_CONNECTIVITY_LINK_MAX];
} tr_connectivity;

/* Reads the text of such a file; errors quote `name`. TR_INVALID_ARGUMENT names line and word. */
tr_status tr_connectivity_parse(const char *text, size_t size, const char *name,
                                tr_connectivity *out, tr_error *error) TR_NODISCARD;
