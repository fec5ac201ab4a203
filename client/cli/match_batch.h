/* Matches without a daemon: a launcher starts `troupe-bouts` as the ranks of a job, which fights
 * the bouts and writes the results (server/batch/batch.h). */
#pragma once

#include "cli/cli.h"

enum { TR_CLI_RANKS_OF_JOB = -1 }; /* as many as the launcher has room for */

typedef struct tr_cli_match_batch {
    const char *launcher;  /* "mpi" or "slurm" */
    const char *catalogue; /* NULL: missing */
    int64_t ranks;         /* from 1, or TR_CLI_RANKS_OF_JOB */
    const tr_client_match_def *match;
    /* Called for each page of the results, in the order of the bouts. */
    void (*page)(void *context, const tr_client_match_detail *detail);
    void *context;
} tr_cli_match_batch;

/* Waits for the end. Returns an exit code; a failure is printed on stderr. */
int tr_cli_match_batch_run(const tr_cli_match_batch *batch);
