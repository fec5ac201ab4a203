#include "learn/gait/gait_checkpoint.h"

#include "learn/gait/gait_training_state.h"
#include "learn/samcon/checkpoint_header.h"

#include <stdlib.h>
#include <string.h>

/* Without an onset, with an onset of one row, of two. */
enum { VERSION = 1, VERSION_WITH_ONSET = 2, VERSION_WITH_TWO_ROWS = 3 };

/* Layout: header, progress, anchors, speeds, samples; with a search its distribution, number of
 * matrices and their sum; the seal. */
typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t sizes[3]; /* of progress, anchors, sample: these differ between builds */
    uint64_t model_hash, motion_hash, settings_hash;
    int32_t samples, search_size; /* search_size 0: no search */
    uint64_t size;                /* of the file */
} header;

static const tr_checkpoint_layout layout = {
    .what = "the checkpoint of a gait",
    .size = sizeof(header),
    .sizes = 3,
    .file_size = offsetof(header, size),
    .file_max = (size_t)1 << 28,
    .bonds = 3,
    .bond = {{offsetof(header, model_hash), "for another model or clip"},
             {offsetof(header, motion_hash), "for another model or clip"},
             {offsetof(header, settings_hash), "of a training with other settings"}}};

static uint32_t version_for(const tr_gait_onset *onset) {
    if (tr_gait_onset_is_split(onset))
        return VERSION_WITH_TWO_ROWS;
    return tr_gait_onset_acts(onset) ? VERSION_WITH_ONSET : VERSION;
}

/* Of the onset. */
static int rows_of(uint32_t version) {
    return (int)version - VERSION;
}

static header header_of(const tr_gait_training *t) {
    return (header){
        .magic = "trgait",
        .version = version_for(&t->onset),
        .sizes = {sizeof(tr_gait_progress), sizeof(tr_gait_anchors), sizeof(tr_gait_sample)},
        .model_hash = t->model->hash,
        .motion_hash = t->motion_hash,
        .settings_hash = tr_parameter_hash(&tr_gait_settings_table, &t->settings),
        .samples = t->samples.count,
        .search_size = t->progress.begun ? t->search.cma.size : 0};
}

static size_t matrix_size(int size) {
    return (size_t)size * (size_t)size * sizeof(double);
}

static size_t file_size(const header *h) {
    size_t size = sizeof *h + sizeof(tr_gait_progress) + 2 * sizeof(tr_gait_anchors);
    size += (size_t)h->samples * sizeof(tr_gait_sample) + TR_SEAL_SIZE;
    size += (size_t)rows_of(h->version) * TR_GAIT_SIZE * sizeof(double);
    if (h->search_size)
        size += tr_cma_bytes(h->search_size) + sizeof(int) + matrix_size(h->search_size);
    return size;
}

tr_status tr_gait_checkpoint_save(const tr_gait_training *t, const char *path, tr_error *error) {
    header h = header_of(t);
    h.size = file_size(&h);
    char *data = calloc(1, h.size), *at = data;
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    at = tr_block_put(at, &h, sizeof h);
    at = tr_block_put(at, &t->progress, sizeof t->progress);
    at = tr_block_put(at, &t->anchors, sizeof t->anchors);
    at = tr_block_put(at, &t->speeds, sizeof t->speeds);
    if (h.samples)
        at = tr_block_put(at, t->samples.sample, (size_t)h.samples * sizeof *t->samples.sample);
    for (int k = 0; k < rows_of(h.version); k++)
        at = tr_block_put(at, t->onset.shift[k], sizeof t->onset.shift[k]);
    if (h.search_size) {
        at = tr_cma_put(&t->search.cma, at);
        at = tr_block_put(at, &t->search.matrices, sizeof t->search.matrices);
        at = tr_block_put(at, t->search.matrix_sum, matrix_size(h.search_size));
    }
    return tr_checkpoint_write(data, at, path, error);
}

/* --- reading --- */

/* In place of those that the training has, of the checkpoint that it began with. */
static bool take_samples(tr_gait_training *t, tr_byte_reader *in, int count) {
    tr_gait_samples_deinit(&t->samples);
    for (int i = 0; i < count; i++) {
        tr_gait_sample sample;
        if (!tr_byte_reader_get(in, &sample, sizeof sample) ||
            tr_gait_samples_add(&t->samples, &sample))
            return false;
    }
    return true;
}

static bool take_search(tr_gait_training *t, tr_byte_reader *in, int size,
                        tr_gait_checkpoint_use use, tr_error *error) {
    const tr_gait_settings *s = &t->settings;
    bool hardens = tr_gait_training_hardens(t);
    if (size == 0 || use != TR_GAIT_RESUME)
        return true;
    return !tr_gait_training_search(t, size, hardens ? s->harden_samples : s->samples,
                                    hardens ? s->harden_best : s->best, s->sigma, error) &&
           tr_cma_take(&t->search.cma, in) &&
           tr_byte_reader_get(in, &t->search.matrices, sizeof t->search.matrices) &&
           tr_byte_reader_get(in, t->search.matrix_sum, matrix_size(size));
}

/* Those without an onset have the version from before there was one. */
static uint32_t version_of(const tr_gait_checkpoint *from) {
    header h = {.version = VERSION};
    if (from->size >= sizeof h)
        memcpy(&h, from->data, sizeof h);
    bool is_known = h.version > VERSION && h.version <= VERSION_WITH_TWO_ROWS;
    return is_known ? h.version : VERSION;
}

static bool take_onset(tr_gait_training *t, tr_byte_reader *in, uint32_t version) {
    tr_gait_onset onset = {0};
    for (int k = 0; k < rows_of(version); k++)
        if (!tr_byte_reader_get(in, onset.shift[k], sizeof onset.shift[k]))
            return false;
    if (rows_of(version) == 1)
        memcpy(onset.shift[1], onset.shift[0], sizeof onset.shift[1]);
    t->onset = onset;
    return true;
}

static bool sizes_fit(const header *h) {
    return h->samples >= 0 && h->samples <= TR_GAIT_SAMPLE_MAX && h->search_size >= 0 &&
           h->search_size <= TR_GAIT_PROBLEM_MAX && file_size(h) == h->size;
}

tr_status tr_gait_checkpoint_take(tr_gait_training *t, const tr_gait_checkpoint *from,
                                  tr_gait_checkpoint_use use, tr_error *error) {
    header h, expected = header_of(t);
    tr_byte_reader in;
    tr_checkpoint_layout bound = layout;
    bound.bonds = use == TR_GAIT_RESUME ? 3 : use == TR_GAIT_ADOPT ? 2 : 0; /* settings are last */
    expected.version = version_of(from);
    tr_status status =
        tr_checkpoint_open(&bound, &expected, from->name, from->data, from->size, &h, &in, error);
    if (status)
        return status;
    bool whole = sizes_fit(&h) && tr_byte_reader_get(&in, &t->progress, sizeof t->progress) &&
                 tr_byte_reader_get(&in, &t->anchors, sizeof t->anchors) &&
                 tr_byte_reader_get(&in, &t->speeds, sizeof t->speeds) &&
                 take_samples(t, &in, h.samples) && take_onset(t, &in, h.version) &&
                 take_search(t, &in, h.search_size, use, error);
    return whole ? TR_OK : tr_fail(error, TR_DATA_LOSS, "%s: its parts do not fit", from->name);
}

tr_status tr_gait_checkpoint_load(tr_gait_training *t, const char *path, tr_gait_checkpoint_use use,
                                  tr_error *error) {
    char *data = NULL;
    size_t size = 0;
    tr_status status =
        tr_whole_file_read(path, layout.size + TR_SEAL_SIZE, layout.file_max, &data, &size, error);
    const tr_gait_checkpoint from = {path, data, size};
    if (!status)
        status = tr_gait_checkpoint_take(t, &from, use, error);
    free(data);
    return status;
}
