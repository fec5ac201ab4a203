/* The recordings that the daemon keeps: files in one folder, NAME.trec, and what is known of each.
 *
 * The files are the truth. At the start the folder is looked through, at the ends of each file only;
 * whatever cannot be a recording is left alone and not listed. A file is written by appending whole
 * chunks, so one whose writer was killed is cut off at most in its last, and replays to there.
 *
 *     worlds' threads            loop                              libuv's threads
 *     recorder -> host   ->   tr_recordings_append  ->  writer  ->  write, sync
 *                             tr_recordings_load     ->  job    ->  read, parse, rename, ...
 *
 * A write that fails (the disk is full) ends the recording: the file is cut back to its last whole
 * chunk, `failed` is called, and the world goes on. All calls are the loop's; files are touched on
 * libuv's threads, but for making and removing one. */
#ifndef TROUPE_SERVER_RECORDINGS_H
#define TROUPE_SERVER_RECORDINGS_H

#include "server/recording/recording.h"

#include <uv.h>

typedef struct tr_recordings tr_recordings;

enum { TR_RECORDINGS_PATH_MAX = 1280 };

typedef enum tr_recording_state {
    TR_RECORDING_ENDED,
    TR_RECORDING_RUNNING,
    TR_RECORDING_CUT
} tr_recording_state;

/* One of them, as it is listed. Lives until the next call that adds or removes one. */
typedef struct tr_recording_entry {
    char name[TR_NAME_MAX];
    tr_recording_state state;
    char world[TR_NAME_MAX], daemon[16];
    int64_t created_unix;
    uint64_t size; /* bytes */
    double step_s;
    int64_t length; /* ended: steps */
    tr_status ended;
    char ended_text[TR_RECORDING_TEXT_MAX];
} tr_recording_entry;

typedef struct tr_recordings_def {
    uv_loop_t *loop;
    const char *folder; /* made when missing */
    void *context;
    /* A recording of this world ended because its file could not be written. */
    void (*failed)(void *context, uint32_t world, tr_status status, const char *why);
} tr_recordings_def;

/* TR_PERMISSION_DENIED: the folder cannot be made or read. */
tr_status tr_recordings_open(const tr_recordings_def *def, tr_recordings **out,
                             tr_error *error) TR_NODISCARD;

/* When the loop has run out of work; NULL is fine. */
void tr_recordings_close(tr_recordings *recordings);

/* --- lists --- */

const tr_recording_entry *tr_recordings_find(const tr_recordings *recordings, const char *name);

/* By name; index from 0; NULL: no more. */
const tr_recording_entry *tr_recordings_at(const tr_recordings *recordings, int index);

/* Index of the first whose name comes after `name`. */
int tr_recordings_after(const tr_recordings *recordings, const char *name);

/* --- writing, for a world --- */

/* Makes the file. `made` has its name, world, step_s and created_unix. TR_INVALID_ARGUMENT: the
 * name; TR_ALREADY_EXISTS; TR_RESOURCE_EXHAUSTED: too many or too much is kept, or the disk is
 * full. */
tr_status tr_recordings_begin(tr_recordings *recordings, const tr_recording_entry *made,
                              uint32_t world, uint64_t *out_id, tr_error *error) TR_NODISCARD;

/* Takes the bytes: whole chunks. An id that is not being written is no error: what still comes of a
 * recording that failed is thrown away. */
void tr_recordings_append(tr_recordings *recordings, uint64_t id, tr_packet *bytes);

/* No more comes. length: steps; negative: it is cut off. */
void tr_recordings_end(tr_recordings *recordings, uint64_t id, int64_t length, tr_status status,
                       const char *why);

/* Of the file with this id; "": none. */
const char *tr_recordings_name(const tr_recordings *recordings, uint64_t id);

/* It never began: the file goes. */
void tr_recordings_abandon(tr_recordings *recordings, uint64_t id);

/* Of a world that is gone without having ended it. */
void tr_recordings_leave(tr_recordings *recordings, uint32_t world);

/* A whole recording from elsewhere, e.g. of a bout: takes `bytes`, and writes it in the background.
 * Statuses as tr_recordings_begin. */
tr_status tr_recordings_add(tr_recordings *recordings, const char *name, tr_packet *bytes,
                            tr_error *error) TR_NODISCARD;

/* --- files, for requests --- */

typedef struct tr_recordings_job tr_recordings_job;

/* A request about a file. `done` is called on the loop, with what it brought; the job is freed
 * after it. */
struct tr_recordings_job {
    void (*done)(tr_recordings_job *job);
    void *context;
    char name[TR_NAME_MAX];
    uint64_t offset;
    size_t size;             /* read: how much at most */
    tr_packet *bytes;        /* read: what was there; upload: what is to be written; released */
    uint64_t file_size;      /* read: of the whole file */
    tr_recording *recording; /* load: taken by `done`, or released */
    uint64_t session;        /* upload: whose it is */
    bool last;               /* upload */
    tr_error error;
    /* the registry's own */
    tr_recordings *recordings;
    uv_work_t work;
    void (*run)(tr_recordings_job *job);
    void (*adopt)(tr_recordings_job *job);
    tr_recordings_job *next;
    char path[TR_RECORDINGS_PATH_MAX], final_path[TR_RECORDINGS_PATH_MAX];
    tr_recording_entry entry;
};

/* These take the job on success. TR_NOT_FOUND, TR_RESOURCE_EXHAUSTED, ...; tr_recordings_upload
 * also as tr_recordings_begin, TR_OUT_OF_RANGE: not the offset that comes next. */
tr_status tr_recordings_read(tr_recordings *recordings, tr_recordings_job *job) TR_NODISCARD;
tr_status tr_recordings_load(tr_recordings *recordings, tr_recordings_job *job) TR_NODISCARD;
tr_status tr_recordings_upload(tr_recordings *recordings, tr_recordings_job *job) TR_NODISCARD;

/* TR_NOT_FOUND; TR_FAILED_PRECONDITION: it is being written. */
tr_status tr_recordings_remove(tr_recordings *recordings, const char *name,
                               tr_error *error) TR_NODISCARD;

/* --- memory of recordings that are replayed --- */

/* TR_RESOURCE_EXHAUSTED: past TR_REPLAY_BYTES_MAX. Give the same back. */
tr_status tr_recordings_borrow(tr_recordings *recordings, size_t size,
                               tr_error *error) TR_NODISCARD;
void tr_recordings_give_back(tr_recordings *recordings, size_t size);

#endif
