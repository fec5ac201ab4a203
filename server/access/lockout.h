/* The lockout: limits the rate of wrong keys for one account and from one address.
 *
 * A number of wrong guesses per minute get an ordinary refusal; further guesses are answered as
 * locked out until the minute's share has refilled. Locks apply to wrong proofs only. A right proof
 * is always accepted: otherwise an attacker who knows a name could lock out its holder, and a key
 * of 256 random bits cannot be guessed at any rate (key.h).
 *
 * An address is a v4 address or the first 64 bits of a v6 one (tr_peer_key).
 * Fixed memory: when the tables are full, the entry that has been unused longest is replaced. Time
 * is an argument; for the loop's thread only. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { TR_GUESSES_PER_ACCOUNT = 5, TR_GUESSES_PER_ADDRESS = 10, TR_GUESS_WINDOW_MS = 60000 };

typedef struct tr_lockout tr_lockout;

tr_status tr_lockout_create(tr_lockout **out) TR_NODISCARD;
void tr_lockout_destroy(tr_lockout *lockout); /* NULL is allowed */

/* Counts one wrong guess. `account`: tr_account_id, 0: no such account; `address`: a channel's
 * peer. True: one of the two is now locked out. */
bool tr_lockout_count(tr_lockout *lockout, uint64_t account, const char *address, uint64_t now_ms);
