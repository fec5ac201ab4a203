/* Repeats a run of any method from its record. Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_METHOD_AGAIN_H
#define TROUPE_TOOLS_METHOD_AGAIN_H

#include "db/tables/runs.h"
#include "learn/method/method.h"
#include "tools/train/reproduction.h"

/* Finds its inputs again, repeats it up to its last recorded row, prints the rows, and compares metrics
 * and controller. TR_ABORTED: they differ. TR_FAILED_PRECONDITION: the record does not keep an input;
 * TR_INVALID_ARGUMENT: a setting that this build does not know, or a clip is needed and not given. */
tr_status tr_method_reproduce(const tr_method *method, const tr_reproduction *given,
                              const tr_run_row *run, tr_error *error) TR_NODISCARD;

#endif
