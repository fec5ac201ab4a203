/* Recordings and replays. See also proto/troupe/recording.proto. */
#ifndef TROUPE_RECORDING_H
#define TROUPE_RECORDING_H

#include "troupe/event.h"
#include "troupe/request.h"
#include "troupe/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* --- requests --- */

typedef struct tr_client_record_def {
    const char *name;     /* 1 to 47 of A-Z a-z 0-9 . _ - */
    uint32_t check_every; /* ticks between hashes of the whole state; 0: 200 */
    uint32_t key_every;   /* ticks between whole states in the file; 0: none */
} tr_client_record_def;

/* A part of a file to be uploaded, at most 1 MiB. name: of the recording; a bundle has none */
typedef struct tr_client_upload_def {
    const char *name;
    uint64_t offset;
    const uint8_t *data; /* [size] */
    size_t size;
    bool last;
} tr_client_upload_def;

/* A world that replays a recording. */
typedef struct tr_client_replay_def {
    const char *recording, *world; /* world: the name of the new one */
    double rate;                   /* 0.01 to 100; 1: that of the clock */
    bool paused, loop;
} tr_client_replay_def;

/* --- replies --- */

typedef enum tr_client_recording_state {
    TR_CLIENT_RECORDING_WHOLE = 1,
    TR_CLIENT_RECORDING_RUNNING = 2, /* being written */
    TR_CLIENT_RECORDING_CUT = 3      /* without an end: it replays up to its last whole chunk */
} tr_client_recording_state;

typedef struct tr_client_recording {
    const char *name;
    tr_client_recording_state state;
    const char *world, *daemon_version;
    int64_t created_unix_s;
    uint64_t size;
    double step_s;
    int64_t length;      /* steps; 0 unless it has ended */
    tr_status ended;     /* if it has ended: TR_OK, or why it ended before it was stopped */
    const char *message; /* of that status */
} tr_client_recording;

/* Bytes of a recording's file. */
typedef struct tr_client_recording_part {
    const uint8_t *data; /* [size] */
    size_t size;         /* 0: the end */
    uint64_t file_size;
} tr_client_recording_part;

/* An event of a recording's timeline with its position; commands are APPLIED, with their names. */
typedef struct tr_client_replay_event {
    int64_t position;
    tr_client_event event;
} tr_client_replay_event;

/* The first difference between a recording and its simulation. */
typedef struct tr_client_divergence {
    bool found;
    int64_t position, tick;
    int64_t same_at; /* the last position at which the whole state was equal */
    int64_t body_at; /* position where bodies were compared: `position` or later */
    uint32_t entity; /* 0: unknown */
    const char *label;
    int body; /* of its model; -1: unknown */
    const char *body_name, *what;
} tr_client_divergence;

/* The status of a replay. Positions count the steps from the recording's start. */
typedef struct tr_client_replay_info {
    tr_client_recording recording;
    int64_t position, length, first_tick;
    bool loop, working, verified, whole;
    tr_client_divergence divergence;
    int event_count;
    const tr_client_replay_event *events; /* [event_count], by position */
    uint64_t events_left_out;
} tr_client_replay_info;

/* Records a world into a file of the daemon until it is stopped or the world ends. TR_ALREADY_EXISTS:
 * the name is taken; TR_FAILED_PRECONDITION: the world is already being recorded, or is a
 * replay. */
TR_API uint64_t tr_client_start_recording(tr_client *client, tr_client_at at,
                                          const tr_client_record_def *def);

/* Ends the recording of a world; answered when the file is complete. TR_FAILED_PRECONDITION: it is
 * not being recorded. */
TR_API uint64_t tr_client_stop_recording(tr_client *client, tr_client_at at);

/* Lists recordings by name (reply RECORDINGS). Uses only the prefix and the page of the query,
 * which may be NULL. */
TR_API uint64_t tr_client_list_recordings(tr_client *client, const tr_client_query *query);

/* Shows a recording (reply RECORDING). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_recording(tr_client *client, const char *name);

/* Deletes a recording's file. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it is being written. */
TR_API uint64_t tr_client_delete_recording(tr_client *client, const char *name);

/* Reads at most 1 MiB of a recording's file from `offset` on, bytes (reply RECORDING_PART).
 * TR_NOT_FOUND. */
TR_API uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset);

/* Sends one part of a recording's file; send the parts in order. The last is answered with the
 * recording (reply RECORDING). TR_ALREADY_EXISTS: the name is taken; TR_DATA_LOSS: the file is
 * damaged. */
TR_API uint64_t tr_client_upload_recording(tr_client *client, const tr_client_upload_def *def);

/* Adds a bundle to the catalogue; the last part is answered with its controllers (reply CONTROLLERS).
 * TR_DATA_LOSS, TR_INVALID_ARGUMENT: not a valid bundle; TR_FAILED_PRECONDITION: not the next part;
 * TR_PERMISSION_DENIED: the role is lower than director. */
TR_API uint64_t tr_client_add_bundle(tr_client *client, const tr_client_upload_def *def);

/* Makes a world that shows a recording (reply WORLD): subscribe, pause, resume, step, set its rate
 * and destroy it like any world. TR_NOT_FOUND: the recording, or a controller in it;
 * TR_FAILED_PRECONDITION: made by a simulation with other results. */
TR_API uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def);

/* Shows the position of a replay and the difference it has found, if any (reply REPLAY).
 * TR_NOT_FOUND; TR_FAILED_PRECONDITION: the world is not a replay. */
TR_API uint64_t tr_client_get_replay(tr_client *client, uint32_t world);

/* Moves a replay to a position, in steps from its start; answered when it has reached it.
 * TR_OUT_OF_RANGE: the recording has no such position; TR_ABORTED: replaced by another seek. */
TR_API uint64_t tr_client_seek(tr_client *client, uint32_t world, int64_t position);

/* Lets a replay restart at its end, or stop there. */
TR_API uint64_t tr_client_set_loop(tr_client *client, uint32_t world, bool loop);

/* Simulates the whole recording and compares; answered at the end, which may take long.
 * TR_DATA_LOSS: it differs; the message says where, and tr_client_get_replay has the fields. */
TR_API uint64_t tr_client_verify(tr_client *client, uint32_t world);

#if defined(__cplusplus)
}
#endif

#endif
