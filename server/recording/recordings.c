#include "server/recording/recordings.h"

#include "model/name.h"
#include "server/config/log.h"
#include "server/recording/recording_file.h"
#include "server/recording/recording_index.h"
#include "server/recording/recording_uploads.h"
#include "server/recording/recording_writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".trec";

typedef struct item {
    tr_recording_entry entry; /* first: pointers to it are handed out */
    tr_recordings *recordings;
    uint64_t id;
    uint32_t world;
    tr_recording_writer *writer; /* NULL: the file existed already */
    bool abandoned, failed;
    tr_recordings_job *waiting; /* jobs that wait until its last bytes are written */
} item;

struct tr_recordings {
    tr_recordings_def def;
    char folder[TR_RECORDINGS_PATH_MAX - 2 * TR_NAME_MAX];
    tr_recording_index index; /* index of the items' entries */
    tr_recording_uploads uploads;
    uint64_t next_id, total, borrowed;
};

/* --- names --- */

static bool is_name(const char *name) {
    size_t size = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    return size > 0 && size < TR_NAME_MAX && name[size] == '\0' && name[0] != '.' && name[0] != '-';
}

static void path_of(const tr_recordings *recordings, const char *name,
                    char out[TR_RECORDINGS_PATH_MAX]) {
    (void)snprintf(out, TR_RECORDINGS_PATH_MAX, "%s/%s%s", recordings->folder, name, suffix);
}

static item *find(const tr_recordings *recordings, const char *name) {
    return (item *)tr_recording_index_find(&recordings->index, name);
}

const tr_recording_entry *tr_recordings_find(const tr_recordings *recordings, const char *name) {
    const item *found = find(recordings, name);
    return found && !found->abandoned ? &found->entry : NULL;
}

const tr_recording_entry *tr_recordings_at(const tr_recordings *recordings, int index) {
    return index < recordings->index.count ? recordings->index.entry[index] : NULL;
}

int tr_recordings_after(const tr_recordings *recordings, const char *name) {
    return tr_recording_index_after(&recordings->index, name);
}

static item *item_at(const tr_recordings *recordings, int index) {
    return (item *)recordings->index.entry[index];
}

static tr_status insert(tr_recordings *recordings, item *added) {
    tr_status status = tr_recording_index_insert(&recordings->index, &added->entry);
    if (!status)
        recordings->total += added->entry.size;
    return status;
}

static void take_out(tr_recordings *recordings, const item *gone) {
    tr_recording_index_take_out(&recordings->index, &gone->entry);
    recordings->total -= gone->entry.size;
}

static item *new_item(tr_recordings *recordings, const tr_recording_entry *entry) {
    item *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->entry = *entry;
    made->recordings = recordings;
    made->id = ++recordings->next_id;
    return made;
}

static void destroy_item(item *gone) {
    tr_recording_writer_destroy(gone->writer);
    free(gone);
}

static bool is_being_written(const item *i) {
    return i->writer && (i->writer->writing || i->writer->file >= 0);
}

/* Bytes that running recordings have taken and not written yet. */
static uint64_t queued_size(const tr_recordings *recordings) {
    uint64_t size = 0;
    for (int i = 0; i < recordings->index.count; i++)
        if (item_at(recordings, i)->writer)
            size += item_at(recordings, i)->writer->queued_bytes +
                    item_at(recordings, i)->writer->in_hand_bytes;
    return size;
}

/* Is there room for `size` more bytes, besides the kept files, the bytes to be written and the
 * uploads? */
static bool has_room(const tr_recordings *recordings, uint64_t size) {
    const uint64_t most = (uint64_t)TR_RECORDINGS_MIB_MAX << 20;
    const uint64_t uploads = tr_recording_uploads_size(&recordings->uploads);
    return recordings->total + queued_size(recordings) + uploads + size <= most;
}

/* As has_room, after dropping idle uploads. */
static tr_status make_room(tr_recordings *recordings, uint64_t size, tr_error *error) {
    if (!has_room(recordings, size))
        tr_recording_uploads_tidy(&recordings->uploads, uv_now(recordings->def.loop));
    if (has_room(recordings, size))
        return TR_OK;
    return tr_fail(error, TR_RESOURCE_EXHAUSTED, "the stored recordings already take %d MiB",
                   TR_RECORDINGS_MIB_MAX);
}

/* May one more recording be kept under this name? */
static tr_status may_add(tr_recordings *recordings, const char *name, uint64_t size,
                         tr_error *error) {
    if (!is_name(name))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "name: expected 1 to 47 of A-Z a-z 0-9 . _ -, not beginning with . or -");
    if (find(recordings, name))
        return tr_fail(error, TR_ALREADY_EXISTS, "name: a recording '%s' already exists", name);
    if (recordings->index.count >= TR_RECORDINGS_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "there are already %d recordings",
                       TR_RECORDINGS_MAX);
    return make_room(recordings, size, error);
}

/* --- writing --- */

static item *find_written(const tr_recordings *recordings, uint64_t id) {
    for (int i = 0; i < recordings->index.count; i++)
        if (item_at(recordings, i)->id == id)
            return item_at(recordings, i);
    return NULL;
}

const char *tr_recordings_name(const tr_recordings *recordings, uint64_t id) {
    const item *written = id != 0 ? find_written(recordings, id) : NULL;
    return written ? written->entry.name : "";
}

static void run_waiting(item *written);

static void mark_failed(item *written, const tr_error *error) {
    tr_recordings *recordings = written->recordings;
    written->failed = true;
    written->entry.state = TR_RECORDING_CUT;
    written->entry.length = 0;
    written->entry.ended = error->status;
    (void)snprintf(written->entry.ended_text, sizeof written->entry.ended_text, "%.*s",
                   (int)sizeof written->entry.ended_text - 1, error->message);
    tr_recording_writer_drop(written->writer);
    tr_log_line(TR_LOG_ERROR, "recording.failed", "name=\"%s\" reason=\"%s\"", written->entry.name,
                error->message);
    recordings->def.failed(recordings->def.context, written->world, error->status,
                           written->entry.ended_text);
}

static void remove_abandoned(item *gone) {
    char path[TR_RECORDINGS_PATH_MAX];
    path_of(gone->recordings, gone->entry.name, path);
    take_out(gone->recordings, gone);
    unlink(path);
    run_waiting(gone); /* their error says that it no longer exists */
    destroy_item(gone);
}

static bool on_written(void *context, const tr_error *error) {
    item *written = context;
    uint64_t size = written->writer->size;
    written->recordings->total += size - written->entry.size;
    written->entry.size = size;
    if (error->status && !written->failed)
        mark_failed(written, error);
    if (!is_being_written(written))
        run_waiting(written);
    if (!written->abandoned)
        return true;
    remove_abandoned(written);
    return false;
}

static tr_status open_file(tr_recordings *recordings, item *added, tr_error *error) {
    char path[TR_RECORDINGS_PATH_MAX];
    tr_error why = {0};
    path_of(recordings, added->entry.name, path);
    const tr_recording_writer_def def = {.loop = recordings->def.loop,
                                         .path = path,
                                         .folder = recordings->folder,
                                         .context = added,
                                         .written = on_written};
    tr_status status = tr_recording_writer_open(&def, &added->writer, &why);
    if (status)
        return tr_fail(error, status, "recording '%s': %s", added->entry.name, why.message);
    status = insert(recordings, added);
    if (!status)
        return TR_OK;
    unlink(path);
    return tr_fail(error, status, "out of memory");
}

tr_status tr_recordings_begin(tr_recordings *recordings, const tr_recording_entry *made,
                              uint32_t world, uint64_t *out_id, tr_error *error) {
    tr_status status = may_add(recordings, made->name, 0, error);
    if (status)
        return status;
    item *added = new_item(recordings, made);
    if (!added)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    added->entry.state = TR_RECORDING_RUNNING;
    added->entry.size = 0;
    added->world = world;
    status = open_file(recordings, added, error);
    if (status) {
        destroy_item(added);
        return status;
    }
    *out_id = added->id;
    return TR_OK;
}

static tr_status append_with_room(item *written, tr_packet *bytes, tr_error *error) {
    tr_status status = make_room(written->recordings, bytes->size, error);
    return !status ? tr_recording_writer_append(written->writer, bytes, error) : status;
}

void tr_recordings_append(tr_recordings *recordings, uint64_t id, tr_packet *bytes) {
    tr_error error;
    item *written = find_written(recordings, id);
    bool takes =
        written && is_being_written(written) && !written->failed && !written->writer->ending;
    if (takes && !append_with_room(written, bytes, &error))
        return;
    tr_packet_release(bytes);
    if (takes) { /* the write in progress is its last */
        mark_failed(written, &error);
        tr_recording_writer_end(written->writer);
    }
}

void tr_recordings_end(tr_recordings *recordings, uint64_t id, int64_t length, tr_status status,
                       const char *why) {
    item *written = find_written(recordings, id);
    if (!written || written->entry.state != TR_RECORDING_RUNNING)
        return;
    written->entry.state = length >= 0 ? TR_RECORDING_ENDED : TR_RECORDING_CUT;
    written->entry.length = length >= 0 ? length : 0;
    written->entry.ended = status;
    (void)snprintf(written->entry.ended_text, sizeof written->entry.ended_text, "%.*s",
                   (int)sizeof written->entry.ended_text - 1, why);
    tr_recording_writer_end(written->writer);
}

void tr_recordings_abandon(tr_recordings *recordings, uint64_t id) {
    item *written = find_written(recordings, id);
    if (!written || written->entry.state != TR_RECORDING_RUNNING)
        return;
    written->abandoned = true;
    if (!written->writer->writing)
        remove_abandoned(written);
}

void tr_recordings_leave(tr_recordings *recordings, uint32_t world) {
    for (int i = 0; i < recordings->index.count; i++) {
        item *written = item_at(recordings, i);
        if (written->world == world && written->entry.state == TR_RECORDING_RUNNING)
            tr_recordings_end(recordings, written->id, -1, TR_DATA_LOSS, "its world was destroyed");
    }
}

static void describe(const tr_recording_info *info, tr_recording_entry *out) {
    out->state = info->whole ? TR_RECORDING_ENDED : TR_RECORDING_CUT;
    tr_name_set(out->world, info->world);
    memcpy(out->daemon, info->daemon, sizeof out->daemon);
    out->created_unix = info->created_unix;
    out->step_s = info->step_s;
    out->length = info->whole ? info->length : 0;
    out->ended = info->ended;
    memcpy(out->ended_text, info->ended_text, sizeof out->ended_text);
}

tr_status tr_recordings_add(tr_recordings *recordings, const char *name, tr_packet *bytes,
                            tr_error *error) {
    tr_recording *recording = NULL;
    tr_recording_entry entry = {0};
    uint64_t id = 0;
    tr_status status = tr_recording_read(bytes, &recording, error);
    if (status)
        return status;
    const tr_recording_info *info = tr_recording_describe(recording);
    describe(info, &entry);
    tr_name_set(entry.name, name);
    status = strlen(name) < TR_NAME_MAX ? tr_recordings_begin(recordings, &entry, 0, &id, error)
                                        : may_add(recordings, name, 0, error);
    if (!status) {
        tr_recordings_append(recordings, id, bytes);
        tr_recordings_end(recordings, id, info->whole ? info->length : -1, info->ended,
                          info->ended_text);
    }
    tr_recording_release(recording);
    return status;
}

/* --- jobs --- */

static void run_job(uv_work_t *work) {
    tr_recordings_job *job = work->data;
    job->run(job);
}

static void on_job_done(uv_work_t *work, int status) {
    (void)status;
    tr_recordings_job *job = work->data;
    if (job->adopt)
        job->adopt(job);
    job->done(job);
    tr_packet_release(job->bytes);
    tr_recording_release(job->recording);
    free(job);
}

static tr_status submit(tr_recordings *recordings, tr_recordings_job *job,
                        void (*run)(tr_recordings_job *job)) {
    job->recordings = recordings;
    job->run = run;
    job->work.data = job;
    if (uv_queue_work(recordings->def.loop, &job->work, run_job, on_job_done) != 0)
        return tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    return TR_OK;
}

/* Runs the job on its file: now, or when the last bytes of an ended recording are written. */
static tr_status submit_for_file(tr_recordings *recordings, tr_recordings_job *job,
                                 void (*run)(tr_recordings_job *job)) {
    item *found = find(recordings, job->name);
    if (!found || found->abandoned)
        return tr_fail(&job->error, TR_NOT_FOUND, "recording '%s': not found", job->name);
    path_of(recordings, job->name, job->path);
    if (!is_being_written(found) || !found->writer->ending)
        return submit(recordings, job, run);
    job->run = run;
    job->next = found->waiting;
    found->waiting = job;
    return TR_OK;
}

static void run_waiting(item *written) {
    for (tr_recordings_job *next, *job = written->waiting; job; job = next) {
        next = job->next;
        if (submit(written->recordings, job, job->run))
            on_job_done(&job->work, 0);
    }
    written->waiting = NULL;
}

static void run_read(tr_recordings_job *job) {
    (void)!tr_recording_file_read(job->path, job->offset, job->size, &job->bytes, &job->file_size,
                                  &job->error);
}

tr_status tr_recordings_read(tr_recordings *recordings, tr_recordings_job *job) {
    return submit_for_file(recordings, job, run_read);
}

static void run_load(tr_recordings_job *job) {
    tr_status status = tr_recording_file_read(job->path, 0, TR_RECORDING_BYTES_MAX, &job->bytes,
                                              &job->file_size, &job->error);
    if (!status)
        (void)!tr_recording_read(job->bytes, &job->recording, &job->error);
}

tr_status tr_recordings_load(tr_recordings *recordings, tr_recordings_job *job) {
    return submit_for_file(recordings, job, run_load);
}

/* --- uploads --- */

static tr_status begin_upload(tr_recordings *recordings, tr_recordings_job *job,
                              tr_recording_upload **out) {
    tr_status status = may_add(recordings, job->name, job->bytes->size, &job->error);
    if (status)
        return status;
    *out = tr_recording_uploads_begin(&recordings->uploads, job->name, job->asker.session,
                                      ++recordings->next_id, uv_now(recordings->def.loop));
    return *out ? TR_OK
                : tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "there are already %d uploads",
                          TR_UPLOADS_MAX);
}

/* Finds the upload that the job continues, if the job's offset is the next byte. */
static tr_status continue_upload(tr_recordings *recordings, tr_recordings_job *job,
                                 tr_recording_upload **out) {
    tr_status status = make_room(recordings, job->bytes->size, &job->error);
    tr_recording_upload *found = tr_recording_uploads_find(&recordings->uploads, job->name);
    bool own = found && found->session == job->asker.session;
    if (!own || found->size != job->offset)
        return tr_fail(&job->error, TR_OUT_OF_RANGE,
                       "offset: %llu: expected %llu, the bytes of '%s' that this session has sent",
                       (unsigned long long)job->offset, (unsigned long long)(own ? found->size : 0),
                       job->name);
    if (status)
        tr_recording_uploads_forget(&recordings->uploads, found);
    *out = found;
    return status;
}

static void run_upload(tr_recordings_job *job) {
    tr_status status = tr_recording_file_extend(job->path, job->offset, job->bytes, &job->error);
    if (status || !job->last)
        return;
    tr_packet_release(job->bytes);
    job->bytes = NULL;
    run_load(job);
    if (job->error.status)
        return;
    const tr_recording_info *info = tr_recording_describe(job->recording);
    describe(info, &job->entry);
    job->entry.size = info->size;
    status = tr_recording_file_adopt(job->path, info->size, job->final_path, &job->error);
    if (!status && tr_recording_file_sync_folder(job->recordings->folder, &job->error))
        unlink(job->final_path);
}

/* Back on the loop: drops a failed upload, lists a complete one. */
static void adopt_upload(tr_recordings_job *job) {
    tr_recordings *recordings = job->recordings;
    tr_recording_upload *u = tr_recording_uploads_find(&recordings->uploads, job->name);
    bool failed = job->error.status != TR_OK, own = u && u->session == job->asker.session;
    if (own && (failed || job->last))
        tr_recording_uploads_forget(&recordings->uploads, u);
    else if (!own)
        unlink(job->path); /* dropped while it was being written */
    if (failed || !job->last)
        return;
    item *added = new_item(recordings, &job->entry);
    if (added && !insert(recordings, added))
        return;
    if (added)
        destroy_item(added);
    unlink(job->final_path);
    (void)tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "out of memory");
}

tr_status tr_recordings_upload(tr_recordings *recordings, tr_recordings_job *job) {
    tr_recording_upload *u = NULL;
    tr_status status =
        job->offset == 0 ? begin_upload(recordings, job, &u) : continue_upload(recordings, job, &u);
    if (status)
        return status;
    if (u->size + job->bytes->size > TR_RECORDING_BYTES_MAX) {
        tr_recording_uploads_forget(&recordings->uploads, u);
        return tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "data: a recording has at most %d bytes",
                       TR_RECORDING_BYTES_MAX);
    }
    u->size += job->bytes->size;
    u->touched_ms = uv_now(recordings->def.loop);
    tr_recording_upload_path(&recordings->uploads, u, job->path);
    path_of(recordings, job->name, job->final_path);
    tr_name_set(job->entry.name, job->name);
    job->adopt = adopt_upload;
    return submit(recordings, job, run_upload);
}

/* Goes from the last to the first, because a dropped upload is replaced by the last. */
void tr_recordings_session_left(tr_recordings *recordings, uint64_t session) {
    tr_recording_uploads *uploads = &recordings->uploads;
    for (int i = uploads->count - 1; i >= 0; i--)
        if (uploads->upload[i].session == session)
            tr_recording_uploads_forget(uploads, &uploads->upload[i]);
}

tr_status tr_recordings_remove(tr_recordings *recordings, const char *name, tr_error *error) {
    char path[TR_RECORDINGS_PATH_MAX];
    item *gone = find(recordings, name);
    if (!gone || gone->abandoned)
        return tr_fail(error, TR_NOT_FOUND, "recording '%s': not found", name);
    if (is_being_written(gone) && gone->writer->ending) {
        gone->abandoned = true; /* removed after its last write */
        return TR_OK;
    }
    if (gone->entry.state == TR_RECORDING_RUNNING)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "recording '%s' is being written: stop it first", name);
    path_of(recordings, name, path);
    if (unlink(path) != 0 && errno != ENOENT)
        return tr_fail(error, TR_UNAVAILABLE, "recording '%s': %s", name, strerror(errno));
    take_out(recordings, gone);
    destroy_item(gone);
    return TR_OK;
}

/* --- memory --- */

tr_status tr_recordings_borrow(tr_recordings *recordings, size_t size, tr_error *error) {
    if (recordings->borrowed + size > TR_REPLAY_BYTES_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "the recordings being replayed already take %d MiB",
                       TR_REPLAY_BYTES_MAX >> 20);
    recordings->borrowed += size;
    return TR_OK;
}

void tr_recordings_give_back(tr_recordings *recordings, size_t size) {
    recordings->borrowed -= size;
}

/* --- life --- */

/* Lists one file of the folder, if it is a recording. */
static tr_status adopt_file(tr_recordings *recordings, const char *file_name) {
    tr_recording_entry entry = {0};
    tr_recording_info info;
    char path[TR_RECORDINGS_PATH_MAX];
    size_t size = strlen(file_name), end = sizeof suffix - 1;
    if (size <= end || size - end >= TR_NAME_MAX || strcmp(file_name + size - end, suffix) != 0)
        return TR_OK;
    memcpy(entry.name, file_name, size - end);
    path_of(recordings, entry.name, path);
    if (!is_name(entry.name))
        return TR_OK;
    tr_status status = tr_recording_file_glance(path, &info, &entry.size, NULL);
    if (status == TR_INVALID_ARGUMENT && entry.size == 0)
        unlink(path); /* it has no content */
    if (status)
        return TR_OK;
    describe(&info, &entry);
    item *added = new_item(recordings, &entry);
    if (!added)
        return TR_RESOURCE_EXHAUSTED;
    status = insert(recordings, added);
    if (status)
        destroy_item(added);
    return status;
}

static tr_status look_through(tr_recordings *recordings, tr_error *error) {
    DIR *folder = opendir(recordings->folder);
    tr_status status = TR_OK;
    if (!folder)
        return tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", recordings->folder, strerror(errno));
    for (struct dirent *file; !status && (file = readdir(folder));) {
        char path[TR_RECORDINGS_PATH_MAX];
        if (!tr_recording_upload_is_file(file->d_name))
            status = adopt_file(recordings, file->d_name);
        else if (snprintf(path, sizeof path, "%s/%s", recordings->folder, file->d_name) <
                 (int)sizeof path)
            unlink(path); /* left by a daemon that was killed */
    }
    closedir(folder);
    return !status ? TR_OK : tr_fail(error, status, "out of memory");
}

tr_status tr_recordings_open(const tr_recordings_def *def, tr_recordings **out, tr_error *error) {
    tr_recordings *recordings = calloc(1, sizeof *recordings);
    if (!recordings)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    recordings->def = *def;
    recordings->uploads.folder = recordings->folder;
    int size = snprintf(recordings->folder, sizeof recordings->folder, "%s", def->folder);
    tr_status status = TR_OK;
    if (size < 0 || size >= (int)sizeof recordings->folder)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%.100s...: too long", def->folder);
    else if (mkdir(recordings->folder, 0750) != 0 && errno != EEXIST)
        status = tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", def->folder, strerror(errno));
    if (!status)
        status = look_through(recordings, error);
    return TR_GIVE(status, recordings, tr_recordings_close, out);
}

void tr_recordings_close(tr_recordings *recordings) {
    if (!recordings)
        return;
    tr_recording_uploads_deinit(&recordings->uploads);
    for (int i = 0; i < recordings->index.count; i++)
        destroy_item(item_at(recordings, i));
    free(recordings->index.entry);
    free(recordings);
}

void tr_recordings_must_hold(const tr_recordings *recordings, uint64_t turn, tr_invariant *broken) {
    const tr_recording_index *index = &recordings->index;
    const tr_recording_uploads *uploads = &recordings->uploads;
    int at = index->count > 0 ? (int)(turn % (uint64_t)index->count) : 0;
    TR_MUST(broken, uploads->count >= 0 && uploads->count <= TR_UPLOADS_MAX);
    TR_MUST_BE(broken, recordings->borrowed, <=, TR_REPLAY_BYTES_MAX);
    if (index->count == 0)
        return;
    const item *one = item_at(recordings, at);
    TR_MUST(broken, at == 0 || strcmp(index->entry[at - 1]->name, one->entry.name) < 0);
    TR_MUST_BE(broken, one->entry.size, <=, recordings->total);
    TR_MUST(broken, one->entry.state != TR_RECORDING_RUNNING || one->writer);
}
