#include "db/tables/clips.h"

#include "db/store/rows.h"
#include "proto/text_file.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>

enum { CLIP_BYTES_MAX = 1 << 30 };

static const tr_table_column columns[] = {
    TR_COLUMNS_KEY(tr_clip_row),
    TR_COLUMN(tr_clip_row, TEXT, source),
    TR_COLUMN(tr_clip_row, TEXT, licence),
    TR_COLUMN(tr_clip_row, DIGEST, file_digest),
    TR_COLUMN(tr_clip_row, TEXT, skeleton),
    TR_COLUMN_WITH(tr_clip_row, INT, frame_count, .low = 1, .high = INT_MAX),
    TR_COLUMN_WITH(tr_clip_row, DOUBLE, frames_per_s, .low = 0, .high = DBL_MAX),
    TR_COLUMN_WITH(tr_clip_row, INT, first_frame, .low = 0, .high = INT_MAX),
    TR_COLUMN_WITH(tr_clip_row, INT, last_frame, .low = 0, .high = INT_MAX),
    TR_COLUMN(tr_clip_row, BOOL, cyclic),
};

static tr_status check_clip(const void *row, tr_error *error) {
    const tr_clip_row *clip = row;
    if (clip->last_frame >= clip->first_frame && clip->last_frame < clip->frame_count)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "clip '%s': first_frame, last_frame: expected 0 <= first <= last < %d",
                   clip->name, clip->frame_count);
}

const tr_table tr_clip_columns =
    TR_TABLE(tr_clip_row, "clip", TR_NOUN_CLIP, columns, .version = "clip 1", .check = check_clip);

tr_status tr_clips_digest_file(const char *path, tr_digest *out, tr_error *error) {
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_bytes_file_read(path, CLIP_BYTES_MAX, &bytes, &size, error);
    if (status)
        return status;
    tr_digest_writer writer = tr_digest_begin(NULL);
    tr_digest_add_bytes(&writer, bytes, size);
    free(bytes);
    return tr_digest_end(&writer, out)
               ? tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory for its digest", path)
               : TR_OK;
}

tr_status tr_clips_put(tr_catalogue *catalogue, const tr_clip_row *clip, tr_row_id *out_id,
                       tr_error *error) {
    tr_clip_row row = *clip;
    tr_status status = tr_columns_check(&tr_clip_columns, clip, error);
    if (!status)
        status = tr_rows_digest_alone(catalogue, &tr_clip_columns, clip, &row.digest, error);
    return status ? status : tr_rows_put(catalogue, &tr_clip_columns, &row, out_id, error);
}

TR_NOUN_READERS_FROM(tr_clip_columns, clips, clip)

tr_status tr_clips_list(tr_catalogue *catalogue, const tr_clip_filter *filter,
                        tr_clip_row *out_rows, int *count, tr_error *error) {
    tr_query query = tr_rows_list(catalogue, &tr_clip_columns,
                                  &(tr_row_range){filter->after, filter->prefix, *count},
                                  "AND (?4 IS NULL OR skeleton = ?4)", error);
    tr_query_bind_text(&query, filter->skeleton);
    return tr_rows_collect(catalogue, &query, &tr_clip_columns, out_rows, count);
}
