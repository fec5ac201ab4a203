/* The books of a batch: its match and results in the catalogue, by the lead alone. */
#pragma once

#include "server/batch/batch.h"
#include "server/match/contest.h"

/* Opens the catalogue and stores the match of `contest`, or finds it interrupted; sets the id of
 * its row. out_missing: [bout_count], positions without a result, rising. On success the caller
 * closes *out. TR_ALREADY_EXISTS: another match has its name, or it has ended. */
tr_status tr_batch_books_open(const tr_batch_def *def, tr_contest *contest, tr_catalogue **out,
                              int *out_missing, int *out_count, tr_error *error) TR_NODISCARD;

/* All bouts are stored. */
tr_status tr_batch_books_end(tr_catalogue *catalogue, const tr_contest *contest,
                             tr_error *error) TR_NODISCARD;

/* Writes the results in frames, a page each. */
tr_status tr_batch_books_print(tr_catalogue *catalogue, const tr_contest *contest, FILE *out,
                               tr_error *error) TR_NODISCARD;
