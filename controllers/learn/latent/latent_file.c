#include "learn/latent/latent_file.h"

#include "learn/method/whole_file.h"

#include <stdlib.h>

/* "TRLATENT", and the version of the file's layout. */
static const uint64_t MAGIC = 0x544e4554414c5254ull, VERSION = 1;

enum { HEADER = 3 * sizeof(uint64_t) };

static void put_sections(tr_byte_writer *w, const tr_sections *sections) {
    const uint64_t header[] = {MAGIC, VERSION, (uint64_t)sections->count};
    tr_byte_put(w, header, sizeof header);
    for (int i = 0; i < sections->count; i++) {
        const tr_section *s = &sections->section[i];
        const uint64_t size = s->size;
        tr_byte_put(w, s->name, sizeof s->name);
        tr_byte_put(w, &size, sizeof size);
        tr_byte_put(w, s->bytes, s->size);
    }
}

tr_status tr_latent_file_write(const char *path, const tr_sections *sections, tr_error *error) {
    /* The first pass counts the bytes, the second one puts them. */
    tr_byte_writer w = {0};
    put_sections(&w, sections);
    size_t size = w.size;
    char *block = malloc(size + TR_SEAL_SIZE);
    if (!block)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    w = (tr_byte_writer){.at = (unsigned char *)block};
    put_sections(&w, sections);
    tr_block_seal(block, block + size);
    tr_status status = tr_whole_file_write(path, block, size + TR_SEAL_SIZE, error);
    free(block);
    return status;
}

/* Reads one section; refuses a `size` beyond the remaining bytes. */
static tr_status get_section(tr_byte_reader *source, tr_sections *out, tr_error *error) {
    char name[TR_NAME_MAX];
    uint64_t size = 0;
    tr_byte_reader_get(source, name, sizeof name);
    tr_byte_reader_get(source, &size, sizeof size);
    const unsigned char *bytes = tr_byte_reader_take(source, (size_t)size);
    if (!bytes || name[TR_NAME_MAX - 1])
        return tr_fail(error, TR_DATA_LOSS, "cut short");
    tr_section_writer w = tr_section_begin(out, name);
    tr_section_put_bytes(&w, bytes, (size_t)size);
    return tr_section_end(&w, error);
}

static tr_status get_sections(const char *block, size_t size, tr_sections *out, tr_error *error) {
    tr_byte_reader source = {(const unsigned char *)block, size, false};
    uint64_t header[3];
    tr_byte_reader_get(&source, header, sizeof header);
    if (header[0] != MAGIC || header[1] != VERSION || header[2] > TR_SECTION_MAX)
        return tr_fail(error, TR_DATA_LOSS, "no file of a latent space, or one of another version");
    tr_status status = TR_OK;
    for (uint64_t i = 0; !status && i < header[2]; i++)
        status = get_section(&source, out, error);
    return !status && source.left ? tr_fail(error, TR_DATA_LOSS, "too long") : status;
}

tr_status tr_latent_file_parse(const char *content, size_t size, const char *name, tr_sections *out,
                               tr_error *error) {
    tr_error inner = {0};
    tr_sections sections = {0};
    tr_status status = TR_OK;
    if (size < HEADER + TR_SEAL_SIZE || !tr_block_whole(content, size))
        status = tr_fail(&inner, TR_DATA_LOSS, "damaged: its seal does not match");
    else
        status = get_sections(content, size - TR_SEAL_SIZE, &sections, &inner);
    if (status) {
        tr_sections_deinit(&sections);
        return tr_fail(error, status, "%s: %s", name, inner.message);
    }
    *out = sections;
    return TR_OK;
}
