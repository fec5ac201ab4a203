/* The command line of a command that stores a record: "troupe-train" and the words, as the user gave
 * them.
 *
 * It is read first, because options put the words into another order. `run` checks it first: a
 * line that does not fit a record is refused before the work, not after it. */
#pragma once

#include "db/tables/runs.h"

typedef struct tr_command_line {
    char text[TR_RUN_COMMAND_MAX];
    tr_error unfit; /* its status: TR_OK where the line fits */
} tr_command_line;

/* argv[0]: the command's name. */
void tr_command_line_read(tr_command_line *line, int argc, char **argv);

/* TR_INVALID_ARGUMENT: it does not fit. */
tr_status tr_command_line_check(const tr_command_line *line, tr_error *error) TR_NODISCARD;
