/* Finds out which loops this processor can run. */
#include "control/latent/latent_kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const tr_latent_kernel *const variants[] = {
#if defined(__x86_64__)
    &tr_latent_kernel_avx2,
#endif
    &tr_latent_kernel_sse2,
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

static bool supported(const tr_latent_kernel *kernel) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (strcmp(kernel->name, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
#endif
    return strcmp(kernel->name, "sse2") == 0;
}

static int index_of(const char *name) {
    for (int i = 0; i < VARIANT_COUNT; i++)
        if (strcmp(variants[i]->name, name) == 0 && supported(variants[i]))
            return i;
    return -1;
}

const tr_latent_kernel *tr_latent_kernel_choose(void) {
    const char *wanted = getenv("TROUPE_KERNEL");
    int chosen = wanted ? index_of(wanted) : -1;
    for (int i = 0; chosen < 0 && i < VARIANT_COUNT; i++)
        if (supported(variants[i]))
            chosen = i;
    return chosen < 0 ? NULL : variants[chosen];
}
