/* Handlers of recordings as files: list, get, download, upload, delete. */
#include "server/requests/dispatch.h"

#include "model/name.h"
#include "proto/message.h"
#include "server/recording/encode_recording.h"
#include "server/recording/recordings.h"

#include <stdlib.h>
#include <string.h>

static tr_recordings *recordings_of(const tr_request *request) {
    return request->server->recordings;
}

/* --- lists --- */

typedef struct page {
    int count;
    tr_recording_entry recordings[TR_PAGE_SIZE_MAX];
    const char *next_page_token; /* the last name, if more follow */
} page;

static const tr_mapping page_mapping = TR_MAPPING(
    page, RecordingList, recording_list,
    TR_COPY_LIST_WITHIN(count, recordings, tr_recording_mapping), TR_COPY(next_page_token));

static void fill_page(const tr_recordings *recordings, const Troupe__ListRecordings *wanted,
                      int page_size, page *out) {
    const char *token = wanted->page ? wanted->page->token : "";
    int index = token[0] ? tr_recordings_after(recordings, token) : 0;
    const tr_recording_entry *entry = NULL;
    while ((entry = tr_recordings_at(recordings, index++))) {
        if (strncmp(entry->name, wanted->prefix, strlen(wanted->prefix)) != 0)
            continue;
        if (out->count == page_size) {
            out->next_page_token = out->recordings[page_size - 1].name;
            return;
        }
        out->recordings[out->count++] = *entry;
    }
}

void tr_handle_list_recordings(tr_request *request) {
    const Troupe__ListRecordings *wanted = request->message->list_recordings;
    uint32_t size = wanted->page ? wanted->page->size : 0;
    if (size > TR_PAGE_SIZE_MAX) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "page.size: %u: expected at most %d", size,
                          TR_PAGE_SIZE_MAX);
        return;
    }
    page out = {.count = 0};
    fill_page(recordings_of(request), wanted, size == 0 ? TR_PAGE_SIZE_DEFAULT : (int)size, &out);
    tr_request_show(request, TROUPE__RESPONSE__RESULT_RECORDING_LIST, &page_mapping, &out);
}

static void respond_recording(const tr_request *request, const tr_recording_entry *entry) {
    tr_request_show(request, TROUPE__RESPONSE__RESULT_RECORDING, &tr_recording_mapping, entry);
}

void tr_handle_get_recording(tr_request *request) {
    const char *name = request->message->get_recording->name;
    const tr_recording_entry *entry = tr_recordings_find(recordings_of(request), name);
    if (entry)
        respond_recording(request, entry);
    else
        tr_request_refuse(request, TR_NOT_FOUND, "recording '%.64s': not found", name);
}

void tr_handle_delete_recording(tr_request *request) {
    tr_error error = {0};
    if (!tr_recordings_remove(recordings_of(request), request->message->delete_recording->name,
                              &error))
        tr_request_done(request);
    else
        tr_session_refuse(request->session, request->id, &error);
}

/* --- files: the session waits while they are read and written --- */

/* The name must fit. NULL: out of memory; the request was refused. */
static tr_recordings_job *new_job(tr_request *request, const char *name,
                                  void (*done)(tr_recordings_job *job)) {
    tr_recordings_job *job = calloc(1, sizeof *job);
    if (!job) {
        tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    tr_name_set(job->name, name);
    job->context = request->server;
    job->asker = tr_request_asker(request);
    job->done = done;
    return job;
}

/* Pauses the session until the job is done, or refuses the request if there is no job. */
static void pause_or_refuse(const tr_request *request, tr_recordings_job *job, tr_status status) {
    if (!status) {
        tr_session_pause(request->session);
        return;
    }
    tr_session_refuse(request->session, request->id, &job->error);
    tr_packet_release(job->bytes);
    free(job);
}

/* Answers it, unless the session has ended. */
static void finish(const tr_recordings_job *job,
                   void (*respond)(const tr_recordings_job *job, const tr_request *request)) {
    tr_server *server = job->context;
    tr_session *session = tr_sessions_find(server->sessions, job->asker.session);
    const tr_request request = {.server = server, .session = session, .id = job->asker.request};
    if (!session)
        return;
    if (job->error.status)
        tr_session_refuse(session, request.id, &job->error);
    else
        respond(job, &request);
    tr_session_resume(session);
}

static void respond_part(const tr_recordings_job *job, const tr_request *request) {
    Troupe__RecordingPart part = {TR_MESSAGE_BASE(recording_part),
                                  .data = {job->bytes->size, job->bytes->bytes},
                                  .size_bytes = job->file_size};
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_RECORDING_PART, &part);
}

static void on_read(tr_recordings_job *job) {
    finish(job, respond_part);
}

void tr_handle_download_recording(tr_request *request) {
    const Troupe__DownloadRecording *m = request->message->download_recording;
    if (m->size > TR_RECORDING_PART_MAX) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "size: %u: expected at most %d", m->size,
                          TR_RECORDING_PART_MAX);
        return;
    }
    if (strlen(m->name) >= TR_NAME_MAX) {
        tr_request_refuse(request, TR_NOT_FOUND, "recording '%.64s': not found", m->name);
        return;
    }
    tr_recordings_job *job = new_job(request, m->name, on_read);
    if (!job)
        return;
    job->offset = m->offset;
    job->size = m->size == 0 ? TR_RECORDING_PART_MAX : m->size;
    pause_or_refuse(request, job, tr_recordings_read(recordings_of(request), job));
}

static void respond_uploaded(const tr_recordings_job *job, const tr_request *request) {
    const tr_recording_entry *entry = tr_recordings_find(recordings_of(request), job->name);
    if (job->last && entry) {
        respond_recording(request, entry);
        return;
    }
    tr_request_done(request);
}

static void on_uploaded(tr_recordings_job *job) {
    finish(job, respond_uploaded);
}

static tr_packet *copy_part(const ProtobufCBinaryData *data) {
    tr_packet *bytes = tr_packet_create(data->len);
    if (bytes && data->len > 0)
        memcpy(bytes->bytes, data->data, data->len);
    return bytes;
}

void tr_handle_upload_recording(tr_request *request) {
    const Troupe__UploadRecording *m = request->message->upload_recording;
    if (strlen(m->name) >= TR_NAME_MAX || m->data.len > TR_RECORDING_PART_MAX) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT,
                          "name, data: expected at most %d bytes of name and %d of data",
                          TR_NAME_MAX - 1, TR_RECORDING_PART_MAX);
        return;
    }
    tr_recordings_job *job = new_job(request, m->name, on_uploaded);
    if (!job)
        return;
    job->bytes = copy_part(&m->data);
    if (!job->bytes) {
        (void)tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "out of memory");
        pause_or_refuse(request, job, TR_RESOURCE_EXHAUSTED);
        return;
    }
    job->offset = m->offset;
    job->last = m->last;
    pause_or_refuse(request, job, tr_recordings_upload(recordings_of(request), job));
}
