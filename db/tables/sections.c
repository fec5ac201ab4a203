#include "db/tables/sections.h"

#include "db/store/query.h"
#include "db/store/text.h"

#include <stdlib.h>
#include <string.h>

/* Payload of a row: the bytes of the section from position * CHUNK_BYTES on. */
enum { VERSION = 1, CHUNK_BYTES = 1 << 20 };

const tr_section_table tr_controller_sections = {
    .noun = "controller",
    .insert = "INSERT INTO controller_section (controller, name, position, content, replaceable) "
              "VALUES (?, ?, ?, pack(?), ?)",
    .select = "SELECT name, replaceable, unpack(content) FROM controller_section "
              "WHERE controller = ? ORDER BY name, position",
    .sealed = true};

const tr_section_table tr_run_inputs = {
    .noun = "run",
    .insert = "INSERT INTO run_input (run, role, position, content) VALUES (?, ?, ?, pack(?))",
    .select =
        "SELECT role, 0, unpack(content) FROM run_input WHERE run = ? ORDER BY role, position"};

/* --- put --- */

/* An empty section has one empty row. */
static tr_status put_section(tr_query *query, const tr_section_table *table, tr_row_id owner,
                             const tr_section *section) {
    tr_status status =
        tr_text_check_name("section", section->name, sizeof section->name, query->error);
    size_t at = 0;
    for (int position = 0; !status && (position == 0 || at < section->size); position++) {
        const size_t left = section->size - at, size = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        const unsigned char *bytes = section->bytes ? section->bytes + at : NULL;
        tr_blob blob = {0};
        tr_blob_writer writer = tr_blob_begin(TR_BLOB_SECTION, VERSION, size);
        tr_blob_put_bytes(&writer, bytes, size);
        status = tr_blob_seal(&writer, &blob, query->error);
        if (status)
            break;
        tr_query_bind_int(query, owner);
        tr_query_bind_text(query, section->name);
        tr_query_bind_int(query, position);
        if (table->sealed) {
            tr_query_bind_blob(query, blob.data, blob.size);
            tr_query_bind_int(query, section->replaceable);
        } else {
            tr_query_bind_blob(query, bytes, size);
        }
        tr_query_run(query);
        tr_blob_deinit(&blob);
        status = query->status;
        at += size;
    }
    return status;
}

tr_status tr_sections_put(tr_catalogue *catalogue, const tr_section_table *table, tr_row_id owner,
                          const tr_sections *sections, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, table->insert, error);
    tr_status status = query.status;
    for (int i = 0; !status && i < sections->count; i++)
        status = put_section(&query, table, owner, &sections->section[i]);
    tr_status ended = tr_query_end(&query);
    return status ? status : ended;
}

tr_status tr_sections_forget(tr_catalogue *catalogue, tr_row_id controller, tr_error *error) {
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

static void append(tr_query *query, const tr_section_table *table, const tr_sections *sections,
                   tr_section *section, tr_blob_view content) {
    tr_blob_reader reader = {.payload = {.at = content.data, .left = content.size}};
    if (table->sealed)
        reader = tr_blob_open(content, TR_BLOB_SECTION, VERSION, query->error);
    const size_t size = tr_blob_left(&reader);
    query->status = reader.status;
    if (size > TR_SECTION_SIZE_MAX - size_of_all(sections))
        query->status =
            tr_fail(query->error, TR_DATA_LOSS, "%s: its sections are too long", table->noun);
    if (query->status)
        return;
    unsigned char *grown = realloc(section->bytes, section->size + size + 1);
    if (!grown) {
        query->status = tr_fail(query->error, TR_RESOURCE_EXHAUSTED,
                                "%s: no memory for its sections", table->noun);
        return;
    }
    section->bytes = grown;
    tr_blob_get_bytes(&reader, grown + section->size, size);
    section->size += size;
    grown[section->size] = '\0';
}

tr_status tr_sections_get(tr_catalogue *catalogue, const tr_section_table *table, tr_row_id owner,
                          tr_sections *out, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, table->select, error);
    tr_query_bind_int(&query, owner);
    while (tr_query_next(&query)) {
        char name[TR_NAME_MAX];
        memset(name, 0, sizeof name);
        tr_query_text(&query, name, sizeof name);
        bool replaceable = tr_query_bool(&query);
        tr_blob_view content = tr_query_blob(&query);
        tr_section *section = query.status ? NULL : section_of(out, name, replaceable);
        if (section)
            append(&query, table, out, section, content);
        else
            tr_query_fail(&query, TR_DATA_LOSS, "too many sections");
    }
    return tr_query_end(&query);
}

/* --- digest --- */

static int compare_names(const void *a, const void *b) {
    return strcmp(((const tr_section *)a)->name, ((const tr_section *)b)->name);
}

void tr_sections_sort(tr_sections *sections) {
    qsort(sections->section, (size_t)sections->count, sizeof *sections->section, compare_names);
}

void tr_sections_digest(const tr_sections *sections, tr_digest_writer *writer) {
    for (int i = 0; i < sections->count; i++) {
        const tr_section *section = &sections->section[i];
        if (section->replaceable)
            continue;
        tr_digest_add_text(writer, section->name);
        tr_digest_add_blob(writer, section->bytes, section->size);
    }
}
