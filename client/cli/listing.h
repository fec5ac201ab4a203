/* Lists of the catalogue: all pages of a query as one table. */
#pragma once

#include "cli/output.h"
#include "cli/view.h"

typedef struct tr_cli_listing {
    uint64_t (*ask)(tr_client *client,
                    const tr_client_query *query); /* e.g. tr_client_list_models */
    const tr_mapping *mapping;                     /* of the rows of the reply */
    const char *words;                             /* what is shown of a row (view.h), unless ... */
    json_t *(*row)(const void *from);              /* ... this makes the object; may be NULL */
    const char *columns;                           /* of the table */
    const char *empty;                             /* printed for an empty list */
    /* The rows of the table in another order, or fewer; takes and gives the reference. May be NULL:
     * as the daemon lists them. */
    json_t *(*arrange)(json_t *take_rows);
} tr_cli_listing;

/* Returns an exit code. */
int tr_cli_list(tr_cli *cli, const tr_cli_listing *listing, const tr_client_query *query);
