/* The keeper of MPI. Its own failures end the job: the default handler of MPI prints them. */
#include "learn/ranks/ranks_link.h"

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

/* Counts of MPI are ints; larger blocks are sent in parts. */
static const size_t PART_BYTES = (size_t)1 << 26;

static int count_beside(void) {
    MPI_Comm machine;
    int count = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &count);
    MPI_Comm_free(&machine);
    return count;
}

bool tr_ranks_link_open(tr_ranks_link *out) {
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return false;
    MPI_Comm_size(MPI_COMM_WORLD, &out->count);
    MPI_Comm_rank(MPI_COMM_WORLD, &out->own);
    out->beside = count_beside();
    return true;
}

void tr_ranks_link_gather(const void *own, size_t size, void *all) {
    MPI_Datatype block;
    MPI_Type_contiguous((int)size, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    MPI_Allgather(own, 1, block, all, 1, block, MPI_COMM_WORLD);
    MPI_Type_free(&block);
}

void tr_ranks_link_follow(void *data, size_t size) {
    char *at = data;
    for (size_t left = size; left > 0;) {
        size_t part = left < PART_BYTES ? left : PART_BYTES;
        MPI_Bcast(at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD);
        at += part;
        left -= part;
    }
}

void tr_ranks_link_cut(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
}

void tr_ranks_link_close(void) {
    MPI_Finalize();
}
