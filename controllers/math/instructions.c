#include "math/instructions.h"

#include <stdlib.h>
#include <string.h>

bool tr_instructions_run(const char *name) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (strcmp(name, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
#endif
    return strcmp(name, "sse2") == 0;
}

const char *tr_instructions_choose(void) {
    const char *wanted = getenv("TROUPE_KERNEL");
    if (wanted && tr_instructions_run(wanted))
        return wanted;
    return tr_instructions_run("avx2") ? "avx2" : "sse2";
}
