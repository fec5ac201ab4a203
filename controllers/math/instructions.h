/* The instruction sets for which numerical loops are compiled, "sse2" and "avx2". All give the same
 * bits. */
#pragma once

#include <stdbool.h>

/* Were loops for it compiled, and has this processor the instructions? */
bool tr_instructions_run(const char *name);

/* The widest that runs, or the one that the environment variable TROUPE_KERNEL names if it runs. */
const char *tr_instructions_choose(void);
