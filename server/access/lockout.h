/* The lockout: how often a wrong key may be shown, of one account and from one address.
 *
 * So many wrong guesses pass in a minute; who makes more is told that it is locked out, and so is
 * each further guess that comes before its minute's share has grown again. Locks weigh on wrong
 * proofs alone. A right proof is taken whatever is locked: otherwise anybody who knows a name could
 * shut its holder out by guessing, and a key of 256 random bits is not found at any rate of guesses
 * (key.h).
 *
 * An address is a v4 address or the first 64 bits of a v6 one (tr_peer_key).
 * Fixed memory: when the tables are full the entry that has been quiet longest goes. Time is an
 * argument; the loop's thread alone. */
#ifndef TROUPE_SERVER_LOCKOUT_H
#define TROUPE_SERVER_LOCKOUT_H

#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { TR_GUESSES_PER_ACCOUNT = 5, TR_GUESSES_PER_ADDRESS = 10, TR_GUESS_WINDOW_MS = 60000 };

typedef struct tr_lockout tr_lockout;

tr_status tr_lockout_create(tr_lockout **out) TR_NODISCARD;
void tr_lockout_destroy(tr_lockout *lockout); /* NULL is fine */

/* Counts one wrong guess. `account`: tr_account_id, 0 when there is no such account; `address`: a
 * channel's peer. True: one of the two is locked out by now. */
bool tr_lockout_count(tr_lockout *lockout, uint64_t account, const char *address, uint64_t now_ms);

#endif
