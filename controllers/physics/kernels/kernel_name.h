/* How the kernels (kernel.h) name what they export in each of their builds. Internal to physics/.
 *
 * CMake compiles each once per instruction set with TR_KERNEL_ISA defined to sse2 or avx2. */
#pragma once

#include "physics/kernels/kernel.h"

#define TR_KERNEL_PASTE(name, isa) name##_##isa
#define TR_KERNEL_EXPAND(name, isa) TR_KERNEL_PASTE(name, isa)
#define TR_KERNEL(name) TR_KERNEL_EXPAND(name, TR_KERNEL_ISA)

#define TR_KERNEL_DECLARE(isa)                                                                     \
    extern const tr_tree_kernel tr_tree_kernel_##isa;                                              \
    extern const tr_tree_lanes_kernel tr_tree_lanes_kernel_##isa;                                  \
    extern const tr_servo_kernel tr_servo_kernel_##isa;                                            \
    extern const tr_bounds_kernel tr_bounds_kernel_##isa;                                          \
    extern tr_solver_relax_fn tr_solver_relax_##isa;
TR_KERNEL_DECLARE(sse2)
TR_KERNEL_DECLARE(avx2)
