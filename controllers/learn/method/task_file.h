/* Task files: lines "name = value" that set the parameters of a table; # begins a comment. */
#pragma once

#include "math/parameter_table.h"

/* Errors name the file and the line; then `values` is unchanged. As tr_whole_file_read. */
tr_status tr_task_file_read(const tr_parameter_table *table, void *values, const char *path,
                            tr_error *error) TR_NODISCARD;
