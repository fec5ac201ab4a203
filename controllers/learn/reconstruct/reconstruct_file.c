/* Checkpoints of a reconstruction. */
#include "learn/reconstruct/reconstruct_state.h"
#include "learn/samcon/checkpoint_header.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 2 };

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

static const char other[] = "for another model or motion, or with other parameters";

static const tr_checkpoint_layout layout = {.what = "a checkpoint",
                                            .size = sizeof(header),
                                            .sizes = 5,
                                            .file_size = offsetof(header, size),
                                            .file_max = (size_t)1 << 30,
                                            .bonds = 3,
                                            .bond = {{offsetof(header, model_hash), other},
                                                     {offsetof(header, motion_hash), other},
                                                     {offsetof(header, parameters_hash), other}}};

static header header_of(const tr_reconstruction *r) {
    return (header){.magic = "trrecon",
                    .version = VERSION,
                    .sizes = {sizeof(tr_reconstruct_progress), sizeof(tr_track_stage),
                              (uint32_t)tr_cma_bytes(r->track->sample_size), sizeof(tr_path_step),
                              sizeof(tr_elite)},
                    .model_hash = r->model->hash,
                    .motion_hash = r->motion_hash,
                    .parameters_hash = tr_reconstruct_parameters_hash(&r->parameters)};
}

/* The search needs the levels before its window to continue; later phases need none. */
static int kept_levels(const tr_reconstruct_progress *p) {
    return p->phase == TR_RECONSTRUCT_SEARCH ? p->start : 0;
}

/* --- writing --- */

static size_t file_size(const tr_reconstruction *r) {
    size_t count = (size_t)r->track->count;
    size_t size = sizeof(header) + sizeof r->progress + TR_SEAL_SIZE;
    size += count * (sizeof(tr_track_stage) + tr_cma_bytes(r->track->sample_size) +
                     sizeof(tr_window_stage) + 2 * sizeof(tr_path_step));
    for (int k = 0; k < kept_levels(&r->progress); k++)
        size += sizeof(int) + (size_t)r->levels[k].count * sizeof(tr_elite);
    return size;
}

/* Returns where the seal goes. */
static char *fill(const tr_reconstruction *r, char *data, size_t size) {
    size_t count = (size_t)r->track->count;
    header h = header_of(r);
    h.size = size;
    char *at = tr_block_put(data, &h, sizeof h);
    at = tr_block_put(at, &r->progress, sizeof r->progress);
    at = tr_block_put(at, r->track->stage, count * sizeof *r->track->stage);
    for (size_t k = 0; k < count; k++)
        at = tr_cma_put(&r->cma[k], at);
    at = tr_block_put(at, r->window, count * sizeof *r->window);
    at = tr_block_put(at, r->path, count * sizeof *r->path);
    at = tr_block_put(at, r->mean, count * sizeof *r->mean);
    for (int k = 0; k < kept_levels(&r->progress); k++) {
        const tr_elite_level *level = &r->levels[k];
        at = tr_block_put(at, &level->count, sizeof level->count);
        at = tr_block_put(at, level->elite, (size_t)level->count * sizeof *level->elite);
    }
    return at;
}

tr_status tr_reconstruct_save(const tr_reconstruction *r, const char *path, tr_error *error) {
    size_t size = file_size(r);
    char *data = malloc(size);
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    return tr_checkpoint_write(data, fill(r, data, size), path, error);
}

/* --- reading --- */

/* Levels before the window, into `r`, which is still at its beginning. */
static bool take_levels(tr_reconstruction *r, tr_byte_reader *in, int levels) {
    for (int k = 0; k < levels; k++) {
        tr_elite_level *level = &r->levels[k];
        int count;
        if (!tr_byte_reader_get(in, &count, sizeof count) || count < 1 || count > r->elites ||
            !tr_byte_reader_get(in, level->elite, (size_t)count * sizeof *level->elite))
            return false;
        level->count = count;
    }
    return true;
}

static bool take_distributions(tr_reconstruction *r, tr_byte_reader *in) {
    for (int k = 0; k < r->track->count; k++)
        if (!tr_cma_take(&r->cma[k], in))
            return false;
    return true;
}

/* The header's hash has confirmed all sizes, so the file holds what was written. */
static bool take_all(tr_reconstruction *r, tr_byte_reader *in) {
    size_t count = (size_t)r->track->count;
    tr_reconstruct_progress progress;
    size_t arrays = count * (sizeof(tr_track_stage) + tr_cma_bytes(r->track->sample_size) +
                             sizeof(tr_window_stage) + 2 * sizeof(tr_path_step));
    if (!tr_byte_reader_get(in, &progress, sizeof progress) || progress.start < 0 ||
        progress.start > r->track->count || in->left < arrays)
        return false;
    tr_byte_reader levels = {.at = in->at + arrays, .left = in->left - arrays};
    if (!take_levels(r, &levels, kept_levels(&progress)) || levels.left != 0)
        return false;
    r->progress = progress;
    return tr_byte_reader_get(in, r->track->stage, count * sizeof *r->track->stage) &&
           take_distributions(r, in) &&
           tr_byte_reader_get(in, r->window, count * sizeof *r->window) &&
           tr_byte_reader_get(in, r->path, count * sizeof *r->path) &&
           tr_byte_reader_get(in, r->mean, count * sizeof *r->mean);
}

tr_status tr_reconstruct_load(tr_reconstruction *r, const char *path, tr_error *error) {
    const header expected = header_of(r);
    header found;
    char *data = NULL;
    tr_byte_reader in;
    tr_status status = tr_checkpoint_read(&layout, &expected, path, &data, &found, &in, error);
    if (!status && !take_all(r, &in))
        status = tr_fail(error, TR_DATA_LOSS, "%s: does not fit the motion", path);
    free(data);
    return status;
}
