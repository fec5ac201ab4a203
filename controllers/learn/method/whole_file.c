#include "learn/method/whole_file.h"

#include "learn/ranks/ranks.h"
#include "math/hash.h"
#include "proto/sink.h"
#include "proto/text_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct file_def {
    const char *path;
    const void *data;
    size_t size;
} file_def;

static tr_status write_whole(void *context, tr_error *error) {
    const file_def *def = context;
    return tr_sink_write(def->path, def->data, def->size, error);
}

tr_status tr_whole_file_write(const char *path, const void *data, size_t size, tr_error *error) {
    file_def def = {path, data, size};
    return tr_ranks_let_lead(write_whole, &def, error);
}

typedef struct reading {
    const char *path;
    size_t size_min, size_max, size;
    char *data;
} reading;

static tr_status read_whole(void *context, tr_error *error) {
    reading *r = context;
    tr_status status = tr_bytes_file_read(r->path, r->size_max, &r->data, &r->size, error);
    if (status || r->size >= r->size_min)
        return status;
    free(r->data);
    r->data = NULL;
    return tr_fail(error, TR_DATA_LOSS, "%s: %zu bytes: expected %zu to %zu", r->path, r->size,
                   r->size_min, r->size_max);
}

tr_status tr_whole_file_read(const char *path, size_t size_min, size_t size_max, char **out,
                             size_t *out_size, tr_error *error) {
    reading r = {.path = path, .size_min = size_min, .size_max = size_max};
    /* The leading rank reads; the others receive its size, then its bytes. */
    tr_status status = tr_ranks_let_lead(read_whole, &r, error);
    if (status)
        return status;
    tr_ranks_follow(&r.size, sizeof r.size);
    if (!r.data && !(r.data = malloc(r.size + 1)))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    tr_ranks_follow(r.data, r.size + 1);
    *out = r.data;
    *out_size = r.size;
    return TR_OK;
}

char *tr_block_put(char *at, const void *data, size_t size) {
    memcpy(at, data, size);
    return at + size;
}

char *tr_block_seal(const char *begin, char *at) {
    uint64_t hash = tr_hash_add(TR_HASH_START, begin, (size_t)(at - begin));
    return tr_block_put(at, &hash, sizeof hash);
}

bool tr_block_whole(const char *data, size_t size) {
    uint64_t hash;
    size_t body = size - sizeof hash;
    memcpy(&hash, data + body, sizeof hash);
    return hash == tr_hash_add(TR_HASH_START, data, body);
}
