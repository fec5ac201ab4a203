#include "control/latent/latent_kernel.h"

#include "math/instructions.h"

#include <string.h>

const tr_latent_kernel *tr_latent_kernel_choose(void) {
#if defined(__x86_64__)
    if (strcmp(tr_instructions_choose(), "avx2") == 0)
        return &tr_latent_kernel_avx2;
#endif
    return &tr_latent_kernel_sse2;
}
