/* Lists of names separated by commas, as of skills and graphs. */
#pragma once

#include "model/model.h"

#include <stdbool.h>

/* Takes the next name off the list, cut to what fits, the rest of `out` zero. false: the list is
 * empty. */
bool tr_names_next(const char **names, char out[static TR_NAME_MAX]);

bool tr_names_have(const char *names, const char *name);
