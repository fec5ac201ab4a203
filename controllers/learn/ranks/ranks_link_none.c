/* A build without MPI: one rank, the lead. */
#include "learn/ranks/ranks_link.h"

#include <stdlib.h>
#include <string.h>

bool tr_ranks_link_open(tr_ranks_link *out) {
    (void)out;
    return false;
}

void tr_ranks_link_gather(const void *own, size_t size, void *all) {
    memcpy(all, own, size);
}

void tr_ranks_link_follow(void *data, size_t size) {
    (void)data;
    (void)size;
}

void tr_ranks_link_cut(int code) {
    exit(code);
}

void tr_ranks_link_close(void) {
}
