/* The common parts of the records of runs: the given files, and the parameters as lines
 * "name = value". */
#pragma once

#include "db/tables/controllers.h"
#include "db/tables/runs.h"

/* Splits the next line of parameters: *name becomes "" where the line is not a parameter, *value
 * points into the text, which is cut up. false: no more. *rest: the text before the first call. */
bool tr_run_next_parameter(char **rest, char name[static TR_NAME_MAX], const char **value);

/* The controller that a run made: the one with the run's name, because mirror images belong to the
 * run too; otherwise the first. TR_NOT_FOUND: the catalogue has none. */
tr_status tr_run_find_controller(tr_catalogue *catalogue, const tr_run_row *run,
                                 tr_controller_row *out, tr_error *error) TR_NODISCARD;

/* Stores the result of a run that was made again. Its name is its digest, because the original name
 * may be taken. entry: its controller's name is not read. */
tr_status tr_run_put_again(tr_catalogue *catalogue, const tr_run_row *run,
                           const tr_controller_entry *entry, tr_controller_row *out,
                           tr_error *error) TR_NODISCARD;
