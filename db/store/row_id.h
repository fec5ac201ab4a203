/* What every file of db/ knows of a catalogue and its rows (catalogue.h). */
#ifndef TROUPE_DB_ROW_ID_H
#define TROUPE_DB_ROW_ID_H

#include "db/store/digest.h"

typedef struct tr_catalogue tr_catalogue;

/* Identifies a row within its table of one catalogue file; positive. 0 means none. */
typedef int64_t tr_row_id;

enum {
    TR_PAGE_MAX = 256, /* rows of a page */
    TR_LIST_MAX = TR_PAGE_MAX +
                  1, /* rows of a list call: a page, and one more that shows whether more follow */
    TR_SHORT_TEXT_MAX = 256 /* bytes with terminator: sources, licences, hosts, versions */
};

#endif
