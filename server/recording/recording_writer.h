/* A recording writer: one recording's file while it is being written.
 *
 *     tr_recording_writer_append (loop) -> queue -> write and sync (libuv's threads) -> written (loop)
 *
 * One write is under way at a time and takes all that waits. It returns when the bytes, and with the
 * first of them the file's name, are on the disk: a power loss takes what came since, and no more;
 * and a fast world is written as fast as the disk syncs. A write that fails cuts the file back to
 * what was whole and closes it. The functions are the loop's. */
#ifndef TROUPE_SERVER_RECORDING_WRITER_H
#define TROUPE_SERVER_RECORDING_WRITER_H

#include "server/net/packet.h"

#include <stdbool.h>
#include <uv.h>

typedef struct tr_recording_writer tr_recording_writer;

typedef struct tr_recording_writer_def {
    uv_loop_t *loop;
    const char *path;   /* of the file, which must not be there; read in the call alone */
    const char *folder; /* that it is in; borrowed */
    void *context;
    /* A write has ended. error: TR_OK, or why the file is closed now. False: the writer has been
     * destroyed. */
    bool (*written)(void *context, const tr_error *error);
} tr_recording_writer_def;

/* TR_ALREADY_EXISTS: the file is there; TR_RESOURCE_EXHAUSTED: it cannot be made. */
tr_status tr_recording_writer_open(const tr_recording_writer_def *def, tr_recording_writer **out,
                                   tr_error *error) TR_NODISCARD;

/* Not while it is busy. NULL is fine. */
void tr_recording_writer_destroy(tr_recording_writer *writer);

/* Takes the bytes on success. TR_RESOURCE_EXHAUSTED: too much waits. Not once it is ending. */
tr_status tr_recording_writer_append(tr_recording_writer *writer, tr_packet *bytes,
                                     tr_error *error) TR_NODISCARD;

/* No more comes: closes the file when what waits has been written, or been dropped before. */
void tr_recording_writer_end(tr_recording_writer *writer);
void tr_recording_writer_drop(tr_recording_writer *writer);

bool tr_recording_writer_is_busy(const tr_recording_writer *writer); /* a write is under way */
bool tr_recording_writer_is_ending(const tr_recording_writer *writer);
bool tr_recording_writer_is_closed(const tr_recording_writer *writer);

uint64_t tr_recording_writer_size(const tr_recording_writer *writer); /* bytes written whole */
uint64_t
tr_recording_writer_queued(const tr_recording_writer *writer); /* taken, not yet among them */

#endif
