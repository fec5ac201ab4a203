#include "learn/gait/gait_start.h"

#include "learn/gait/gait_training.h"
#include "learn/method/whole_file.h"
#include "learn/method/work_file.h"

#include <stdlib.h>
#include <string.h>

/* Files of earlier builds, the later ones with rows for the onset of a force. */
enum { FIRST_VERSION = 1, LAST_VERSION = 3 };

/* Their layout: header, progress, anchors, speeds, samples, what is left behind, the seal. */
typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t sizes[3]; /* of progress, anchors, sample: these differ between builds */
    uint64_t model_hash, motion_hash, settings_hash;
    int32_t samples, search_size; /* search_size 0: no search */
    uint64_t size;                /* of the file */
} header;

static const size_t FILE_BYTES_MAX = (size_t)1 << 28;

/* Replaces the samples of the training by those of the file. */
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

/* Takes a file of an earlier build; onset and search at its end are left behind. */
static tr_status take_older(tr_gait_training *t, const char *content, size_t size, const char *name,
                            tr_error *error) {
    const header expected = {
        .magic = "trgait",
        .sizes = {sizeof(tr_gait_progress), sizeof(tr_gait_anchors), sizeof(tr_gait_sample)}};
    header h = {.version = 0};
    if (size >= sizeof h)
        memcpy(&h, content, sizeof h);
    if (memcmp(h.magic, expected.magic, sizeof h.magic) != 0 || h.size != size)
        return tr_fail(error, TR_DATA_LOSS, "%s: not the checkpoint of a gait, or cut short", name);
    if (!tr_block_whole(content, size))
        return tr_fail(error, TR_DATA_LOSS, "%s: damaged: its checksum is wrong", name);
    if (h.version < FIRST_VERSION || h.version > LAST_VERSION ||
        memcmp(h.sizes, expected.sizes, sizeof h.sizes) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: written by another build", name);
    tr_byte_reader in = {.at = (const uint8_t *)content + sizeof h,
                         .left = size - sizeof h - TR_SEAL_SIZE};
    bool whole = h.samples >= 0 && h.samples <= TR_GAIT_SAMPLE_MAX &&
                 tr_byte_reader_get(&in, &t->progress, sizeof t->progress) &&
                 tr_byte_reader_get(&in, &t->anchors, sizeof t->anchors) &&
                 tr_byte_reader_get(&in, &t->speeds, sizeof t->speeds) &&
                 take_samples(t, &in, h.samples);
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
    tr_status status = tr_whole_file_read(path, 1, FILE_BYTES_MAX, &content, &size, error);
    if (!status)
        status = tr_gait_start_take(training, content, size, path, error);
    free(content);
    return status;
}
