#include "math/instructions.h"
#include "physics/kernels/kernel_name.h"

#include <string.h>

static const tr_kernel variants[] = {
#if defined(__x86_64__)
    {"avx2", &tr_tree_kernel_avx2, &tr_tree_lanes_kernel_avx2, &tr_servo_kernel_avx2,
     &tr_bounds_kernel_avx2, tr_solver_relax_avx2},
#endif
    {"sse2", &tr_tree_kernel_sse2, &tr_tree_lanes_kernel_sse2, &tr_servo_kernel_sse2,
     &tr_bounds_kernel_sse2, tr_solver_relax_sse2},
};

const tr_kernel *tr_kernel_choose(void) {
    const char *name = tr_instructions_choose();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}
