#include "control/fields/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void tr_sections_deinit(tr_sections *sections) {
    for (int i = 0; i < sections->count; i++)
        free(sections->section[i].bytes);
    *sections = (tr_sections){0};
}

const tr_section *tr_sections_find(const tr_sections *sections, const char *name) {
    for (int i = 0; i < sections->count; i++)
        if (strcmp(sections->section[i].name, name) == 0)
            return &sections->section[i];
    return NULL;
}

/* --- writing --- */

tr_section_writer tr_section_begin(tr_sections *sections, const char *name) {
    tr_section_writer writer = {.sections = sections};
    int length = snprintf(writer.section.name, sizeof writer.section.name, "%s", name);
    if (length < 1 || length >= TR_NAME_MAX || tr_sections_find(sections, name))
        writer.status = TR_INVALID_ARGUMENT;
    else if (sections->count == TR_SECTION_MAX)
        writer.status = TR_RESOURCE_EXHAUSTED;
    return writer;
}

/* Returns room for `size` more bytes; NULL: none. */
static unsigned char *make_room(tr_section_writer *writer, size_t size) {
    tr_section *section = &writer->section;
    if (!writer->status && size > TR_SECTION_SIZE_MAX - section->size)
        writer->status = TR_RESOURCE_EXHAUSTED;
    if (writer->status)
        return NULL;
    if (section->size + size > writer->capacity) {
        /* Twice what is needed, so that many small pieces are copied seldom. */
        size_t capacity = 2 * (section->size + size);
        unsigned char *grown = realloc(section->bytes, capacity);
        if (!grown) {
            writer->status = TR_RESOURCE_EXHAUSTED;
            return NULL;
        }
        section->bytes = grown;
        writer->capacity = capacity;
    }
    section->size += size;
    return section->bytes + section->size - size;
}

void tr_section_put_bytes(tr_section_writer *writer, const void *data, size_t size) {
    unsigned char *at = size ? make_room(writer, size) : NULL;
    if (at)
        memcpy(at, data, size);
}

void tr_section_put_int(tr_section_writer *writer, int64_t value) {
    tr_section_put_bytes(writer, &value, sizeof value);
}

void tr_section_put_doubles(tr_section_writer *writer, const double *values, size_t count) {
    /* What is saved must be loaded again, so numbers are finite. */
    for (size_t i = 0; i < count && !writer->status; i++)
        if (!isfinite(values[i]))
            writer->status = TR_INVALID_ARGUMENT;
    tr_section_put_bytes(writer, values, count * sizeof *values);
}

void tr_section_put_text(tr_section_writer *writer, const char *text) {
    size_t length = strlen(text);
    tr_section_put_int(writer, (int64_t)length);
    tr_section_put_bytes(writer, text, length);
}

tr_status tr_section_end(tr_section_writer *writer, tr_error *error) {
    if (writer->status) {
        free(writer->section.bytes);
        return tr_fail(error, writer->status, "section '%s': %s", writer->section.name,
                       tr_status_text(writer->status));
    }
    writer->sections->section[writer->sections->count++] = writer->section;
    return TR_OK;
}

/* --- reading --- */

tr_section_reader tr_section_open(const tr_sections *sections, const char *name) {
    const tr_section *section = tr_sections_find(sections, name);
    tr_section_reader reader = {.name = name, .missing = !section};
    if (section)
        reader.source = (tr_byte_reader){section->bytes, section->size, false};
    reader.source.failed = reader.missing;
    return reader;
}

int64_t tr_section_get_int(tr_section_reader *reader, int64_t low, int64_t high) {
    int64_t value;
    tr_byte_reader_get(&reader->source, &value, sizeof value);
    if (!reader->source.failed && value >= low && value <= high)
        return value;
    reader->source.failed = true;
    return 0;
}

bool tr_section_get_bool(tr_section_reader *reader) {
    return tr_section_get_int(reader, 0, 1) != 0;
}

void tr_section_get_doubles(tr_section_reader *reader, double *out, size_t count) {
    if (count > reader->source.left / sizeof *out)
        reader->source.failed = true;
    tr_byte_reader_get(&reader->source, out, count * sizeof *out);
    /* Arithmetic with NaN would spread: strangers may have written one. */
    for (size_t i = 0; i < count && !reader->source.failed; i++)
        if (!isfinite(out[i]))
            reader->source.failed = true;
}

double tr_section_get_double(tr_section_reader *reader) {
    double value;
    tr_section_get_doubles(reader, &value, 1);
    return reader->source.failed ? 0 : value;
}

void tr_section_get_text(tr_section_reader *reader, char *out, size_t capacity) {
    size_t length = (size_t)tr_section_get_int(reader, 0, (int64_t)capacity - 1);
    memset(out, 0, capacity);
    tr_byte_reader_get(&reader->source, out, length);
    /* A text with a zero inside is not one that was put. */
    if (strlen(out) != length)
        reader->source.failed = true;
}

tr_status tr_section_close(tr_section_reader *reader, tr_error *error) {
    const tr_byte_reader *source = &reader->source;
    if (reader->missing)
        return tr_fail(error, TR_DATA_LOSS, "section '%s': missing", reader->name);
    if (source->failed)
        return tr_fail(error, TR_DATA_LOSS, "section '%s': cut short, or a value out of its bounds",
                       reader->name);
    if (source->left)
        return tr_fail(error, TR_DATA_LOSS, "section '%s': %zu bytes too many", reader->name,
                       source->left);
    return TR_OK;
}
