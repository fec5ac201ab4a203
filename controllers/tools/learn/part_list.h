/* The parts of a controller in its record: lines "NAME DIGEST", under the names by which they were
 * asked for, in the order in which its method named them. */
#pragma once

#include "tools/learn/method_sources.h"

typedef struct tr_listed_part {
    char name[TR_NAME_MAX];
    tr_digest digest; /* of the controller's row, its run included */
} tr_listed_part;

/* The list, to be freed; NULL: no memory. */
char *tr_part_list_write(const tr_method_parts *parts);

/* Takes the first part off the rest of a list. false: the end, or malformed text. */
bool tr_part_list_next(const char **list, tr_listed_part *out);

/* Is one of the parts of that digest? */
bool tr_part_list_has(const char *list, const tr_digest *digest);
