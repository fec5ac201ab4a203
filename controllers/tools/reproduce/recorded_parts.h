/* The parts of a run that is repeated, from the list in its record.
 *
 * Parts are found in the catalogue by their digests, under whatever name. A missing part is made again
 * first, by the run that made it, and so on back. Which run that was is not recorded: it is the one
 * with the part's name, or, if no ancestor run has this name, one whose controller is missing too. A
 * part that was taken out of another or mirrored has no run, and is derived again (recorded_parts.c). A
 * part made again must have the recorded digest; it is stored in the catalogue, where others made of
 * it find it. */
#pragma once

#include "tools/learn/method_sources.h"
#include "tools/reproduce/method_remake.h"

/* Adds all parts of the list to an input; parts that are made again on the way are reported on stderr.
 * TR_FAILED_PRECONDITION: a part is missing and no run in the record makes it; the message names
 * run, part and digest. TR_ABORTED: a part made again is not the same; the message names its run.
 * Otherwise as tr_method_remake. */
tr_status tr_parts_find(const tr_method_remake_def *of, const char *list, int input,
                        tr_method_sources *out, tr_error *error) TR_NODISCARD;
