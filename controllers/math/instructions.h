/* The instruction sets for which numerical loops are compiled, "sse2" and "avx2". All give the same
 * bits. */
#pragma once

/* The widest that runs, or the one that the environment variable TROUPE_KERNEL names if it runs. */
const char *tr_instructions_choose(void);
