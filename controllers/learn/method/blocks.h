/* The blocks of a checkpoint: one list says what is saved and what is loaded.
 *
 * A method lists its memory block by block. While saving, each block is copied into the file; while
 * loading, each is filled from it before the call returns, so that later lines may depend on what
 * earlier ones loaded. After a block that does not fit, every further one is left alone.
 *
 * The file is scratch, not an exchange format: it holds this build's structs byte by byte. */
#pragma once

#include "math/byte_reader.h"
#include "proto/status.h"

/* Zeros begin a saving; blocks of a file that is loaded come from work_file.h. */
typedef struct tr_blocks {
    bool loads;
    char *data; /* saving: owned, [size] of [capacity] */
    size_t size, capacity;
    tr_byte_reader in;  /* loading */
    tr_status failed;   /* the first failure */
    const char *at;     /* name of the block that failed */
    const char *reason; /* why */
} tr_blocks;

/* One block of `size` bytes. name: static, for messages. */
void tr_block(tr_blocks *blocks, const char *name, void *data, size_t size);

/* Lists a count that must lie between low and high. Returns it; 0 after a failure. */
int tr_block_count(tr_blocks *blocks, const char *name, int *count, int low, int high);

/* Refuses what was loaded unless it is sound. Returns whether nothing has failed so far. */
bool tr_block_require(tr_blocks *blocks, const char *name, bool sound);
