#include "db/tables/clips.h"

#include "db/store/rows.h"
#include "db/store/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CLIP_SELECT                                                                                \
    "SELECT id, name, digest, source, licence, file_digest, skeleton, frame_count, frames_per_s, " \
    "first_frame, last_frame, cyclic FROM clip "

tr_status tr_clips_digest_file(const char *path, tr_digest *out, tr_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return tr_fail(error, TR_NOT_FOUND, "%s: %s", path, strerror(errno));
    tr_digest_writer writer = tr_digest_begin(NULL);
    char bytes[1 << 14];
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        tr_digest_add_bytes(&writer, bytes, size);
    bool broken = ferror(file) != 0;
    fclose(file);
    tr_digest digest;
    if (tr_digest_end(&writer, &digest))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory for its digest", path);
    if (broken)
        return tr_fail(error, TR_NOT_FOUND, "%s: cannot be read", path);
    *out = digest;
    return TR_OK;
}

static tr_status check_clip(const tr_clip_row *clip, tr_error *error) {
    tr_status status = tr_text_check_name("clip name", clip->name, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check("clip source", clip->source, TR_SHORT_TEXT_MAX, error);
    if (!status)
        status = tr_text_check("clip licence", clip->licence, TR_SHORT_TEXT_MAX, error);
    if (!status)
        status = tr_text_check("clip skeleton", clip->skeleton, TR_NAME_MAX, error);
    if (status)
        return status;
    if (clip->frame_count < 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "clip '%s': frame_count: expected at least 1",
                       clip->name);
    if (!(isfinite(clip->frames_per_s) && clip->frames_per_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "clip '%s': frames_per_s: expected more than 0",
                       clip->name);
    if (clip->first_frame < 0 || clip->last_frame < clip->first_frame ||
        clip->last_frame >= clip->frame_count)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "clip '%s': first_frame, last_frame: expected 0 <= first <= last < %d",
                       clip->name, clip->frame_count);
    return TR_OK;
}

static tr_status digest_clip(const tr_clip_row *clip, tr_digest *out) {
    tr_digest_writer writer = tr_digest_begin("clip 1");
    tr_digest_add_text(&writer, clip->source);
    tr_digest_add_text(&writer, clip->licence);
    tr_digest_add_digest(&writer, &clip->file_digest);
    tr_digest_add_text(&writer, clip->skeleton);
    tr_digest_add_int(&writer, clip->frame_count);
    tr_digest_add_double(&writer, clip->frames_per_s);
    tr_digest_add_int(&writer, clip->first_frame);
    tr_digest_add_int(&writer, clip->last_frame);
    tr_digest_add_int(&writer, clip->cyclic);
    return tr_digest_end(&writer, out);
}

/* --- put --- */

static tr_status insert_clip(tr_catalogue *catalogue, const tr_clip_row *clip,
                             const tr_digest *digest, tr_row_id *out_id, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO clip (name, digest, source, licence, file_digest, skeleton, frame_count, "
        "frames_per_s, first_frame, last_frame, cyclic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    tr_query_bind_text(&query, clip->name);
    tr_query_bind_digest(&query, digest);
    tr_query_bind_text(&query, clip->source);
    tr_query_bind_text(&query, clip->licence);
    tr_query_bind_digest(&query, &clip->file_digest);
    tr_query_bind_text(&query, clip->skeleton);
    tr_query_bind_int(&query, clip->frame_count);
    tr_query_bind_double(&query, clip->frames_per_s);
    tr_query_bind_int(&query, clip->first_frame);
    tr_query_bind_int(&query, clip->last_frame);
    tr_query_bind_int(&query, clip->cyclic);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

tr_status tr_clips_put(tr_catalogue *catalogue, const tr_clip_row *clip, tr_row_id *out_id,
                       tr_error *error) {
    tr_digest digest;
    tr_status status = check_clip(clip, error);
    if (status)
        return status;
    status = digest_clip(clip, &digest);
    if (status)
        return tr_fail(error, status, "clip '%s': no memory for its digest", clip->name);
    bool outermost = false;
    status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    tr_row_id id = 0;
    status = tr_rows_claim(catalogue, &(tr_row_key){TR_NOUN_CLIP, clip->name, &digest}, &id, error);
    if (!status && !id)
        status = insert_clip(catalogue, clip, &digest, &id, error);
    status = tr_database_leave(catalogue, outermost, status, error);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get, list --- */

static void read_clip(tr_query *query, tr_clip_row *out) {
    out->id = tr_query_id(query);
    tr_query_text(query, out->name, sizeof out->name);
    out->digest = tr_query_digest(query);
    tr_query_text(query, out->source, sizeof out->source);
    tr_query_text(query, out->licence, sizeof out->licence);
    out->file_digest = tr_query_digest(query);
    tr_query_text(query, out->skeleton, sizeof out->skeleton);
    out->frame_count = tr_query_int(query, 1, INT_MAX);
    out->frames_per_s = tr_query_double(query);
    out->first_frame = tr_query_int(query, 0, INT_MAX);
    out->last_frame = tr_query_int(query, 0, INT_MAX);
    out->cyclic = tr_query_bool(query);
}

tr_status tr_clips_get(tr_catalogue *catalogue, tr_row_id id, tr_clip_row *out, tr_error *error) {
    tr_clip_row row = {0};
    tr_query query = tr_query_begin(catalogue, CLIP_SELECT "WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    if (found)
        read_clip(&query, &row);
    tr_status status = tr_rows_end(&query, TR_NOUN_CLIP, id, found);
    if (!status)
        *out = row;
    return status;
}

tr_status tr_clips_find(tr_catalogue *catalogue, const char *name, tr_clip_row *out,
                        tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_find(catalogue, TR_NOUN_CLIP, name, &id, error);
    return status ? status : tr_clips_get(catalogue, id, out, error);
}

tr_status tr_clips_list(tr_catalogue *catalogue, const tr_clip_filter *filter,
                        tr_clip_row *out_rows, int *count, tr_error *error) {
    tr_clip_filter all = {0};
    if (!filter)
        filter = &all;
    tr_status status = tr_rows_check_room(*count, TR_LIST_MAX, error);
    if (status)
        return status;
    tr_query query =
        tr_query_begin(catalogue,
                       CLIP_SELECT "WHERE (?1 IS NULL OR name > ?1) "
                                   "AND (?2 IS NULL OR substr(name, 1, length(?2)) = ?2) "
                                   "AND (?3 IS NULL OR skeleton = ?3) "
                                   "ORDER BY name LIMIT ?4",
                       error);
    tr_query_bind_text(&query, filter->after);
    tr_query_bind_text(&query, filter->prefix);
    tr_query_bind_text(&query, filter->skeleton);
    tr_query_bind_int(&query, *count);
    int rows = 0;
    while (tr_query_next(&query))
        read_clip(&query, &out_rows[rows++]);
    status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
}

tr_status tr_clips_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    return tr_rows_remove(catalogue, TR_NOUN_CLIP, id, error);
}

tr_status tr_clips_verify(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, CLIP_SELECT "ORDER BY id", error);
    while (tr_query_next(&query)) {
        tr_clip_row row = {0};
        tr_digest content = {{0}};
        read_clip(&query, &row);
        if (!query.status)
            query.status = check_clip(&row, error);
        if (!query.status)
            query.status = digest_clip(&row, &content);
        if (!query.status)
            query.status = tr_rows_compare(&(tr_row_key){TR_NOUN_CLIP, row.name, &row.digest},
                                           &content, error);
    }
    return tr_query_end(&query);
}
