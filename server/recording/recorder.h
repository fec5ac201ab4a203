/* A recorder: writes what happens on a stage as a recording (proto/RECORDING.md), as it happens.
 *
 * It makes bytes and knows no file: what tr_recorder_take returns is to be appended to one. What it
 * has to be told, in the order in which it happens:
 *
 *     tr_recorder_start     with a snapshot of the stage as it is
 *     for each tick
 *         tr_recorder_command   for each command that has applied
 *         tr_recorder_step      after the stage has stepped; tr_recorder_event for what was told
 *     tr_recorder_jump      when the stage was put elsewhere: reset, restore
 *     tr_recorder_end
 *
 * So a bout of a match is recorded without a world of the daemon: start with tr_snapshot_write of
 * the stage as the bout begins, then steps, and whatever disturbs it as the Command message that
 * asks for it. Replaying (replay.h) applies the commands with tr_play_apply and compares.
 *
 * Whatever goes wrong (memory, the size limit) ends the recording and never the world: the recorder
 * falls silent, and tr_recorder_status tells why. One thread at a time. Deterministic, but for the
 * places at which tr_recorder_flush is called. */
#ifndef TROUPE_SERVER_RECORDER_H
#define TROUPE_SERVER_RECORDER_H

#include "server/catalogue/cast.h"
#include "server/net/packet.h"
#include "server/world/event.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_recorder tr_recorder;

enum { TR_RECORDER_CHECK_EVERY = 200 /* ticks */ };

typedef struct tr_recorder_def {
    const char *world;    /* its name, for readers of the file */
    int64_t created_unix; /* s */
    uint64_t seed;
    const tr_cast *cast; /* borrowed; may grow while it records */
    int check_every;     /* ticks between hashes of the whole state; 0: TR_RECORDER_CHECK_EVERY */
    int key_every;       /* ticks between key frames; 0: none */
} tr_recorder_def;

/* `snapshot`: of the stage as it is, without commands that wait (tr_snapshot_write); borrowed.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_recorder_start(const tr_recorder_def *def, const tr_stage *stage,
                            const tr_packet *snapshot, tr_recorder **out) TR_NODISCARD;
void tr_recorder_destroy(tr_recorder *recorder); /* NULL is fine */

/* A command that has changed the stage, as the bytes of its Command message. name: on the wire,
 * tr_command_name; entity: what it made, or 0. */
void tr_recorder_command(tr_recorder *recorder, const char *name, const tr_packet *message,
                         tr_entity_id entity);

/* After every step. */
void tr_recorder_step(tr_recorder *recorder, const tr_stage *stage);
void tr_recorder_event(tr_recorder *recorder, const tr_event *event);

/* Is a key frame due? Give it then. */
bool tr_recorder_wants_key(const tr_recorder *recorder);
void tr_recorder_key(tr_recorder *recorder, const tr_packet *snapshot);

/* The stage was put elsewhere; a snapshot as at the start. */
void tr_recorder_jump(tr_recorder *recorder, const tr_stage *stage, const tr_packet *snapshot);

/* Is anything written that is not ready? */
bool tr_recorder_wants_flush(const tr_recorder *recorder);

/* Makes all so far ready to be taken: what is not taken is lost in a crash. */
void tr_recorder_flush(tr_recorder *recorder);

/* The last call but take: writes how it ended. */
void tr_recorder_end(tr_recorder *recorder, tr_status status, const char *why);

/* TR_OK while it records and when it was ended so; else why it fell silent. */
tr_status tr_recorder_status(const tr_recorder *recorder);
const char *tr_recorder_reason(const tr_recorder *recorder); /* as given to end; "" before */
bool tr_recorder_has_ended(const tr_recorder *recorder);

/* Bytes ready since the last call, the caller's; NULL: none. */
tr_packet *tr_recorder_take(tr_recorder *recorder);

int64_t tr_recorder_position(const tr_recorder *recorder); /* steps so far */

#endif
