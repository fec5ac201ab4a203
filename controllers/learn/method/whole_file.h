/* Files that are written and read whole: checkpoints and results.
 *
 * A file is written as proto/sink.h does: a crash leaves the old one or the new one, never half of
 * one. A sealed block ends with the FNV-1a
 * hash of all before it, which finds damage. No state; any thread, but one writer a path.
 *
 * In a job of several ranks (ranks/ranks.h) the lead reads and writes, and all get what it read. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TR_INVALID_ARGUMENT: the path is too long; TR_UNAVAILABLE: cannot be written; an existing file is
 * then unchanged. */
tr_status tr_whole_file_write(const char *path, const void *data, size_t size,
                              tr_error *error) TR_NODISCARD;

/* Reads a file of at least size_min and at most size_max bytes, with a zero after its last (not
 * counted in out_size). The caller frees *out. TR_DATA_LOSS: smaller; otherwise as
 * tr_bytes_file_read. */
tr_status tr_whole_file_read(const char *path, size_t size_min, size_t size_max, char **out,
                             size_t *out_size, tr_error *error) TR_NODISCARD;

/* Room for the seal at a block's end. */
enum { TR_SEAL_SIZE = sizeof(uint64_t) };

/* Copies `size` bytes to `at`, or the seal of `begin` to `at`; returns where the next go. */
char *tr_block_put(char *at, const void *data, size_t size);
char *tr_block_seal(const char *begin, char *at);

/* Returns whether the last bytes of a block of at least TR_SEAL_SIZE are the seal of those
 * before. */
bool tr_block_whole(const char *data, size_t size);
