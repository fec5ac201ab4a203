/* The time that a command has taken, and an estimate of the time left. Only the tool reads clocks,
 * here: the libraries below take times as arguments. */
#pragma once

/* Seconds of a clock that only moves forward, from an arbitrary beginning; processor seconds of
 * this process, or of all ranks of its job (all of them ask). */
double tr_wall_seconds(void);
double tr_processor_seconds(void);

/* Prints "  | 40 %, 12 min left" and a newline to stdout, for work whose share grew from
 * share_before to share (0 to 1) in elapsed_s. Without any growth the time is left out. */
void tr_print_share(double share, double share_before, double elapsed_s);
