#include "server/recording/recording_writer.h"

#include "server/recording/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUEUE_BYTES_MAX = 64 << 20 };

typedef struct queued {
    tr_packet *bytes;
    struct queued *next;
} queued;

static void release_queue(queued *first) {
    for (queued *next; first; first = next) {
        next = first->next;
        tr_packet_release(first->bytes);
        free(first);
    }
}

static void empty_queue(tr_recording_writer *w) {
    w->first = NULL;
    w->end = &w->first;
    w->queued_bytes = 0;
}

/* --- on libuv's threads --- */

static tr_status write_all(tr_recording_writer *w) {
    tr_status status = TR_OK;
    bool is_first = w->size == 0;
    for (const queued *q = w->in_hand; q && !status; q = q->next) {
        status = tr_recording_file_write(w->file, q->bytes, &w->error);
        if (!status)
            w->size += q->bytes->size;
    }
    if (status)
        (void)!ftruncate(w->file, (off_t)w->size);
    tr_status synced = tr_recording_file_sync(w->file, !status ? &w->error : NULL);
    if (!status && !synced && is_first)
        synced = tr_recording_file_sync_folder(w->def.folder, &w->error);
    return status ? status : synced;
}

static void write_queue(uv_work_t *work) {
    tr_recording_writer *w = work->data;
    if (write_all(w) || w->closing) {
        close(w->file);
        w->file = -1;
    }
}

/* --- on the loop --- */

static void write_on(tr_recording_writer *w);

static void on_written(uv_work_t *work, int status) {
    (void)status;
    tr_recording_writer *w = work->data;
    w->writing = false;
    release_queue(w->in_hand);
    w->in_hand = NULL;
    w->in_hand_bytes = 0;
    if (w->def.written(w->def.context, &w->error))
        write_on(w);
}

/* Starts a write of all waiting bytes, unless a write is in progress or the file is closed. */
static void write_on(tr_recording_writer *w) {
    if (w->writing || w->file < 0 || (!w->first && !w->ending))
        return;
    w->in_hand = w->first;
    w->in_hand_bytes = w->queued_bytes;
    empty_queue(w);
    w->closing = w->ending;
    w->writing = true;
    w->work.data = w;
    uv_queue_work(w->def.loop, &w->work, write_queue, on_written);
}

tr_status tr_recording_writer_append(tr_recording_writer *w, tr_packet *bytes, tr_error *error) {
    queued *added = malloc(sizeof *added);
    if (!added)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (w->queued_bytes + bytes->size > QUEUE_BYTES_MAX) {
        free(added);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "the disk is too slow");
    }
    *added = (queued){bytes, NULL};
    *w->end = added;
    w->end = &added->next;
    w->queued_bytes += bytes->size;
    write_on(w);
    return TR_OK;
}

void tr_recording_writer_end(tr_recording_writer *w) {
    w->ending = true;
    write_on(w);
}

void tr_recording_writer_drop(tr_recording_writer *w) {
    release_queue(w->first);
    empty_queue(w);
}

/* --- life --- */

tr_status tr_recording_writer_open(const tr_recording_writer_def *def, tr_recording_writer **out,
                                   tr_error *error) {
    tr_recording_writer *w = calloc(1, sizeof *w);
    if (!w)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    w->def = *def;
    w->def.path = NULL;
    w->file = open(def->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (w->file < 0) {
        free(w);
        return tr_fail(error, errno == EEXIST ? TR_ALREADY_EXISTS : TR_RESOURCE_EXHAUSTED, "%s",
                       strerror(errno));
    }
    empty_queue(w);
    *out = w;
    return TR_OK;
}

void tr_recording_writer_destroy(tr_recording_writer *w) {
    if (!w)
        return;
    if (w->file >= 0)
        close(w->file);
    release_queue(w->first);
    release_queue(w->in_hand);
    free(w);
}
