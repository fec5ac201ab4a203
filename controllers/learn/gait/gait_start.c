#include "learn/gait/gait_start.h"

#include "learn/gait/gait_training_state.h"
#include "learn/method/work_file.h"
#include "learn/samcon/checkpoint_header.h"

#include <stdlib.h>
#include <string.h>

/* Without an onset, with an onset of one row, of two. */
enum { VERSION = 1, VERSION_WITH_ONSET = 2, VERSION_WITH_TWO_ROWS = 3 };

/* Layout of the older files: header, progress, anchors, speeds, samples; with a search its distribution, number of
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
};

/* Of the onset. */
static int rows_of(uint32_t version) {
    return (int)version - VERSION;
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

/* Those without an onset have the version from before there was one. */
static uint32_t version_of(const char *content, size_t size) {
    header h = {.version = VERSION};
    if (size >= sizeof h)
        memcpy(&h, content, sizeof h);
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

static tr_status take_older(tr_gait_training *t, const char *content, size_t size, const char *name,
                            tr_error *error) {
    const header expected = {
        .magic = "trgait",
        .version = version_of(content, size),
        .sizes = {sizeof(tr_gait_progress), sizeof(tr_gait_anchors), sizeof(tr_gait_sample)}};
    header h;
    tr_byte_reader in;
    tr_status status = tr_checkpoint_open(&layout, &expected, name, content, size, &h, &in, error);
    if (status)
        return status;
    bool whole = sizes_fit(&h) && tr_byte_reader_get(&in, &t->progress, sizeof t->progress) &&
                 tr_byte_reader_get(&in, &t->anchors, sizeof t->anchors) &&
                 tr_byte_reader_get(&in, &t->speeds, sizeof t->speeds) &&
                 take_samples(t, &in, h.samples) && take_onset(t, &in, h.version);
    return whole ? TR_OK : tr_fail(error, TR_DATA_LOSS, "%s: its parts do not fit", name);
}

static void list(void *training, tr_blocks *blocks) {
    tr_gait_training_list(training, blocks);
}

tr_status tr_gait_start_take(tr_gait_training *training, const char *content, size_t size,
                             const char *name, tr_error *error) {
    return tr_work_file_is(content, size)
               ? tr_work_file_take(list, training, content, size, name, error)
               : take_older(training, content, size, name, error);
}

tr_status tr_gait_start_load(tr_gait_training *training, const char *path, tr_error *error) {
    char *content = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, 1, layout.file_max, &content, &size, error);
    if (!status)
        status = tr_gait_start_take(training, content, size, path, error);
    free(content);
    return status;
}
