/* Counters of the daemon since its start, for its metrics (metrics.h). Plain numbers that never
 * decrease; for the loop's thread only. */
#pragma once

#include "proto/status.h"
#include "server/config/lateness.h"

enum {
    TR_TALLY_REQUEST_MAX = 128, /* field numbers of ClientMessage's requests are below */
    TR_TALLY_COMMAND_MAX = 64,  /* field numbers of Command's commands are below */
    TR_TALLY_CODE_COUNT = 17    /* of status.h, negated */
};

typedef struct tr_tally {
    uint64_t sessions;            /* opened */
    uint64_t frames_in, bytes_in; /* complete frames, and the bytes of their messages */
    uint64_t frames_out, bytes_out;
    uint64_t input_cut, unread_cut; /* sessions ended to free shared memory (ledger.h) */
    uint64_t held;                  /* times a session waited for its role's sent_bytes_per_s */
    uint64_t states_sent, states_dropped; /* dropped: replaced by newer ones */
    uint64_t events_sent, events_dropped;
    /* Answered, by the number of the request's or the command's field, and by code. */
    uint64_t requests[TR_TALLY_REQUEST_MAX][TR_TALLY_CODE_COUNT];
    uint64_t commands[TR_TALLY_COMMAND_MAX][TR_TALLY_CODE_COUNT];
    /* Of worlds that have ended; existing ones are queried. */
    uint64_t worlds_closed, worlds_failed, steps, contacts_dropped, searches_cut;
    double processor_s;
    int64_t dropped_ticks;
    tr_lateness lateness;
} tr_tally;

void tr_tally_request(tr_tally *tally, unsigned field_number, tr_status status);
void tr_tally_command(tr_tally *tally, unsigned command, tr_status status);

/* Adds `from` to *sum. */
void tr_tally_add_lateness(tr_lateness *sum, const tr_lateness *from);
