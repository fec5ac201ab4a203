/* A recording: the bytes of a file made by a recorder, read and checked (proto/RECORDING.md).
 *
 * Reading checks the whole file once: every chunk's checksum, every record's size. Everything after
 * the first incomplete chunk is ignored, and `whole` is false: a file that was cut off, or whose
 * writer was killed, replays up to that chunk. A complete but invalid record is an error: the file
 * is not a recording of this version, or forged.
 *
 * A place in it is a *position*: the number of steps since its start. Ticks are the world's; they
 * jump back at a reset or restore.
 *
 * Immutable and reference counted: any thread. */
#pragma once

#include "proto/limits.h"
#include "server/net/packet.h"
#include "server/world/event.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_recording tr_recording;

enum {
    TR_RECORDING_NAMES_MAX = 256, /* models and controllers each */
    TR_RECORDING_KEYS_MAX = 65536,
    TR_RECORDING_EVENTS_MAX = 65536 /* kept for the timeline; the rest is counted */
};

/* --- the format --- */

#define TR_RECORDING_MAGIC "TRRECRD1"
enum {
    TR_RECORDING_MAGIC_SIZE = 8,
    TR_RECORDING_VERSION = 4,
    TR_CHUNK_HEAD_SIZE = 8,     /* size u32, checksum u32 */
    TR_RECORDING_TEXT_MAX = 64, /* of the reason of the end, with its terminator */
    /* The last chunk of a recording that has ended holds only the end record: kind, status, length,
     * text. */
    TR_END_CHUNK_SIZE = TR_CHUNK_HEAD_SIZE + 1 + 4 + 8 + 64,
    TR_CHUNK_MAX = TR_SNAPSHOT_MAX + 512 * 1024
};

typedef enum tr_record_kind {
    TR_RECORD_HEAD = 1,
    TR_RECORD_SNAPSHOT, /* a new state of the stage: the start, or a jump */
    TR_RECORD_AGAIN,    /* a jump to the state of an earlier snapshot */
    TR_RECORD_MODEL,
    TR_RECORD_CONTROLLER,
    TR_RECORD_COMMAND,
    TR_RECORD_STEPS,
    TR_RECORD_CHECK,
    TR_RECORD_KEY,
    TR_RECORD_EVENT,
    TR_RECORD_END
} tr_record_kind;

/* Checksum of a chunk's payload. */
uint32_t tr_chunk_checksum(const void *data, size_t size);

/* One record. Pointers point into the recording's bytes. */
typedef struct tr_record {
    tr_record_kind kind;
    const uint8_t *data; /* snapshot, key, command: the message; check: traces of bodies; steps:
                            [count][width] traces; end: text, [TR_RECORDING_TEXT_MAX] */
    uint32_t size;
    int64_t tick;           /* snapshot, again: of the world at that time */
    uint32_t index;         /* again: of the snapshot, from 0 */
    uint32_t entity;        /* command: the entity it made */
    uint32_t width, count;  /* steps */
    uint64_t hash;          /* check: of the stage; model, controller: of that item */
    tr_status status;       /* end */
    int64_t length;         /* end: total steps */
    char name[TR_NAME_MAX]; /* model, controller; command: its name on the wire */
    tr_event event;         /* event: kind, entity, other, bodies, magnitude, text */
} tr_record;

/* --- a recording --- */

typedef struct tr_recording_name {
    char name[TR_NAME_MAX];
    uint64_t hash;
} tr_recording_name;

/* An event for the timeline: commands as TR_EVENT_APPLIED with their kind's name. */
typedef struct tr_recording_event {
    int64_t position;
    tr_event event; /* with its tick */
} tr_recording_event;

/* The place of the next record. Plain data; a copy remembers the place. */
typedef struct tr_recording_cursor {
    size_t at, chunk_end;
} tr_recording_cursor;

/* A whole state inside the recording. */
typedef struct tr_recording_key {
    int64_t position;
    const uint8_t *data; /* [size]: a snapshot */
    uint32_t size;
    bool is_jump;             /* the world jumped to it: reset, restore */
    tr_recording_cursor next; /* the record after it */
} tr_recording_key;

typedef struct tr_recording_info {
    uint32_t version; /* of the format */
    char world[TR_NAME_MAX];
    char daemon[16]; /* version that wrote it */
    int64_t created_unix;
    uint64_t seed;
    double step_s;
    int check_every, key_every;
    uint64_t physics;   /* fingerprint of the simulation that recorded it */
    int64_t first_tick; /* of the world at position 0 */
    int64_t length;     /* complete steps */
    size_t size;        /* complete bytes */
    bool whole;         /* it has an end */
    tr_status ended;    /* if whole: the status of its end; else TR_DATA_LOSS */
    char ended_text[TR_RECORDING_TEXT_MAX];
    int model_count, controller_count;
    const tr_recording_name *model, *controller;
    int event_count;
    int64_t event_dropped;
    const tr_recording_event *event;
    int jump_count;              /* after the start */
    int key_count;               /* of the array below */
    const tr_recording_key *key; /* by position, jumps included; [0] is the start */
} tr_recording_info;

/* Reads `bytes`, and shares them on success. TR_INVALID_ARGUMENT: not a recording, or an invalid
 * one; TR_FAILED_PRECONDITION: another version of the format; TR_DATA_LOSS: cut off within its
 * first snapshot; TR_RESOURCE_EXHAUSTED: over a cap. */
tr_status tr_recording_read(tr_packet *bytes, tr_recording **out, tr_error *error) TR_NODISCARD;
/* Reads only the two ends of a file: its first TR_RECORDING_HEAD_SIZE bytes and its last
 * TR_END_CHUNK_SIZE (fewer if it is shorter). Fills the members that the head and the end contain;
 * no lists, and no length without an end. Statuses as in tr_recording_read. */
enum { TR_RECORDING_HEAD_SIZE = 256 };
tr_status tr_recording_glance(const tr_packet *head, const tr_packet *tail, tr_recording_info *out,
                              tr_error *error) TR_NODISCARD;

tr_recording *tr_recording_share(tr_recording *recording); /* returns its argument */
void tr_recording_release(tr_recording *recording);        /* NULL is allowed */

const tr_recording_info *tr_recording_describe(const tr_recording *recording);

/* Reads the record at the cursor and advances the cursor. False: no more complete records. */
bool tr_recording_next(const tr_recording *recording, tr_recording_cursor *cursor, tr_record *out);

/* A snapshot by the index of TR_RECORD_AGAIN; NULL: none. */
const uint8_t *tr_recording_snapshot(const tr_recording *recording, uint32_t index,
                                     uint32_t *out_size);
