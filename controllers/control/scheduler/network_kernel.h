/* The inner loops of networks, built once per instruction set and chosen at run time, like those of
 * physics (physics/kernels/kernel.h). All give the same bits: a sum runs over the inputs from first to
 * last, and vectors only hold several outputs side by side. Internal to control/scheduler. */
#pragma once

#include "control/scheduler/network.h"

typedef struct tr_network_kernel {
    const char *name; /* "sse2", "avx2" */
    void (*multiply)(const tr_network_product *product);
} tr_network_kernel;

/* All that were built, the fastest first, up to a NULL. */
extern const tr_network_kernel *const tr_network_kernels[];

/* Has this processor the instructions? */
bool tr_network_kernel_runs(const tr_network_kernel *kernel);

extern const tr_network_kernel tr_network_kernel_sse2, tr_network_kernel_avx2;
