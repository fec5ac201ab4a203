#include "math/instructions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Were loops for it compiled, and has this processor the instructions? */
static bool runs(const char *name) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (strcmp(name, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
#endif
    return strcmp(name, "sse2") == 0;
}

const char *tr_instructions_choose(void) {
    const char *wanted = getenv("TROUPE_KERNEL");
    if (wanted && runs(wanted))
        return wanted;
    return runs("avx2") ? "avx2" : "sse2";
}
