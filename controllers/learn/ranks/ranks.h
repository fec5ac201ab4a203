/* Ranks: the processes of one job, on one machine or many, that 'mpirun' or 'srun' started
 * together.
 *
 * Every rank runs the same program on the same inputs, step by step. Only numbered work is divided:
 * item i belongs to rank i modulo count, and all ranks get all results (tr_ranks_share). So all
 * ranks hold the same state at all times, and the result has the same bits for any number of them.
 * Only the lead, rank 0, has side effects: it prints and writes files.
 *
 * A process that was started alone is the only rank of its job; all calls then cost next to
 * nothing. With more than one, each call below is made by all ranks in the same order. They compare
 * what they are about to do first: if a rank has ended, failed, or differs, the job ends with a
 * message that names it. When a rank dies, the launcher ends the others.
 *
 * One process-wide state; calls by the main thread only. MPI is used in ranks_link_mpi.c alone; a
 * build without it has ranks_link_none.c and refuses to be one of several. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Joins the ranks of the job, if a launcher started this process as one of several. From then on
 * the other ranks print nothing; what they write to stderr is kept for a message about them.
 * TR_FAILED_PRECONDITION: started as one of several, but this build or this launch cannot join
 * them; the message says what to do. */
tr_status tr_ranks_begin(tr_error *error) TR_NODISCARD;

/* Leaves the job with the exit code of this rank; returns the code to exit with. When other ranks
 * still work, or leave with another code, the job ends with a message. */
int tr_ranks_end(int code);

int tr_ranks_count(void);
int tr_ranks_own(void);
bool tr_ranks_lead(void);
/* Ranks on this machine, this one included. */
int tr_ranks_beside(void);
/* "node1 x4, node2 x4"; cut to the capacity. Empty for a job of one rank. */
void tr_ranks_describe(char *out, size_t capacity);

/* An array of results of numbered items: [count] of `size` bytes, plain data. A list of at most
 * seven ends with size 0. */
typedef struct tr_ranks_result {
    void *at;
    size_t size;
} tr_ranks_result;

/* Each rank has filled in the results of the items that are its own; afterwards all have all. */
void tr_ranks_share(int count, const tr_ranks_result *results);

/* Does the same for items[count] only, in any order: what is large and needed of few. */
void tr_ranks_share_some(const int *items, int count, const tr_ranks_result *results);

/* Makes all ranks take over the bytes of the lead. */
void tr_ranks_follow(void *data, size_t size);

/* The lead does the work when all ranks have come so far, and all return its status and message.
 * Calls within the work concern the lead alone. */
typedef tr_status (*tr_ranks_work)(void *context, tr_error *error);
tr_status tr_ranks_let_lead(tr_ranks_work work, void *context, tr_error *error) TR_NODISCARD;

/* Returns the sum over the ranks, the same on all. */
double tr_ranks_sum(double value);

/* Ends the job if a rank has another hash than the lead. what: for the message, as "the controller
 * 'run'". */
void tr_ranks_compare(const char *what, uint64_t hash);
