#include "server/daemon/heap.h"

#include <malloc.h>

/* By default it grows up to 32 MiB. Larger than this: buffers that grow by doubling, beside each
 * other in the heap, leave holes into which none of them fits; the heap then grows to one and a
 * half times what they hold. */
enum { MAPPED_MIN = 64 << 10 };

void tr_heap_init(void) {
    (void)!mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
}

void tr_heap_give_back(void) {
    malloc_trim(0);
}
