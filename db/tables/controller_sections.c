#include "db/tables/controller_sections.h"

#include "db/store/query.h"
#include "db/store/text.h"

#include <stdlib.h>
#include <string.h>

/* Payload of a row: the bytes of the section from position * CHUNK_BYTES on. */
enum { VERSION = 1, CHUNK_BYTES = 1 << 20 };

/* --- put --- */

static tr_status put_chunk(tr_query *query, const unsigned char *bytes, size_t size) {
    tr_blob blob = {0};
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_SECTION, VERSION, size);
    tr_blob_put_bytes(&writer, bytes, size);
    tr_status status = tr_blob_seal(&writer, &blob, query->error);
    if (status)
        return status;
    tr_query_bind_blob(query, blob.data, blob.size);
    tr_query_run(query);
    tr_blob_deinit(&blob);
    return query->status;
}

/* An empty section has one empty row. */
static tr_status put_section(tr_query *query, tr_row_id controller, const tr_section *section) {
    tr_status status =
        tr_text_check_name("section", section->name, sizeof section->name, query->error);
    size_t at = 0;
    for (int position = 0; !status && (position == 0 || at < section->size); position++) {
        size_t left = section->size - at, size = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        tr_query_bind_int(query, controller);
        tr_query_bind_text(query, section->name);
        tr_query_bind_int(query, position);
        tr_query_bind_int(query, section->replaceable);
        status = put_chunk(query, section->bytes ? section->bytes + at : NULL, size);
        at += size;
    }
    return status;
}

tr_status tr_controller_sections_put(tr_catalogue *catalogue, tr_row_id controller,
                                     const tr_sections *sections, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO controller_section (controller, name, position, replaceable, content) "
        "VALUES (?, ?, ?, ?, pack(?))",
        error);
    tr_status status = query.status;
    for (int i = 0; !status && i < sections->count; i++)
        status = put_section(&query, controller, &sections->section[i]);
    tr_status ended = tr_query_end(&query);
    return status ? status : ended;
}

tr_status tr_controller_sections_forget(tr_catalogue *catalogue, tr_row_id controller,
                                        tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "DELETE FROM controller_section WHERE controller = ? AND replaceable = 1",
        error);
    tr_query_bind_int(&query, controller);
    return tr_query_end_run(&query);
}

/* --- get --- */

/* The section with that name: the last one, or a new one; NULL: too many. */
static tr_section *section_of(tr_sections *sections, const char *name, bool replaceable) {
    tr_section *last = sections->count ? &sections->section[sections->count - 1] : NULL;
    if (last && strcmp(last->name, name) == 0)
        return last;
    if (sections->count == TR_SECTION_MAX)
        return NULL;
    last = &sections->section[sections->count++];
    *last = (tr_section){.replaceable = replaceable};
    memcpy(last->name, name, sizeof last->name);
    return last;
}

static size_t size_of_all(const tr_sections *sections) {
    size_t size = 0;
    for (int i = 0; i < sections->count; i++)
        size += sections->section[i].size;
    return size;
}

static void append(tr_query *query, tr_sections *sections, tr_section *section,
                   tr_blob_view content) {
    tr_blob_reader reader = tr_blob_open(content, TR_BLOB_SECTION, VERSION, query->error);
    size_t size = tr_blob_left(&reader);
    if (reader.status)
        query->status = reader.status;
    else if (size > TR_SECTION_SIZE_MAX - size_of_all(sections))
        tr_query_fail(query, TR_DATA_LOSS, "controller: its sections are too long");
    if (query->status || size == 0)
        return;
    unsigned char *grown = realloc(section->bytes, section->size + size);
    if (!grown) {
        tr_query_fail(query, TR_RESOURCE_EXHAUSTED, "controller: no memory for its sections");
        return;
    }
    section->bytes = grown;
    tr_blob_get_bytes(&reader, grown + section->size, size);
    section->size += size;
    query->status = tr_blob_close(&reader);
}

tr_status tr_controller_sections_get(tr_catalogue *catalogue, tr_row_id controller,
                                     tr_sections *out, tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue,
                       "SELECT name, replaceable, unpack(content) FROM controller_section "
                       "WHERE controller = ? ORDER BY name, position",
                       error);
    tr_query_bind_int(&query, controller);
    while (tr_query_next(&query)) {
        char name[TR_NAME_MAX];
        memset(name, 0, sizeof name);
        tr_query_text(&query, name, sizeof name);
        bool replaceable = tr_query_bool(&query);
        tr_blob_view content = tr_query_blob(&query);
        tr_section *section = query.status ? NULL : section_of(out, name, replaceable);
        if (section)
            append(&query, out, section, content);
        else
            tr_query_fail(&query, TR_DATA_LOSS, "controller: too many sections");
    }
    return tr_query_end(&query);
}

/* --- digest --- */

static int compare_names(const void *a, const void *b) {
    return strcmp(((const tr_section *)a)->name, ((const tr_section *)b)->name);
}

void tr_controller_sections_digest(tr_sections *sections, tr_digest_writer *writer) {
    qsort(sections->section, (size_t)sections->count, sizeof *sections->section, compare_names);
    for (int i = 0; i < sections->count; i++) {
        const tr_section *section = &sections->section[i];
        if (section->replaceable)
            continue;
        tr_digest_add_text(writer, section->name);
        tr_digest_add_blob(writer, section->bytes, section->size);
    }
}
