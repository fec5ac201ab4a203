/* Recordings that clients are uploading: the session of each, and its size so far. Until it is
 * complete, its bytes are in a file whose name cannot be a recording's. */
#pragma once

#include "server/recording/recordings.h"

enum {
    TR_UPLOAD_PATIENCE_MS = 60000 /* an upload idle for this long may be dropped for another */
};

typedef struct tr_recording_upload {
    char name[TR_NAME_MAX];
    uint64_t session, size, touched_ms;
    uint64_t number; /* of its file */
} tr_recording_upload;

typedef struct tr_recording_uploads {
    const char *folder; /* must outlive the uploads */
    int count;
    tr_recording_upload upload[TR_UPLOADS_MAX];
} tr_recording_uploads;

/* Drops all uploads. */
void tr_recording_uploads_deinit(tr_recording_uploads *uploads);

/* NULL: no upload with this name. Valid until an upload is dropped. */
tr_recording_upload *tr_recording_uploads_find(tr_recording_uploads *uploads, const char *name);

/* Begins an upload. It replaces an upload with the same name, and if needed one that has been idle
 * too long. `number` must be unique. NULL: there are TR_UPLOADS_MAX uploads. */
tr_recording_upload *tr_recording_uploads_begin(tr_recording_uploads *uploads, const char *name,
                                                uint64_t session, uint64_t number, uint64_t now_ms);

/* Bytes of all uploads. */
uint64_t tr_recording_uploads_size(const tr_recording_uploads *uploads);

/* Drops uploads that have been idle too long. */
void tr_recording_uploads_tidy(tr_recording_uploads *uploads, uint64_t now_ms);

/* Drops an upload and removes its file. */
void tr_recording_uploads_forget(tr_recording_uploads *uploads, tr_recording_upload *upload);

void tr_recording_upload_path(const tr_recording_uploads *uploads,
                              const tr_recording_upload *upload, char out[TR_RECORDINGS_PATH_MAX]);

/* Is this the file name of an upload? */
bool tr_recording_upload_is_file(const char *file_name);
