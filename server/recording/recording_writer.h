/* A recording writer: writes the file of one recording.
 *
 *     tr_recording_writer_append (loop) -> queue -> write and sync (libuv's threads) -> written (loop)
 *
 * There is one write at a time, which takes all waiting bytes. It ends when the bytes, and with the
 * first bytes the file's name, are on the disk. So a power loss loses only the bytes after the last
 * write, and a fast world is written as fast as the disk syncs. A failed write cuts the file back
 * to its last complete write and closes it. All functions belong to the loop's thread. */
#pragma once

#include "server/net/packet.h"

#include <stdbool.h>
#include <uv.h>

typedef struct tr_recording_writer_def {
    uv_loop_t *loop;
    const char *path;   /* of the file, which must not exist; read during the call only */
    const char *folder; /* the file's folder; borrowed */
    void *context;
    /* Called when a write has ended. error: TR_OK, or the reason why the file was closed. Returns
     * false if it has destroyed the writer. */
    bool (*written)(void *context, const tr_error *error);
} tr_recording_writer_def;

typedef struct tr_recording_writer {
    tr_recording_writer_def def;
    int file; /* -1: closed; used by the write while one is in progress */
    struct queued *first, **end;
    size_t queued_bytes;
    bool writing, ending;
    /* of the current write */
    uv_work_t work;
    struct queued *in_hand;
    size_t in_hand_bytes;
    bool closing;
    uint64_t size; /* written completely; not to be read while one is in progress */
    tr_error error;
} tr_recording_writer;

/* TR_ALREADY_EXISTS: the file exists; TR_RESOURCE_EXHAUSTED: it cannot be made. */
tr_status tr_recording_writer_open(const tr_recording_writer_def *def, tr_recording_writer **out,
                                   tr_error *error) TR_NODISCARD;

/* Not while it is busy. NULL is allowed. */
void tr_recording_writer_destroy(tr_recording_writer *writer);

/* Takes the bytes on success. TR_RESOURCE_EXHAUSTED: too many bytes wait. Not after
 * tr_recording_writer_end. */
tr_status tr_recording_writer_append(tr_recording_writer *writer, tr_packet *bytes,
                                     tr_error *error) TR_NODISCARD;

/* Ends the appends: closes the file when the waiting bytes have been written or dropped. */
void tr_recording_writer_end(tr_recording_writer *writer);
void tr_recording_writer_drop(tr_recording_writer *writer);
