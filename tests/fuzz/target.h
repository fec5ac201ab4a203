/* A fuzz target: what libFuzzer calls, and what replay.c calls with the files of a corpus. Aborts
 * when a property fails. */
#ifndef TROUPE_TESTS_FUZZ_TARGET_H
#define TROUPE_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
