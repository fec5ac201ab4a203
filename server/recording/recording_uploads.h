/* Recordings that clients are sending: whose each is, and how far it has come. Its bytes are in a
 * file whose name is no recording's, until it is whole. */
#ifndef TROUPE_SERVER_RECORDING_UPLOADS_H
#define TROUPE_SERVER_RECORDING_UPLOADS_H

#include "server/recording/recordings.h"

enum { TR_UPLOAD_PATIENCE_MS = 60000 /* one untouched for so long makes way for another */ };

typedef struct tr_recording_upload {
    char name[TR_NAME_MAX];
    uint64_t session, size, touched_ms;
    uint64_t number; /* of its file */
} tr_recording_upload;

typedef struct tr_recording_uploads {
    const char *folder; /* lives as long */
    int count;
    tr_recording_upload upload[TR_UPLOADS_MAX];
} tr_recording_uploads;

/* Forgets all of them. */
void tr_recording_uploads_deinit(tr_recording_uploads *uploads);

/* NULL: none of this name. What this returns lives until one is forgotten. */
tr_recording_upload *tr_recording_uploads_find(tr_recording_uploads *uploads, const char *name);

/* Begins one, in place of another of this name, and if need be of one that nobody goes on with.
 * `number` is no other's. NULL: TR_UPLOADS_MAX are under way. */
tr_recording_upload *tr_recording_uploads_begin(tr_recording_uploads *uploads, const char *name,
                                                uint64_t session, uint64_t number, uint64_t now_ms);

/* Bytes of all of them. */
uint64_t tr_recording_uploads_size(const tr_recording_uploads *uploads);

/* Forgets those that nobody goes on with. */
void tr_recording_uploads_tidy(tr_recording_uploads *uploads, uint64_t now_ms);

/* Its file goes too. */
void tr_recording_uploads_forget(tr_recording_uploads *uploads, tr_recording_upload *upload);

void tr_recording_upload_path(const tr_recording_uploads *uploads,
                              const tr_recording_upload *upload, char out[TR_RECORDINGS_PATH_MAX]);

/* Is this name in the folder that of an upload? */
bool tr_recording_upload_is_file(const char *file_name);

#endif
