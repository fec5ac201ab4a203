#include "learn/samcon/whole_file.h"

#include "math/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_CAPACITY = 4096 };

tr_status tr_whole_file_write(const char *path, const void *data, size_t size, tr_error *error) {
    char beside[PATH_CAPACITY];
    int length = snprintf(beside, sizeof beside, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof beside)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: the path is too long", path);
    FILE *file = fopen(beside, "wb");
    if (!file)
        return tr_fail(error, TR_UNAVAILABLE, "%s: %s", beside, strerror(errno));
    bool written =
        fwrite(data, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
    bool closed = fclose(file) == 0;
    if (written && closed && rename(beside, path) == 0)
        return TR_OK;
    tr_fail(error, TR_UNAVAILABLE, "%s: %s", path, strerror(errno));
    (void)remove(beside);
    return TR_UNAVAILABLE;
}

static tr_status read_sized(FILE *file, const char *path, size_t size, char **out,
                            tr_error *error) {
    char *data = malloc(size + 1);
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    rewind(file);
    if (fread(data, 1, size, file) != size) {
        free(data);
        return tr_fail(error, TR_DATA_LOSS, "%s: cannot be read", path);
    }
    data[size] = '\0';
    *out = data;
    return TR_OK;
}

tr_status tr_whole_file_read(const char *path, size_t size_min, size_t size_max, char **out,
                             size_t *out_size, tr_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return tr_fail(error, errno == ENOENT ? TR_NOT_FOUND : TR_UNAVAILABLE, "%s: %s", path,
                       strerror(errno));
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    tr_status status;
    if (size < 0 || (size_t)size < size_min || (size_t)size > size_max)
        status = tr_fail(error, TR_DATA_LOSS, "%s: %ld bytes: expected %zu to %zu", path, size,
                         size_min, size_max);
    else
        status = read_sized(file, path, (size_t)size, out, error);
    (void)fclose(file);
    if (!status)
        *out_size = (size_t)size;
    return status;
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

bool tr_block_take(tr_block_reader *in, void *out, size_t size) {
    if (in->left < size)
        return false;
    memcpy(out, in->at, size);
    in->at += size;
    in->left -= size;
    return true;
}
