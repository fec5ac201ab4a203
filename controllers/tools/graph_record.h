/* The record of a graph's making: a run of the catalogue, which goes back to the runs of the skills
 * and graphs it was made of, and by which it can be made again. */
#ifndef TROUPE_TOOLS_GRAPH_RECORD_H
#define TROUPE_TOOLS_GRAPH_RECORD_H

#include "db/runs.h"
#include "tools/graph_making.h"

#define TR_GRAPH_CONNECTIVITY "connectivity" /* role of the file by which a graph is built */

/* Was it the making of a graph? */
bool tr_graph_record_is(const tr_run_row *run);

/* May a graph and its run be put under this name? TR_ALREADY_EXISTS: it is taken. */
tr_status tr_graph_record_check_name(tr_catalogue *catalogue, const char *name,
                                     tr_error *error) TR_NODISCARD;

typedef struct tr_graph_made {
    const tr_graph_recipe *recipe;
    const tr_graph_parts *parts;
    const tr_run_inputs *inputs; /* the connectivity file, of a graph that was built */
    const tr_controller *graph;
    tr_run_row run; /* circumstances and times */
    double core_s;  /* processor time */
} tr_graph_made;

/* Puts the graph and its run, both of the graph's name, or neither. */
tr_status tr_graph_record_put(tr_catalogue *catalogue, const tr_graph_made *made,
                              tr_error *error) TR_NODISCARD;

/* Makes the graph of a run again, and prints what differs from the one in the catalogue.
 * TR_NOT_FOUND, TR_FAILED_PRECONDITION: a part is not in the catalogue, or is another one by now;
 * TR_ABORTED: they are not the same. */
tr_status tr_graph_record_repeat(tr_catalogue *catalogue, const tr_run_row *run, int threads,
                                 tr_error *error) TR_NODISCARD;

#endif
