/* Making control graphs: of skills by a connectivity file, or from another graph, by hardening it,
 * giving it slope terms, refitting it to other controllers, loosening it, or shortening its ways.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "learn/graph/connectivity.h"
#include "learn/graph/graph_harden.h"
#include "learn/graph/graph_parts.h"

/* part: [part_count]; connectivity: of a graph that is built; say: prints a line, NULL: nothing */
typedef struct tr_graph_making {
    tr_graph_settings settings;
    char name[TR_NAME_MAX];
    const tr_model *model;
    tr_ensemble *ensemble;
    const tr_method_part *part;
    int part_count;
    tr_connectivity connectivity;
    void (*say)(const char *line);
} tr_graph_making;

/* Makes all of the graph; where it is hardened, a copy that hardening changes. Destroy it with
 * tr_controller_destroy. */
tr_status tr_graph_make(const tr_graph_making *making, tr_controller **out,
                        tr_error *error) TR_NODISCARD;

/* How it is hardened; borrows texts of the settings. */
tr_graph_harden_def tr_graph_making_hardening(const tr_graph_making *making);

/* Says how one transition was hardened. */
void tr_graph_making_say_hardened(const tr_graph_making *making, const tr_graph_harden_row *row);
