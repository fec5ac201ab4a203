/* The circumstances of a command, for its record and its reports: the command line, clocks and the
 * machine. Only the tool reads the clock and the system, here: the libraries below take such things as
 * arguments. */
#pragma once

#include "db/tables/runs.h"

#include <stddef.h>
#include <stdint.h>

/* --- for records --- */

/* Nanoseconds since 1970, UTC. */
int64_t tr_now_ns(void);

/* Processor, cores, system and the kernels of OpenBLAS: "Intel Xeon ..., 2 cores, Linux x86_64,
 * OpenBLAS Haswell"; then the job of Slurm and its
 * node, and the nodes of the ranks, where there are any; cut to the capacity. */
void tr_describe_host(char *out, size_t capacity);

/* "troupe-train" and the words, as the user gave them. It is read first, because options put the
 * words into another order. `run` checks it first: a line that does not fit a record is refused
 * before the work, not after it. */
typedef struct tr_command_line {
    char text[TR_RUN_COMMAND_MAX];
    tr_error unfit; /* its status: TR_OK where the line fits */
} tr_command_line;

/* argv[0]: the command's name. */
void tr_command_line_read(tr_command_line *line, int argc, char **argv);

/* TR_INVALID_ARGUMENT: it does not fit. */
tr_status tr_command_line_check(const tr_command_line *line, tr_error *error) TR_NODISCARD;

/* --- for reports --- */

/* Seconds of a clock that only moves forward, from an arbitrary beginning; processor seconds of
 * this process, or of all ranks of its job (all of them ask). */
double tr_wall_seconds(void);
double tr_processor_seconds(void);

/* Prints "  | 40 %, 12 min left" and a newline to stdout, for work whose share grew from
 * share_before to share (0 to 1) in elapsed_s. Without any growth the time is left out. */
void tr_print_share(double share, double share_before, double elapsed_s);
