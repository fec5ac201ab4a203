/* The recordings that the daemon keeps: files in one folder, NAME.trec, and a description of each.
 *
 * The files are the only stored data. At the start the daemon reads the two ends of each file in
 * the folder; files that cannot be recordings are ignored. Files are written by appending whole
 * chunks, so a file whose writer was killed is incomplete only in its last chunk, and replays up to
 * there.
 *
 *     worlds' threads            loop                              libuv's threads
 *     recorder -> host   ->   tr_recordings_append  ->  writer  ->  write, sync
 *                             tr_recordings_load     ->  job    ->  read, parse, rename, ...
 *
 * A failed write (the disk is full) ends the recording: the file is cut back to its last whole
 * chunk, `failed` is called, and the world continues. All calls belong to the loop's thread; files
 * are read and written on libuv's threads, but created and removed on the loop. */
#pragma once

#include "server/net/clients.h"
#include "server/recording/recording.h"

#include <uv.h>

typedef struct tr_recordings tr_recordings;

enum { TR_RECORDINGS_PATH_MAX = 1280 };

typedef enum tr_recording_state {
    TR_RECORDING_ENDED,
    TR_RECORDING_RUNNING,
    TR_RECORDING_CUT
} tr_recording_state;

/* A recording in the list. Valid until the next call that adds or removes one. */
typedef struct tr_recording_entry {
    char name[TR_NAME_MAX];
    tr_recording_state state;
    char world[TR_NAME_MAX], daemon[16];
    int64_t created_unix;
    uint64_t size; /* bytes */
    double step_s;
    int64_t length; /* if ended: steps */
    tr_status ended;
    char ended_text[TR_RECORDING_TEXT_MAX];
} tr_recording_entry;

typedef struct tr_recordings_def {
    uv_loop_t *loop;
    const char *folder; /* created if missing */
    void *context;
    /* A recording of this world ended because its file could not be written. */
    void (*failed)(void *context, uint32_t world, tr_status status, const char *why);
} tr_recordings_def;

/* TR_PERMISSION_DENIED: the folder cannot be made or read. */
tr_status tr_recordings_open(const tr_recordings_def *def, tr_recordings **out,
                             tr_error *error) TR_NODISCARD;

/* Call when the loop has no more work; NULL is allowed. */
void tr_recordings_close(tr_recordings *recordings);

/* --- lists --- */

const tr_recording_entry *tr_recordings_find(const tr_recordings *recordings, const char *name);

/* In the order of names; index from 0; NULL: past the end. */
const tr_recording_entry *tr_recordings_at(const tr_recordings *recordings, int index);

/* Index of the first entry whose name is after `name`. */
int tr_recordings_after(const tr_recordings *recordings, const char *name);

/* --- writing, for a world --- */

/* Creates the file. `made` has its name, world, step_s and created_unix. TR_INVALID_ARGUMENT: the
 * name; TR_ALREADY_EXISTS; TR_RESOURCE_EXHAUSTED: too many recordings or bytes are kept, or the
 * disk is full. */
tr_status tr_recordings_begin(tr_recordings *recordings, const tr_recording_entry *made,
                              uint32_t world, uint64_t *out_id, tr_error *error) TR_NODISCARD;

/* Takes the bytes: whole chunks. An unknown id is not an error: later bytes of a failed recording
 * are dropped. */
void tr_recordings_append(tr_recordings *recordings, uint64_t id, tr_packet *bytes);

/* Ends the recording. length: steps; negative: it was cut off. */
void tr_recordings_end(tr_recordings *recordings, uint64_t id, int64_t length, tr_status status,
                       const char *why);

/* The name of the file with this id; "": none. */
const char *tr_recordings_name(const tr_recordings *recordings, uint64_t id);

/* Removes the file of a recording that never began. */
void tr_recordings_abandon(tr_recordings *recordings, uint64_t id);

/* Ends the recording of a world that was destroyed without ending it. */
void tr_recordings_leave(tr_recordings *recordings, uint32_t world);

/* Adds a complete recording, for example of a bout: takes `bytes` and writes them in the
 * background. Statuses as in tr_recordings_begin. */
tr_status tr_recordings_add(tr_recordings *recordings, const char *name, tr_packet *bytes,
                            tr_error *error) TR_NODISCARD;

/* --- files, for requests --- */

typedef struct tr_recordings_job tr_recordings_job;

/* A request about a file. `done` is called on the loop with the results; the job is freed after
 * it. */
struct tr_recordings_job {
    void (*done)(tr_recordings_job *job);
    void *context;
    char name[TR_NAME_MAX];
    uint64_t offset;
    size_t size;             /* read: at most this many bytes */
    tr_packet *bytes;        /* read: the bytes; upload: the bytes to write; released */
    uint64_t file_size;      /* read: of the whole file */
    tr_recording *recording; /* load: taken by `done`, or released */
    tr_asker asker;          /* upload: its session is the owner */
    bool last;               /* upload */
    tr_error error;
    /* private to recordings.c */
    tr_recordings *recordings;
    uv_work_t work;
    void (*run)(tr_recordings_job *job);
    void (*adopt)(tr_recordings_job *job);
    tr_recordings_job *next;
    char path[TR_RECORDINGS_PATH_MAX], final_path[TR_RECORDINGS_PATH_MAX];
    tr_recording_entry entry;
};

/* These take the job on success. TR_NOT_FOUND, TR_RESOURCE_EXHAUSTED, ...; tr_recordings_upload
 * also as tr_recordings_begin, and TR_OUT_OF_RANGE: not the next offset. */
tr_status tr_recordings_read(tr_recordings *recordings, tr_recordings_job *job) TR_NODISCARD;
tr_status tr_recordings_load(tr_recordings *recordings, tr_recordings_job *job) TR_NODISCARD;
tr_status tr_recordings_upload(tr_recordings *recordings, tr_recordings_job *job) TR_NODISCARD;

/* Drops the uploads that the session has not completed. */
void tr_recordings_session_left(tr_recordings *recordings, uint64_t session);

/* TR_NOT_FOUND; TR_FAILED_PRECONDITION: it is being written. */
tr_status tr_recordings_remove(tr_recordings *recordings, const char *name,
                               tr_error *error) TR_NODISCARD;

/* --- memory of recordings that are replayed --- */

/* Reserves memory for a replay; return the same size later. TR_RESOURCE_EXHAUSTED: over
 * TR_REPLAY_BYTES_MAX. */
tr_status tr_recordings_borrow(tr_recordings *recordings, size_t size,
                               tr_error *error) TR_NODISCARD;
void tr_recordings_give_back(tr_recordings *recordings, size_t size);

/* The sums, and the recording whose turn it is. */
void tr_recordings_must_hold(const tr_recordings *recordings, uint64_t turn, tr_invariant *broken);
