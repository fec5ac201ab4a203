#include "server/recording/recording_uploads.h"

#include "model/name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char prefix[] = ".upload-";

void tr_recording_uploads_deinit(tr_recording_uploads *uploads) {
    while (uploads->count > 0)
        tr_recording_uploads_forget(uploads, &uploads->upload[0]);
}

bool tr_recording_upload_is_file(const char *file_name) {
    return strncmp(file_name, prefix, sizeof prefix - 1) == 0;
}

void tr_recording_upload_path(const tr_recording_uploads *uploads,
                              const tr_recording_upload *upload, char out[TR_RECORDINGS_PATH_MAX]) {
    (void)snprintf(out, TR_RECORDINGS_PATH_MAX, "%s/%s%llu", uploads->folder, prefix,
                   (unsigned long long)upload->number);
}

void tr_recording_uploads_forget(tr_recording_uploads *uploads, tr_recording_upload *upload) {
    char path[TR_RECORDINGS_PATH_MAX];
    tr_recording_upload_path(uploads, upload, path);
    unlink(path);
    *upload = uploads->upload[--uploads->count];
}

tr_recording_upload *tr_recording_uploads_find(tr_recording_uploads *uploads, const char *name) {
    for (int i = 0; i < uploads->count; i++)
        if (strcmp(uploads->upload[i].name, name) == 0)
            return &uploads->upload[i];
    return NULL;
}

uint64_t tr_recording_uploads_size(const tr_recording_uploads *uploads) {
    uint64_t size = 0;
    for (int i = 0; i < uploads->count; i++)
        size += uploads->upload[i].size;
    return size;
}

/* Goes from the last to the first, because a removed upload is replaced by the last. */
void tr_recording_uploads_tidy(tr_recording_uploads *uploads, uint64_t now_ms) {
    for (int i = uploads->count - 1; i >= 0; i--)
        if (now_ms - uploads->upload[i].touched_ms > TR_UPLOAD_PATIENCE_MS)
            tr_recording_uploads_forget(uploads, &uploads->upload[i]);
}

tr_recording_upload *tr_recording_uploads_begin(tr_recording_uploads *uploads, const char *name,
                                                uint64_t session, uint64_t number,
                                                uint64_t now_ms) {
    tr_recording_upload *before = tr_recording_uploads_find(uploads, name);
    if (before)
        tr_recording_uploads_forget(uploads, before);
    if (uploads->count == TR_UPLOADS_MAX)
        tr_recording_uploads_tidy(uploads, now_ms);
    if (uploads->count == TR_UPLOADS_MAX)
        return NULL;
    tr_recording_upload *begun = &uploads->upload[uploads->count++];
    *begun = (tr_recording_upload){.session = session, .number = number, .touched_ms = now_ms};
    tr_name_set(begun->name, name);
    return begun;
}
