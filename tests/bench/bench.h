/* troupe-bench: one subcommand per file, CSV with a header line on stdout.
 *
 * A table is made of cells that are timed in turn, round after round, after a round of warm-up;
 * each cell reports its median. Interleaving lets a disturbance of the machine hit all cells alike.
 * Times are processor time of the calling thread. */
#ifndef TROUPE_BENCH_BENCH_H
#define TROUPE_BENCH_BENCH_H

/* A subcommand, closed by a const entry that main.c lists. argv[0] is its name. Exit codes: 0 done,
 * 1 failed (the reason is on stderr), 2 wrong usage. */
typedef struct tr_bench_command {
    const char *name, *arguments, *summary;
    int (*exec)(int argc, char **argv);
} tr_bench_command;

extern const tr_bench_command tr_bench_match;
extern const tr_bench_command tr_bench_density;
extern const tr_bench_command tr_bench_fanout;
extern const tr_bench_command tr_bench_physics;
extern const tr_bench_command tr_bench_truth;
extern const tr_bench_command tr_bench_snapshot;
extern const tr_bench_command tr_bench_learn;
extern const tr_bench_command tr_bench_states;
extern const tr_bench_command tr_bench_readers;
extern const tr_bench_command tr_bench_schedule;
extern const tr_bench_command tr_bench_strength;
extern const tr_bench_command tr_bench_terrain;

/* Processor time of this thread, s. */
double tr_bench_now(void);

/* Median of values[count]; sorts them. Not a number when count is 0. */
double tr_bench_median(double *values, int count);

#endif
