/* The parts of a graph in its record: lines "NAME DIGEST" of the skills, in the order of the
 * connectivity file and under its names, and of the graphs that were extended or hardened. */
#ifndef TROUPE_TOOLS_PART_LIST_H
#define TROUPE_TOOLS_PART_LIST_H

#include "db/tables/controllers.h"

typedef struct tr_graph_part {
    char name[TR_NAME_MAX];
    tr_digest digest; /* of the controller's row, its run included */
} tr_graph_part;

/* rows: [count]. The list, to be freed; NULL: no memory. */
char *tr_part_list_write(const tr_controller_row *rows, int count);

/* Takes the first part off the rest of a list. false: the end, or malformed text. */
bool tr_part_list_next(const char **list, tr_graph_part *out);

/* Is one of the parts of that digest? */
bool tr_part_list_has(const char *list, const tr_digest *digest);

/* Finds the part of that name. false: no such part. list may be NULL. */
bool tr_part_list_find(const char *list, const char *name, tr_graph_part *out);

#endif
