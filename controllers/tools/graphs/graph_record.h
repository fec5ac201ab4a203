/* The record of a graph's making: a run of the catalogue, whose parents are the runs of the skills
 * and graphs that the graph was made of, and from which it can be made again. */
#ifndef TROUPE_TOOLS_GRAPH_RECORD_H
#define TROUPE_TOOLS_GRAPH_RECORD_H

#include "db/tables/runs.h"
#include "tools/graphs/graph_making.h"

#define TR_GRAPH_CONNECTIVITY "connectivity" /* role of the connectivity file */

/* Did the run make a graph? */
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

/* Stores the graph and its run, both under the graph's name, or neither. */
tr_status tr_graph_record_put(tr_catalogue *catalogue, const tr_graph_made *made,
                              tr_error *error) TR_NODISCARD;

/* The record of a graph's run, as read. */
typedef struct tr_graph_record {
    const tr_run_row *run; /* borrowed */
    tr_run_inputs inputs;
    const char *parts; /* what it was made of (part_list.h), in `inputs` */
    tr_graph_recipe recipe;
    char text[TR_RUN_PARAMETERS_MAX]; /* memory of the recipe's texts */
} tr_graph_record;

/* Fills a record of zeros; deinitialise it whatever the status, and do not copy it. TR_DATA_LOSS:
 * the run does not record how its graph was made; the message says what is missing. */
tr_status tr_graph_record_read(tr_catalogue *catalogue, const tr_run_row *run, tr_graph_record *out,
                               tr_error *error) TR_NODISCARD;
void tr_graph_record_deinit(tr_graph_record *record);

/* Reads the connectivity file of a graph that was built; leaves `out` for one that was hardened.
 * TR_DATA_LOSS: the record has no such file. */
tr_status tr_graph_record_connectivity(const tr_graph_record *record, tr_connectivity *out,
                                       tr_error *error) TR_NODISCARD;

#endif
