/* Clips in the catalogue: the source of a motion, its licence, and the part that was used. The
 * motion itself stays in its file, which `file_digest` identifies.
 *
 * See catalogue.h for threading, statuses and errors. */
#pragma once

#include "db/store/catalogue.h"
#include "model/model.h"

typedef struct tr_clip_row {
    tr_row_id id;                    /* not read by put */
    char name[TR_NAME_MAX];          /* unique, e.g. "mass_run" */
    char source[TR_SHORT_TEXT_MAX];  /* file, and the collection it is from */
    char licence[TR_SHORT_TEXT_MAX]; /* and whom to acknowledge */
    tr_digest file_digest;           /* SHA-256 of the source file */
    char skeleton[TR_NAME_MAX];      /* joint map it was retargeted with */
    int frame_count;                 /* of the source file */
    double frames_per_s;
    int first_frame, last_frame; /* the part used, from 0, both included */
    bool cyclic;
    tr_digest digest; /* of the row; not read by put */
} tr_clip_row;

typedef struct tr_clip_filter {
    const char *after;    /* names after this one; NULL: from the first */
    const char *prefix;   /* prefix of the names; NULL: all */
    const char *skeleton; /* NULL: all */
} tr_clip_filter;

/* SHA-256 of a file, for file_digest. TR_NOT_FOUND: it cannot be read. */
tr_status tr_clips_digest_file(const char *path, tr_digest *out, tr_error *error) TR_NODISCARD;

/* Storing the same content under the same name again is not an error and returns the existing
 * row. */
tr_status tr_clips_put(tr_catalogue *catalogue, const tr_clip_row *clip, tr_row_id *out_id,
                       tr_error *error) TR_NODISCARD;
TR_NOUN_READERS(clips, clip)

/* Paging as tr_models_list. */
tr_status tr_clips_list(tr_catalogue *catalogue, const tr_clip_filter *filter,
                        tr_clip_row *out_rows, int *count, tr_error *error) TR_NODISCARD;
