/* The inputs for repeating a run. */
#ifndef TROUPE_TOOLS_REPRODUCTION_H
#define TROUPE_TOOLS_REPRODUCTION_H

#include "db/store/catalogue.h"

typedef struct tr_reproduction {
    tr_catalogue *catalogue; /* a scratch copy: parts that are made again are stored here */
    const char *clips;       /* folder with the source clips; NULL: none given */
    const char *motion;      /* file of the imported motion itself; NULL: none given */
    const char *import;      /* options of the clips' imports, for runs that record none; NULL */
    int threads;             /* does not change the result */
} tr_reproduction;

#endif
