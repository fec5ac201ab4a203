/* The daemon's memory: the linker wraps the allocations of its code. A block is filled when it is
 * taken and when it is freed, so that nothing reads what it has not written, and is listed until
 * then. The simulation's own code does not come here (CMakeLists.txt), nor do shared libraries, of
 * which SQLite has a hook. */
#include "scheduler.h"
#include "simulated.h"

#include <limits.h>
#include <malloc.h>
#include <protobuf-c/protobuf-c.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TAKEN = 0xA5, FREED = 0xDB, FILLED_MAX = 8 << 10 };

#define MARK 0x7c3a95e1d0b24f68ULL

typedef struct block {
    struct block *next, *before;
    size_t size;
    const void *caller;
    uint64_t pad, mark; /* MARK and the address: a block of a shared library has no mark */
} block;

static struct {
    block list;
    long count, countdown, length;
    sqlite3_mem_methods sqlite;
} memory;

void simulated_memory_refuse(int countdown, int length) {
    memory.countdown = countdown;
    memory.length = length;
}

static bool is_refused(void) {
    if (!sim_in_fiber() || memory.length == 0 || --memory.countdown > 0)
        return false;
    memory.length--;
    return true;
}

static uint64_t mark_of(const block *b) {
    return MARK ^ (uint64_t)(uintptr_t)b;
}

static block *block_of(void *data) {
    block *b = (block *)data - 1;
    return b->mark == mark_of(b) ? b : NULL;
}

static void fill(void *data, int with, size_t size) {
    memset(data, with, size < FILLED_MAX ? size : FILLED_MAX);
}

static void *take(size_t size, const void *caller) {
    block *b = size > SIZE_MAX / 2 || is_refused() ? NULL : malloc(sizeof *b + size);
    if (!b)
        return NULL;
    *b = (block){.next = memory.list.next, .before = &memory.list, .size = size, .caller = caller};
    b->mark = mark_of(b);
    if (b->next)
        b->next->before = b;
    memory.list.next = b;
    memory.count++;
    return b + 1;
}

static void leave(block *b) {
    b->before->next = b->next;
    if (b->next)
        b->next->before = b->before;
    b->mark = 0;
    memory.count--;
    fill(b + 1, FREED, b->size);
    free(b);
}

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
void __wrap_free(void *data);

void *__wrap_malloc(size_t size) {
    void *data = take(size, __builtin_return_address(0));
    if (data)
        fill(data, TAKEN, size);
    return data;
}

void *__wrap_calloc(size_t count, size_t size) {
    void *data = size > 0 && count > SIZE_MAX / size
                     ? NULL
                     : take(count * size, __builtin_return_address(0));
    if (data)
        memset(data, 0, count * size);
    return data;
}

void *__wrap_realloc(void *data, size_t size) {
    block *b = data ? block_of(data) : NULL;
    if (data && !b)
        return realloc(data, size);
    void *larger = take(size, __builtin_return_address(0));
    if (!larger || !b)
        return larger;
    memcpy(larger, data, b->size < size ? b->size : size);
    leave(b);
    return larger;
}

void __wrap_free(void *data) {
    block *b = data ? block_of(data) : NULL;
    if (b)
        leave(b);
    else
        free(data);
}

/* --- libraries' --- */

/* protobuf-c frees messages that the daemon has put together. */
static void *take_for_message(void *context, size_t size) {
    (void)context;
    return __wrap_malloc(size);
}

static void free_of_message(void *context, void *data) {
    (void)context;
    __wrap_free(data);
}

void __wrap_protobuf_c_message_free_unpacked(ProtobufCMessage *m, ProtobufCAllocator *allocator);
void __real_protobuf_c_message_free_unpacked(ProtobufCMessage *m, ProtobufCAllocator *allocator);
void __wrap_protobuf_c_message_free_unpacked(ProtobufCMessage *m, ProtobufCAllocator *allocator) {
    ProtobufCAllocator ours = {take_for_message, free_of_message, NULL};
    __real_protobuf_c_message_free_unpacked(m, allocator ? allocator : &ours);
}

static void *take_for_sqlite(int size) {
    return is_refused() ? NULL : memory.sqlite.xMalloc(size);
}

static void *resize_for_sqlite(void *data, int size) {
    return is_refused() ? NULL : memory.sqlite.xRealloc(data, size);
}

void simulated_memory_install(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* the pages of large blocks are used again */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 16 << 20);
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.sqlite);
    sqlite3_mem_methods ours = memory.sqlite;
    ours.xMalloc = take_for_sqlite;
    ours.xRealloc = resize_for_sqlite;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

/* --- what is left --- */

void simulated_memory_check(void) {
    extern const char __executable_start;
    const block *b = memory.list.next;
    if (b)
        sim_fail(
            "the daemon keeps %ld blocks, the newest of %zu bytes, taken near %#zx of test_sim",
            memory.count, b->size, (size_t)((const char *)b->caller - &__executable_start));
    if (sqlite3_memory_used() > 0)
        sim_fail("the daemon keeps %lld bytes of SQLite's", (long long)sqlite3_memory_used());
}
