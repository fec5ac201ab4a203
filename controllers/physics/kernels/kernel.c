/* Which kernels this processor can run. */
#include "physics/kernels/kernel_name.h"

#include <stdlib.h>
#include <string.h>

static const tr_kernel variants[] = {
#if defined(__x86_64__)
    {"avx2", &tr_tree_kernel_avx2, &tr_tree_lanes_kernel_avx2, &tr_servo_kernel_avx2,
     &tr_bounds_kernel_avx2, tr_solver_relax_avx2},
#endif
    {"sse2", &tr_tree_kernel_sse2, &tr_tree_lanes_kernel_sse2, &tr_servo_kernel_sse2,
     &tr_bounds_kernel_sse2, tr_solver_relax_sse2},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

static bool supported(const tr_kernel *kernel) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (strcmp(kernel->name, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
#endif
    return strcmp(kernel->name, "sse2") == 0;
}

const tr_kernel *tr_kernel_find(const char *name) {
    for (int i = 0; i < VARIANT_COUNT; i++)
        if (strcmp(variants[i].name, name) == 0 && supported(&variants[i]))
            return &variants[i];
    return NULL;
}

const tr_kernel *tr_kernel_choose(void) {
    const char *wanted = getenv("TROUPE_KERNEL");
    const tr_kernel *kernel = wanted ? tr_kernel_find(wanted) : NULL;
    for (int i = 0; !kernel && i < VARIANT_COUNT; i++)
        if (supported(&variants[i]))
            kernel = &variants[i];
    return kernel;
}
