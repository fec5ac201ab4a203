/* A fuzz target: what libFuzzer calls, and what replay.c calls with the files of a corpus. Aborts
 * when a property fails. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
