/* The circumstances in a record: clock and machine. Only the tool reads the clock and the
 * system, here: the libraries below take such things as arguments. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds since 1970, UTC. */
int64_t tr_now_ns(void);

/* Processor, cores, system and the kernels of OpenBLAS: "Intel Xeon ..., 2 cores, Linux x86_64,
 * OpenBLAS Haswell"; then the job of Slurm and its
 * node, and the nodes of the ranks, where there are any; cut to the capacity. */
void tr_describe_host(char *out, size_t capacity);
