/* Trainings that need no clip, made again: what the catalogue has of the run, and the comparison
 * with what comes out this time. */
#ifndef TROUPE_TOOLS_RERUN_H
#define TROUPE_TOOLS_RERUN_H

#include "db/tables/controllers.h"
#include "db/tables/runs.h"
#include "math/parameter_table.h"
#include "tools/train/reproduction.h"

/* was:  the controller that the run stored
 * last: iteration of its last metric; a run that ended early is repeated up to there. -1: it ended
 *       before its first */
typedef struct tr_rerun {
    const tr_reproduction *given;
    const tr_run_row *run;
    tr_model *model;
    tr_controller *was;
    int64_t last;
} tr_rerun;

/* Reads the record into out, which is deinitialised whatever the status, and its parameters into
 * settings, which hold the defaults. TR_NOT_FOUND: its controller is not here; TR_INVALID_ARGUMENT:
 * a parameter that this build does not know. */
tr_status tr_rerun_read(const tr_reproduction *given, const tr_run_row *run,
                        const tr_parameter_table *table, void *settings, tr_rerun *out,
                        tr_error *error) TR_NODISCARD;
void tr_rerun_deinit(tr_rerun *rerun); /* of zeros is fine */

/* Prints that both are the same to the bit. TR_ABORTED: they are not. */
tr_status tr_rerun_compare(const tr_rerun *rerun, const tr_controller *is,
                           tr_error *error) TR_NODISCARD;

#endif
