/* The inner loop of networks, built once per instruction set (math/instructions.h). All give the
 * same bits: a sum runs over the inputs from first to last, and vectors only hold several outputs
 * side by side. Internal to control/scheduler. */
#pragma once

#include "control/scheduler/network.h"

typedef void tr_network_multiply_fn(const tr_network_product *product);
extern tr_network_multiply_fn tr_network_multiply_sse2, tr_network_multiply_avx2;
