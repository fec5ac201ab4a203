/* Recordings and replays: the structs of client.h's requests and replies about them. See also
 * proto/troupe/recording.proto.
 *
 * Strings passed in may be NULL for empty and are copied; strings and arrays received are valid as
 * long as the reply that holds them. */
#ifndef TROUPE_RECORDING_H
#define TROUPE_RECORDING_H

#include "troupe/event.h"
#include "troupe/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- requests --- */

typedef struct tr_client_record_def {
    const char *name;     /* 1 to 47 of A-Z a-z 0-9 . _ - */
    uint32_t check_every; /* ticks between hashes of the whole state; 0: 200 */
    uint32_t key_every;   /* ticks between whole states in the file; 0: none */
} tr_client_record_def;

/* A part of a file to be uploaded, at most 1 MiB. */
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
    double rate;                   /* 0: 1 */
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

#endif
