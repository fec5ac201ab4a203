/* Checkpoints of a reconstruction. */
#include "learn/reconstruct_state.h"
#include "math/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, FILE_MAX = 1 << 30, PATH_CAPACITY = 4096 };

/* Layout: header, progress, then for each fragment its track_stage, distribution, window stage,
 * path step, mean step; for each fragment before the window the number of its elites and the
 * elites; at the end the FNV-1a hash of all before it. */
typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t sizes[5]; /* of the structs: another build differs here */
    uint64_t model_hash, motion_hash, parameters_hash;
    uint64_t size; /* of the file */
} header;

static header header_of(const tr_reconstruction *r) {
    return (header){.magic = "trrecon",
                    .version = VERSION,
                    .sizes = {sizeof(tr_reconstruct_progress), sizeof(tr_track_stage),
                              sizeof(tr_cma), sizeof(tr_path_step), sizeof(tr_elite)},
                    .model_hash = r->model->hash,
                    .motion_hash = r->motion_hash,
                    .parameters_hash = tr_reconstruct_parameters_hash(&r->parameters)};
}

/* The search goes on from the levels before its window; later phases need none. */
static int kept_levels(const tr_reconstruct_progress *p) {
    return p->phase == TR_RECONSTRUCT_SEARCH ? p->start : 0;
}

/* --- writing --- */

static char *put(char *at, const void *data, size_t size) {
    memcpy(at, data, size);
    return at + size;
}

static size_t file_size(const tr_reconstruction *r) {
    size_t count = (size_t)r->track->count;
    size_t size = sizeof(header) + sizeof r->progress + sizeof(uint64_t);
    size += count * (sizeof(tr_track_stage) + sizeof(tr_cma) + sizeof(tr_window_stage) +
                     2 * sizeof(tr_path_step));
    for (int k = 0; k < kept_levels(&r->progress); k++)
        size += sizeof(int) + (size_t)r->levels[k].count * sizeof(tr_elite);
    return size;
}

static void fill(const tr_reconstruction *r, char *data, size_t size) {
    size_t count = (size_t)r->track->count;
    header h = header_of(r);
    h.size = size;
    char *at = put(data, &h, sizeof h);
    at = put(at, &r->progress, sizeof r->progress);
    at = put(at, r->track->stage, count * sizeof *r->track->stage);
    at = put(at, r->cma, count * sizeof *r->cma);
    at = put(at, r->window, count * sizeof *r->window);
    at = put(at, r->path, count * sizeof *r->path);
    at = put(at, r->mean, count * sizeof *r->mean);
    for (int k = 0; k < kept_levels(&r->progress); k++) {
        const tr_elite_level *level = &r->levels[k];
        at = put(at, &level->count, sizeof level->count);
        at = put(at, level->elite, (size_t)level->count * sizeof *level->elite);
    }
    uint64_t hash = tr_hash_add(TR_HASH_START, data, (size_t)(at - data));
    put(at, &hash, sizeof hash);
}

/* Beside its place and renamed: a crash leaves the old file or the new one. */
static tr_status write_whole(const char *path, const char *data, size_t size, tr_error *error) {
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

tr_status tr_reconstruct_save(const tr_reconstruction *r, const char *path, tr_error *error) {
    size_t size = file_size(r);
    char *data = malloc(size);
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    fill(r, data, size);
    tr_status status = write_whole(path, data, size, error);
    free(data);
    return status;
}

/* --- reading --- */

typedef struct reader {
    const char *at;
    size_t left;
} reader;

static bool take(reader *in, void *out, size_t size) {
    if (in->left < size)
        return false;
    memcpy(out, in->at, size);
    in->at += size;
    in->left -= size;
    return true;
}

static tr_status read_whole(const char *path, char **out, size_t *out_size, tr_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        tr_fail(error, TR_NOT_FOUND, "%s: %s", path, strerror(errno));
        return TR_NOT_FOUND;
    }
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    bool plausible = size >= (long)(sizeof(header) + sizeof(uint64_t)) && size <= FILE_MAX;
    char *data = plausible ? malloc((size_t)size) : NULL;
    rewind(file);
    bool whole = data && fread(data, 1, (size_t)size, file) == (size_t)size;
    (void)fclose(file);
    if (!whole) {
        free(data);
        tr_fail(error, TR_DATA_LOSS, "%s: not a checkpoint: %ld bytes", path, size);
        return TR_DATA_LOSS;
    }
    *out = data;
    *out_size = (size_t)size;
    return TR_OK;
}

static tr_status check_header(const tr_reconstruction *r, const char *data, size_t size,
                              const char *path, tr_error *error) {
    header expected = header_of(r), found;
    uint64_t hash, body = size - sizeof hash;
    memcpy(&found, data, sizeof found);
    memcpy(&hash, data + body, sizeof hash);
    if (memcmp(found.magic, expected.magic, sizeof found.magic) != 0 || found.size != size)
        return tr_fail(error, TR_DATA_LOSS, "%s: not a checkpoint, or cut short", path);
    if (hash != tr_hash_add(TR_HASH_START, data, body))
        return tr_fail(error, TR_DATA_LOSS, "%s: damaged: its checksum is wrong", path);
    if (found.version != expected.version ||
        memcmp(found.sizes, expected.sizes, sizeof found.sizes) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: written by another build", path);
    if (found.model_hash != expected.model_hash || found.motion_hash != expected.motion_hash ||
        found.parameters_hash != expected.parameters_hash)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "%s: for another model or motion, or with other parameters", path);
    return TR_OK;
}

/* Levels before the window, into `r`, which is still at its beginning. */
static bool take_levels(tr_reconstruction *r, reader *in, int levels) {
    for (int k = 0; k < levels; k++) {
        tr_elite_level *level = &r->levels[k];
        int count;
        if (!take(in, &count, sizeof count) || count < 1 || count > r->elites ||
            !take(in, level->elite, (size_t)count * sizeof *level->elite))
            return false;
        level->count = count;
    }
    return true;
}

/* Sizes were checked by the header's hash; what is read here can only be what was written. */
static bool take_all(tr_reconstruction *r, reader *in) {
    size_t count = (size_t)r->track->count;
    tr_reconstruct_progress progress;
    size_t arrays = count * (sizeof(tr_track_stage) + sizeof(tr_cma) + sizeof(tr_window_stage) +
                             2 * sizeof(tr_path_step));
    if (!take(in, &progress, sizeof progress) || progress.start < 0 ||
        progress.start > r->track->count || in->left < arrays)
        return false;
    reader levels = {in->at + arrays, in->left - arrays};
    if (!take_levels(r, &levels, kept_levels(&progress)) || levels.left != 0)
        return false;
    r->progress = progress;
    return take(in, r->track->stage, count * sizeof *r->track->stage) &&
           take(in, r->cma, count * sizeof *r->cma) &&
           take(in, r->window, count * sizeof *r->window) &&
           take(in, r->path, count * sizeof *r->path) && take(in, r->mean, count * sizeof *r->mean);
}

tr_status tr_reconstruct_load(tr_reconstruction *r, const char *path, tr_error *error) {
    char *data = NULL;
    size_t size = 0;
    tr_status status = read_whole(path, &data, &size, error);
    if (status == TR_OK)
        status = check_header(r, data, size, path, error);
    if (status == TR_OK) {
        reader in = {data + sizeof(header), size - sizeof(header) - sizeof(uint64_t)};
        if (!take_all(r, &in))
            status = tr_fail(error, TR_DATA_LOSS, "%s: does not fit the motion", path);
    }
    free(data);
    return status;
}
