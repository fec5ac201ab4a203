/* Repeats runs from their records, of any method. A run that continued another begins with that run's
 * controller, which is made again first if it is missing; that is reported on stderr.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "db/tables/controllers.h"
#include "db/tables/runs.h"
#include "learn/method/method.h"
#include "tools/train/run_motion.h"

/* Finds its inputs again, repeats it up to its last recorded row, prints the rows, and compares metrics
 * and controller. TR_ABORTED: they differ. TR_FAILED_PRECONDITION: the record does not keep an input,
 * or this build has no such method; TR_INVALID_ARGUMENT: a setting that this build does not know, or a
 * clip is needed and not given. */
tr_status tr_method_reproduce(const tr_reproduction *given, const tr_run_row *run,
                              tr_error *error) TR_NODISCARD;

/* model_id, clip_id: learned on and from; controllers know them, runs do not; clip_id 0: that of the
 * nearest controller that derives from the run. depth: number of runs
 * that are made again because of this one, 0 at first */
typedef struct tr_method_remake_def {
    const tr_reproduction *given;
    const tr_run_row *run;
    tr_row_id model_id, clip_id;
    int depth;
} tr_method_remake_def;

/* Repeats the run, and puts its controller into the catalogue (tr_run_put_again). */
tr_status tr_method_remake(const tr_method_remake_def *def, tr_controller_row *out,
                           tr_error *error) TR_NODISCARD;
