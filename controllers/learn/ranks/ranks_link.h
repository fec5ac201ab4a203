/* What ranks.c needs of the library that joins processes: one implementation with MPI, one for a
 * build without. All calls but open and cut are made by all ranks in the same order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct tr_ranks_link {
    int count, own, beside; /* ranks, this one's number, ranks on this machine */
} tr_ranks_link;

/* Joins the job. false: this build cannot. */
bool tr_ranks_link_open(tr_ranks_link *out);

/* all: [count][size], the bytes of each rank in order. */
void tr_ranks_link_gather(const void *own, size_t size, void *all);

/* Makes all take over the bytes of rank 0. */
void tr_ranks_link_follow(void *data, size_t size);

/* Ends all ranks with this exit code. */
_Noreturn void tr_ranks_link_cut(int code);

void tr_ranks_link_close(void);
