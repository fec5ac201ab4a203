/* A recorder: writes the events on a stage as a recording (proto/RECORDING.md), while they happen.
 *
 * It makes bytes and knows no file: append the result of tr_recorder_take to one. Call it for
 * everything that happens, in this order:
 *
 *     tr_recorder_start     with a snapshot of the stage now
 *     for each tick
 *         tr_recorder_command   for each command that has applied
 *         tr_recorder_step      after the stage has stepped; tr_recorder_event for each event
 *     tr_recorder_jump      after a reset or restore
 *     tr_recorder_end
 *
 * So a bout of a match can be recorded without a hosted world: start with tr_snapshot_write of the
 * stage when the bout begins, then record the steps, and every disturbance as its Command message.
 * A replay (replay.h) applies the commands and compares.
 *
 * A failure (memory, the size limit) ends the recording, never the world: the recorder writes no
 * more, and tr_recorder_look says why. One thread at a time. Deterministic, except for the places
 * at which tr_recorder_flush is called. */
#pragma once

#include "proto/invariant.h"
#include "server/catalogue/cast.h"
#include "server/net/packet.h"
#include "server/world/event.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_recorder tr_recorder;

/* How far it is. */
typedef struct tr_recorder_progress {
    int64_t position; /* steps so far */
    bool key_due;     /* call tr_recorder_key */
    bool unready;     /* there are written bytes that a flush would make ready */
    bool ended;
    tr_status status; /* TR_OK while it records and after an end with TR_OK; else why it stopped */
    const char *reason; /* given to tr_recorder_end; "" before */
} tr_recorder_progress;

enum { TR_RECORDER_CHECK_EVERY = 200 /* ticks */ };

typedef struct tr_recorder_def {
    const char *world;    /* its name, for readers of the file */
    int64_t created_unix; /* s */
    uint64_t seed;
    const tr_cast *cast; /* borrowed; may grow during the recording */
    int check_every;     /* ticks between hashes of the whole state; 0: TR_RECORDER_CHECK_EVERY */
    int key_every;       /* ticks between key frames; 0: none */
} tr_recorder_def;

/* `snapshot`: the stage now, without waiting commands (tr_snapshot_write); borrowed.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_recorder_start(const tr_recorder_def *def, const tr_stage *stage,
                            const tr_packet *snapshot, tr_recorder **out) TR_NODISCARD;
void tr_recorder_destroy(tr_recorder *recorder); /* NULL is allowed */

/* Records a command that has changed the stage, as the bytes of its Command message. name: its name
 * on the wire (tr_command_name); entity: the entity it made, or 0. */
void tr_recorder_command(tr_recorder *recorder, const char *name, const tr_packet *message,
                         tr_entity_id entity);

/* Records a step; call after every step. */
void tr_recorder_step(tr_recorder *recorder, const tr_stage *stage);
void tr_recorder_event(tr_recorder *recorder, const tr_event *event);

void tr_recorder_key(tr_recorder *recorder, const tr_packet *snapshot);

/* Records that the stage was reset or restored; `snapshot` as in tr_recorder_start. */
void tr_recorder_jump(tr_recorder *recorder, const tr_stage *stage, const tr_packet *snapshot);

/* Makes all written bytes ready to be taken; a crash loses the bytes that were not taken. */
void tr_recorder_flush(tr_recorder *recorder);

/* Writes how the recording ended. Only tr_recorder_take may follow. */
void tr_recorder_end(tr_recorder *recorder, tr_status status, const char *why);

void tr_recorder_must_hold(const tr_recorder *recorder, tr_invariant *broken);

tr_recorder_progress tr_recorder_look(const tr_recorder *recorder);

/* Bytes made ready since the last call, owned by the caller; NULL: none. */
tr_packet *tr_recorder_take(tr_recorder *recorder);
