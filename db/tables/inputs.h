/* The input files of runs, row by row. Used by tr_runs_put, tr_runs_inputs and tr_runs_verify; for
 * files of db/. */
#pragma once

#include "db/store/query.h"
#include "db/tables/runs.h"

/* Checks inputs before they are stored. NULL: no inputs, valid. TR_INVALID_ARGUMENT: a count, role
 * or size is out of range, or roles are not in order. */
tr_status tr_inputs_check(const tr_run_inputs *inputs, tr_error *error) TR_NODISCARD;

/* Stores the inputs of a run that has none yet; NULL: none. */
tr_status tr_inputs_put(tr_catalogue *catalogue, tr_row_id run, const tr_run_inputs *inputs,
                        tr_error *error) TR_NODISCARD;

/* Adds inputs to the digest of their run; no inputs add nothing. */
void tr_inputs_digest(const tr_run_inputs *inputs, tr_digest_writer *writer);
