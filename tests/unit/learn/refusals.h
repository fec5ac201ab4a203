/* The files that every kind of checkpoint refuses: of another kind, cut short, damaged, and of an
 * older build. */
#ifndef TROUPE_TEST_REFUSALS_H
#define TROUPE_TEST_REFUSALS_H

#include "proto/status.h"

/* path: a checkpoint that load(training, path, ...) takes; it is the same afterwards. */
void refusals_check(const char *path, void *training,
                    tr_status (*load)(void *training, const char *path, tr_error *error));

#endif
