#include "learn/samcon/checkpoint_header.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC_SIZE = 8 };

tr_status tr_checkpoint_open(const tr_checkpoint_layout *layout, const void *expected,
                             const char *name, const char *data, size_t size, void *out_header,
                             tr_byte_reader *out_rest, tr_error *error) {
    const char *ours = expected;
    const size_t build = (1 + (size_t)layout->sizes) * sizeof(uint32_t);
    uint64_t file_size = 0;
    bool fits = size >= layout->size + TR_SEAL_SIZE && memcmp(data, ours, MAGIC_SIZE) == 0;
    if (fits)
        memcpy(&file_size, data + layout->file_size, sizeof file_size);
    if (!fits || file_size != size)
        return tr_fail(error, TR_DATA_LOSS, "%s: not %s, or cut short", name, layout->what);
    if (!tr_block_whole(data, size))
        return tr_fail(error, TR_DATA_LOSS, "%s: damaged: its checksum is wrong", name);
    if (memcmp(data + MAGIC_SIZE, ours + MAGIC_SIZE, build) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: written by another build", name);
    for (const tr_checkpoint_bond *b = layout->bond; b < layout->bond + layout->bonds; b++)
        if (memcmp(data + b->offset, ours + b->offset, sizeof(uint64_t)) != 0)
            return tr_fail(error, TR_FAILED_PRECONDITION, "%s: %s", name, b->otherwise);
    memcpy(out_header, data, layout->size);
    *out_rest = (tr_byte_reader){.at = (const uint8_t *)data + layout->size,
                                 .left = size - layout->size - TR_SEAL_SIZE};
    return TR_OK;
}

tr_status tr_checkpoint_read(const tr_checkpoint_layout *layout, const void *expected,
                             const char *path, char **out_data, void *out_header,
                             tr_byte_reader *out_rest, tr_error *error) {
    char *data = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, layout->size + TR_SEAL_SIZE, layout->file_max,
                                          &data, &size, error);
    if (!status)
        status =
            tr_checkpoint_open(layout, expected, path, data, size, out_header, out_rest, error);
    if (status) {
        free(data);
        return status;
    }
    *out_data = data;
    return TR_OK;
}

tr_status tr_checkpoint_write(char *take_data, char *end, const char *path, tr_error *error) {
    size_t size = (size_t)(tr_block_seal(take_data, end) - take_data);
    tr_status status = tr_whole_file_write(path, take_data, size, error);
    free(take_data);
    return status;
}
