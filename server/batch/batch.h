/* A batch: all bouts of a headless match, fought by the ranks of a job (learn/ranks/ranks.h)
 * without a daemon, and kept in a catalogue.
 *
 * Every rank decodes the match and loads its models and controllers. Missing bouts are fought in
 * rounds: bout i of a round belongs to rank i modulo the number of ranks, and the lead stores the
 * round in one transaction. A bout's result is a function of the match and its position, so the
 * catalogue then holds the same bits as after the same match in a daemon, for any number of ranks.
 *
 * A batch that was interrupted continues: the same call finds its match running, and fights what is
 * missing. A daemon that starts on the catalogue would do the same.
 *
 * All ranks call each function, in the same order, from the main thread. */
#pragma once

#include "proto/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tr_batch_def {
    const char
        *catalogue; /* read by all ranks, written by the lead; no other process has it open */
    const uint8_t *definition; /* a Match of proto/troupe/match.proto, encoded: [size] */
    size_t size;
    FILE *progress; /* the lead writes a line a round */
    FILE *results;  /* the lead writes the results: MatchDetails, as GetMatch answers, in frames */
} tr_batch_def;

/* A match that is done is printed again. TR_INVALID_ARGUMENT: not a headless match;
 * TR_ALREADY_EXISTS: the catalogue has another match of its name, or it was ended early;
 * TR_FAILED_PRECONDITION: a controller has changed since it began. Otherwise as
 * tr_decode_match_bytes and the catalogue. */
tr_status tr_batch_run(const tr_batch_def *def, tr_error *error) TR_NODISCARD;
