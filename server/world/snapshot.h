/* The bytes of a world's snapshot: the snapshot of its stage, after the data that only the world
 * has.
 *
 *   magic[8] "TRWORLD3"
 *   checksum u64           FNV-1a of all that follows
 *   seed u64
 *   fault rule u32
 *   model count u32
 *   controller count u32
 *   name[48] each          the names that the world uses, to find the items again
 *   label count u32
 *   entity u32, owner u64, label[48]  each
 *   pending count u32
 *   tick i64, order u64, request u64, session u64, account u64, size u32, message[size]  each
 *   stage size u32
 *   stage[size]            the snapshot of the stage, to the end
 *
 * Little-endian, unaligned. Clients send snapshots back, so the reader trusts nothing: counts are
 * capped, every length is compared with the bytes left, texts are terminated. The stage checks its
 * own part. */
#pragma once

#include "proto/limits.h"
#include "server/catalogue/cast.h"
#include "server/net/packet.h"
#include "server/world/fault_handling.h"

#include <stddef.h>
#include <stdint.h>

/* The label and the owner of a character, for characters that have either. */
typedef struct tr_label {
    tr_entity_id entity;
    uint64_t owner; /* tr_account_id; 0: no owner */
    char text[TR_NAME_MAX];
} tr_label;

/* A command that waits for its tick, as the message that the client sent. */
typedef struct tr_saved_command {
    int64_t tick;
    uint64_t order, request, session, account;
    const uint8_t *message; /* [size]: a Command, packed */
    uint32_t size;
} tr_saved_command;

/* What a snapshot holds besides the stage. */
typedef struct tr_saved {
    uint64_t seed;
    tr_fault_rule fault_rule;
    int model_count, controller_count, label_count, pending_count;
    char (*model)[TR_NAME_MAX];      /* [model_count] */
    char (*controller)[TR_NAME_MAX]; /* [controller_count] */
    tr_label *label;                 /* [label_count] */
    tr_saved_command *pending;       /* [pending_count], in the order in which they apply */
    const uint8_t *stage;            /* [stage_size]; after reading: points into the bytes read */
    size_t stage_size;
} tr_saved;

/* Writes `saved` around a snapshot of `stage`, taken here; saved->stage is not read.
 * TR_OUT_OF_RANGE: it would exceed TR_SNAPSHOT_MAX. */
tr_status tr_snapshot_write(const tr_saved *saved, const tr_stage *stage,
                            tr_packet **out) TR_NODISCARD;

/* Reads bytes[size]; *out points into them, so they must outlive it. TR_INVALID_ARGUMENT: not a
 * snapshot of this version, damaged, or past a cap; `error` says which. Destroy *out with
 * tr_saved_destroy. */
tr_status tr_snapshot_read(const uint8_t *bytes, size_t size, tr_saved **out,
                           tr_error *error) TR_NODISCARD;
void tr_saved_destroy(tr_saved *saved); /* for a result of tr_snapshot_read; NULL is allowed */
