#include "server/daemon/heap.h"

#include <malloc.h>

enum { MAPPED_MIN = 256 << 10 }; /* by default it grows up to 32 MiB */

void tr_heap_init(void) {
    (void)!mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
}

void tr_heap_give_back(void) {
    malloc_trim(0);
}
