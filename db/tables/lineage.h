/* Lineage: what a controller or a run was made from.
 *
 * See catalogue.h for threading, statuses and errors. */
#pragma once

#include "db/store/catalogue.h"
#include "model/model.h"

enum { TR_LINEAGE_MAX = 256 };

typedef struct tr_lineage_node {
    tr_noun kind; /* a controller, model, clip or run */
    tr_row_id id;
    char name[TR_NAME_MAX];
    int depth; /* steps back from the start; the shortest if there are several ways */
} tr_lineage_node;

typedef struct tr_lineage {
    int count;
    /* By depth, then kind, then id; [0] is the start itself. */
    tr_lineage_node node[TR_LINEAGE_MAX];
} tr_lineage;

/* Traces a controller to its model, clip and run, and to all earlier runs; a run to all earlier
 * runs. TR_INVALID_ARGUMENT: neither a controller nor a run. TR_RESOURCE_EXHAUSTED: more than
 * TR_LINEAGE_MAX. */
tr_status tr_lineage_trace(tr_catalogue *catalogue, tr_noun kind, tr_row_id id, tr_lineage *out,
                           tr_error *error) TR_NODISCARD;
