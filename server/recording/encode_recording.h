/* Recordings and replays as messages. Texts are those of what is given. */
#ifndef TROUPE_SERVER_ENCODE_RECORDING_H
#define TROUPE_SERVER_ENCODE_RECORDING_H

#include "server/recording/recordings.h"
#include "server/recording/replay.h"
#include "server/world/encode.h"

void tr_encode_recording(const tr_recording_entry *entry, Troupe__Recording *out);

/* The whole answer to GetReplay. */
typedef struct tr_replay_answer {
    uint64_t request;
    const tr_recording *recording;
    const tr_recording_entry *entry; /* NULL: the file is gone */
    const char *name;
    tr_replay_info info;
} tr_replay_answer;

/* TR_RESOURCE_EXHAUSTED, TR_OUT_OF_RANGE. */
tr_status tr_encode_replay(const tr_replay_answer *answer, tr_packet **out) TR_NODISCARD;

#endif
