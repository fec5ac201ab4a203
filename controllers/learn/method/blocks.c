#include "learn/method/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 16 };
static const size_t CAPACITY_MAX = (size_t)1 << 31;

static void fail(tr_blocks *b, tr_status status, const char *name, const char *reason) {
    if (b->failed)
        return;
    b->failed = status;
    b->at = name;
    b->reason = reason;
}

static bool make_room(tr_blocks *b, size_t more) {
    size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;
    /* Written so that no sum overflows. */
    if (more > CAPACITY_MAX - b->size)
        return false;
    while (capacity < b->size + more)
        capacity *= 2;
    char *data = capacity == b->capacity ? b->data : realloc(b->data, capacity);
    if (!data)
        return false;
    b->data = data;
    b->capacity = capacity;
    return true;
}

static void put(tr_blocks *b, const void *data, size_t size) {
    if (size > 0)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

void tr_block(tr_blocks *b, const char *name, void *data, size_t size) {
    uint64_t stored = size;
    if (b->failed)
        return;
    if (!b->loads) {
        if (!make_room(b, sizeof stored + size)) {
            fail(b, TR_RESOURCE_EXHAUSTED, name, "no memory");
            return;
        }
        /* A block is its size, then its bytes. */
        put(b, &stored, sizeof stored);
        put(b, data, size);
        return;
    }
    if (!tr_byte_reader_get(&b->in, &stored, sizeof stored))
        fail(b, TR_DATA_LOSS, name, "the file ends before it");
    else if (stored != size)
        fail(b, TR_FAILED_PRECONDITION, name, "of another size: written by another build");
    else if (size > b->in.left)
        fail(b, TR_DATA_LOSS, name, "the file ends within it");
    else
        (void)tr_byte_reader_get(&b->in, data, size);
}

int tr_block_count(tr_blocks *b, const char *name, int *count, int low, int high) {
    tr_block(b, name, count, sizeof *count);
    return tr_block_require(b, name, *count >= low && *count <= high) ? *count : 0;
}

bool tr_block_require(tr_blocks *b, const char *name, bool sound) {
    if (!sound)
        fail(b, TR_DATA_LOSS, name, "its values do not fit");
    return !b->failed;
}
